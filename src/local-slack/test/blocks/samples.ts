export type UnknownObject = Record<string, unknown>

export const plain = (text = 'Text') => ({ type: 'plain_text', text, emoji: true })
export const mrkdwn = (text = '*Text*') => ({ type: 'mrkdwn', text, verbatim: false })

export const createMany = <Item>(count: number, make: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index + 1))

export const option = (number = 1) => ({
  text: plain(`Option ${number}`),
  value: `option-${number}`,
  description: plain('What it is'),
})
export const optionGroup = (number = 1) => ({
  label: plain(`Group ${number}`),
  options: [option(2 * number - 1), option(2 * number)],
})
export const linkOption = (number = 1) => ({ ...option(number), url: 'https://example.com/option' })

export const confirm = {
  title: plain('Delete it?'),
  text: mrkdwn('It is *gone* then.'),
  confirm: plain('Delete'),
  deny: plain('Keep'),
  style: 'danger',
}

export const richText = {
  type: 'rich_text',
  block_id: 'rich',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Hello' }] }],
}

export const image = {
  type: 'image',
  alt_text: 'A cat',
  image_url: 'https://example.com/cat.png',
}
export const slackFileImage = { type: 'image', alt_text: 'A cat', slack_file: { id: 'F012345678' } }

export const button = (number = 1) => ({
  type: 'button',
  action_id: `button-${number}`,
  text: plain('Press'),
  value: 'pressed',
  url: 'https://example.com/pressed',
  style: 'primary',
  confirm,
  accessibility_label: 'Press this button',
})

const feedback = { text: plain('Good'), value: 'good', accessibility_label: 'That was good' }
export const iconButton = (number = 1) => ({
  type: 'icon_button',
  action_id: `icon-button-${number}`,
  icon: 'trash',
  text: plain('Delete'),
  value: 'delete',
  confirm,
  accessibility_label: 'Delete this answer',
  visible_to_user_ids: ['U1'],
})

const selectFields = { confirm, focus_on_load: true, placeholder: plain('Choose') }
const typing = {
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] },
  focus_on_load: true,
  placeholder: plain('Type'),
}
const here = {
  default_to_current_conversation: true,
  filter: {
    include: ['im', 'mpim', 'private', 'public'],
    exclude_external_shared_channels: true,
    exclude_bot_users: true,
  },
}
const several = { ...selectFields, max_selected_items: 2 }

/** An element of each kind with all its fields. */
export const elements = {
  button: button(),
  overflow: {
    type: 'overflow',
    action_id: 'act',
    options: [linkOption(1), linkOption(2)],
    confirm,
  },
  checkboxes: {
    type: 'checkboxes',
    action_id: 'act',
    options: [option(1), option(2)],
    initial_options: [option(1)],
    confirm,
    focus_on_load: true,
  },
  radio_buttons: {
    type: 'radio_buttons',
    action_id: 'act',
    options: [option(1), option(2)],
    initial_option: option(1),
    confirm,
    focus_on_load: true,
  },
  static_select: {
    type: 'static_select',
    action_id: 'act',
    options: [option(1), option(2)],
    initial_option: option(1),
    ...selectFields,
  },
  external_select: {
    type: 'external_select',
    action_id: 'act',
    initial_option: option(1),
    min_query_length: 2,
    ...selectFields,
  },
  users_select: { type: 'users_select', action_id: 'act', initial_user: 'U1', ...selectFields },
  conversations_select: {
    type: 'conversations_select',
    action_id: 'act',
    initial_conversation: 'C1',
    ...here,
    ...selectFields,
  },
  channels_select: { type: 'channels_select', action_id: 'act', initial_channel: 'C1', ...selectFields },
  multi_static_select: {
    type: 'multi_static_select',
    action_id: 'act',
    options: [option(1), option(2)],
    initial_options: [option(1)],
    ...several,
  },
  multi_external_select: {
    type: 'multi_external_select',
    action_id: 'act',
    initial_options: [option(1)],
    min_query_length: 2,
    ...several,
  },
  multi_users_select: { type: 'multi_users_select', action_id: 'act', initial_users: ['U1'], ...several },
  multi_conversations_select: {
    type: 'multi_conversations_select',
    action_id: 'act',
    initial_conversations: ['C1'],
    ...here,
    ...several,
  },
  multi_channels_select: {
    type: 'multi_channels_select',
    action_id: 'act',
    initial_channels: ['C1'],
    ...several,
  },
  datepicker: { type: 'datepicker', action_id: 'act', initial_date: '2026-11-27', ...selectFields },
  timepicker: {
    type: 'timepicker',
    action_id: 'act',
    initial_time: '09:30',
    timezone: 'Europe/Berlin',
    ...selectFields,
  },
  datetimepicker: {
    type: 'datetimepicker',
    action_id: 'act',
    initial_date_time: 1_795_770_000,
    confirm,
    focus_on_load: true,
  },
  plain_text_input: {
    type: 'plain_text_input',
    action_id: 'act',
    initial_value: 'x',
    multiline: true,
    min_length: 1,
    max_length: 3000,
    ...typing,
  },
  email_text_input: {
    type: 'email_text_input',
    action_id: 'act',
    initial_value: 'ann@example.com',
    ...typing,
  },
  url_text_input: {
    type: 'url_text_input',
    action_id: 'act',
    initial_value: 'https://example.com',
    ...typing,
  },
  number_input: {
    type: 'number_input',
    action_id: 'act',
    is_decimal_allowed: true,
    initial_value: '5',
    min_value: '1',
    max_value: '10',
    ...typing,
  },
  rich_text_input: {
    type: 'rich_text_input',
    action_id: 'act',
    initial_value: richText,
    min_lines: 1,
    max_lines: 100,
    ...typing,
  },
  file_input: { type: 'file_input', action_id: 'act', filetypes: ['pdf', 'png'], max_files: 5 },
  workflow_button: {
    type: 'workflow_button',
    action_id: 'act',
    text: plain('Start'),
    workflow: {
      trigger: {
        url: 'https://slack.com/shortcuts/Ft1/start',
        customizable_input_parameters: [{ name: 'day', value: 'today' }],
      },
    },
    style: 'primary',
    confirm,
    accessibility_label: 'Start the workflow',
  },
  feedback_buttons: {
    type: 'feedback_buttons',
    action_id: 'act',
    positive_button: feedback,
    negative_button: feedback,
  },
  icon_button: iconButton(),
  image: image,
  plain_text: plain(),
  mrkdwn: mrkdwn(),
} satisfies Record<string, UnknownObject>

export type ElementType = keyof typeof elements

export const section = (more: UnknownObject = {}) => ({ type: 'section', text: mrkdwn(), ...more })
export const actions = (...inside: unknown[]) => ({ type: 'actions', elements: inside })
export const input = (element: unknown, more: UnknownObject = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...more,
})
export const context = (...inside: unknown[]) => ({ type: 'context', elements: inside })

export const rawText = (text = 'Cell') => ({ type: 'raw_text', text })
export const rawNumber = (value = 5) => ({ type: 'raw_number', value, text: String(value) })
/** Cells with so many characters in all. */
export const cells = (characters: number) =>
  createMany(Math.ceil(characters / 5000), (number) =>
    rawText('x'.repeat(Math.min(5000, characters - 5000 * (number - 1)))),
  )
export const table = (...rows: unknown[]) => ({ type: 'table', rows })
export const dataTable = (...rows: unknown[]) => ({ type: 'data_table', caption: 'Sales', rows })
export const row = (cells = 2) => createMany(cells, (number) => rawText(`Cell ${number}`))

export const card = (number = 1) => ({
  type: 'card',
  block_id: `card-${number}`,
  hero_image: image,
  icon: image,
  title: plain('Title'),
  subtitle: mrkdwn('Subtitle'),
  body: mrkdwn('Body'),
  subtext: plain('Subtext'),
  actions: [button(1), button(2)],
})
export const task = (number = 1) => ({
  type: 'task_card',
  block_id: `task-${number}`,
  task_id: `t${number}`,
  title: 'Look it up',
  hide_title: true,
  status: 'in_progress',
  details: { ...richText, block_id: `details-${number}` },
  output: { ...richText, block_id: `output-${number}` },
  sources: [{ type: 'url', url: 'https://example.com/source', text: 'Source' }],
})

/** A block of each kind with all its fields, wherever it may stand. */
export const blocks = {
  actions: { type: 'actions', block_id: 'block', elements: [button(1), button(2)] },
  alert: { type: 'alert', block_id: 'block', text: mrkdwn('Mind the gap'), level: 'warning' },
  card: card(),
  carousel: { type: 'carousel', block_id: 'block', elements: [card(1), card(2)] },
  container: {
    type: 'container',
    block_id: 'block',
    title: plain('Title'),
    rich_text_title: { ...richText, block_id: 'rich title' },
    subtitle: mrkdwn('Subtitle'),
    icon: image,
    width: 'wide',
    is_collapsible: true,
    default_collapsed: false,
    has_header_divider: true,
    child_blocks: [{ type: 'divider' }, section()],
  },
  context: { type: 'context', block_id: 'block', elements: [image, plain()] },
  context_actions: {
    type: 'context_actions',
    block_id: 'block',
    elements: [elements.feedback_buttons, iconButton()],
  },
  data_table: {
    type: 'data_table',
    block_id: 'block',
    caption: 'Sales',
    rows: [row(), [rawText(), rawNumber()]],
    page_size: 5,
    row_header_column_index: 0,
  },
  divider: { type: 'divider', block_id: 'block' },
  header: { type: 'header', block_id: 'block', text: plain('Title'), level: 2 },
  image: { ...image, block_id: 'block', title: plain('Cat') },
  input: {
    type: 'input',
    block_id: 'block',
    label: plain('Label'),
    element: elements.plain_text_input,
    hint: plain('Hint'),
    optional: true,
    dispatch_action: true,
  },
  markdown: { type: 'markdown', block_id: 'block', text: '**Text**' },
  plan: { type: 'plan', block_id: 'block', title: 'The plan', tasks: [task(1), task(2)] },
  rich_text: richText,
  section: {
    type: 'section',
    block_id: 'block',
    text: mrkdwn(),
    fields: [plain(), mrkdwn()],
    accessory: button(),
    expand: true,
  },
  table: {
    type: 'table',
    block_id: 'block',
    rows: [row(), [rawText(), richText]],
    column_settings: [null, { align: 'right', is_wrapped: true }],
  },
  task_card: task(),
  video: {
    type: 'video',
    block_id: 'block',
    alt_text: 'A film',
    title: plain('Film'),
    thumbnail_url: 'https://example.com/film.png',
    video_url: 'https://example.com/film',
    title_url: 'https://example.com/about',
    author_name: 'Ann',
    provider_name: 'Films',
    provider_icon_url: 'https://example.com/icon.png',
    description: plain('About a cat'),
  },
} satisfies Record<string, UnknownObject>

export type BlockType = keyof typeof blocks
