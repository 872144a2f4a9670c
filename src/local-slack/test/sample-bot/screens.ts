import type { HomeView, KnownBlock, ModalView, PlainTextElement, PlainTextOption } from '@slack/types'

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text })
const option = (text: string): PlainTextOption => ({ text: plain(text), value: text.toLowerCase() })

const ROOMS = ['Attic', 'Aquarium', 'Cellar', 'Garden', 'Library']

export const rooms = (typed: string) =>
  ROOMS.filter((name) => name.toLowerCase().includes(typed.toLowerCase())).map(option)

export const bookingForm = ({ channel = '', title = '' }): ModalView => ({
  type: 'modal',
  callback_id: 'book',
  notify_on_close: true,
  private_metadata: channel,
  title: plain('Book a room'),
  submit: plain('Book'),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'input',
      block_id: 'Title',
      label: plain('What for'),
      hint: plain('Others read this on the door.'),
      element: {
        type: 'plain_text_input',
        action_id: 'value',
        max_length: 40,
        ...(title && { initial_value: title.slice(0, 40) }),
      },
    },
    {
      type: 'input',
      block_id: 'Room',
      label: plain('Room'),
      element: {
        type: 'external_select',
        action_id: 'room',
        min_query_length: 1,
        placeholder: plain('Which one'),
      },
    },
    {
      type: 'input',
      block_id: 'When',
      label: plain('When'),
      optional: true,
      element: { type: 'datetimepicker', action_id: 'value' },
    },
    {
      type: 'input',
      block_id: 'Guests',
      label: plain('Guests'),
      optional: true,
      element: { type: 'multi_users_select', action_id: 'value' },
    },
    {
      type: 'input',
      block_id: 'Plan',
      label: plain('Floor plan'),
      optional: true,
      element: { type: 'file_input', action_id: 'value', filetypes: ['png', 'pdf'], max_files: 2 },
    },
  ],
})

const ask = (block_id: string, element: object, more: object = {}): KnownBlock =>
  ({
    type: 'input',
    block_id,
    label: plain(block_id),
    element: { action_id: 'value', ...element },
    ...more,
  }) as KnownBlock

/** One input of each kind. The town is looked up as soon as it is entered. */
export const everyInput = (found = ''): ModalView => ({
  type: 'modal',
  callback_id: 'every',
  title: plain('One of each'),
  submit: plain('Send'),
  blocks: [
    ask('Town', { type: 'plain_text_input', action_id: 'town' }, { dispatch_action: true }),
    ...(found ? [{ type: 'context' as const, elements: [plain(found)] }] : []),
    ask('Story', { type: 'plain_text_input', multiline: true, initial_value: 'Once' }),
    ask('Mail', { type: 'email_text_input' }),
    ask('Address', { type: 'url_text_input' }),
    ask('Amount', { type: 'number_input', is_decimal_allowed: true, min_value: '1' }),
    ask('Rich', { type: 'rich_text_input' }, { optional: true }),
    ask('Ticks', { type: 'checkboxes', options: ROOMS.map(option) }),
    ask('Radio', { type: 'radio_buttons', options: ROOMS.map(option) }),
    ask('Floor', {
      type: 'static_select',
      option_groups: [{ label: plain('Upstairs'), options: ['First', 'Second'].map(option) }],
    }),
    ask('Tags', { type: 'multi_static_select', options: ROOMS.map(option), max_selected_items: 2 }),
    ask('Who', { type: 'users_select' }),
    ask('Channel', { type: 'channels_select' }),
    ask('Where', { type: 'multi_conversations_select' }),
    ask('Day', { type: 'datepicker' }),
    ask('Time', { type: 'timepicker' }),
  ],
})

export const homeOf = (count: number): HomeView => ({
  type: 'home',
  blocks: [
    { type: 'header', text: plain('Rooms') },
    { type: 'section', block_id: 'counted', text: { type: 'mrkdwn', text: `Pressed *${count}* times` } },
    { type: 'actions', elements: [{ type: 'button', action_id: 'count', text: plain('Press me') }] },
  ],
})

const now = 1_795_000_000

/** A message with all that can stand in one. */
export const showcase = (): KnownBlock[] => [
  { type: 'header', text: plain('All that there is :tada:') },
  {
    type: 'section',
    text: {
      type: 'mrkdwn',
      text: `*Bold*, _italic_, ~gone~, \`code\` and <https://example.com|a link>.\n&gt; Quoted\nDue <!date^${now}^{date_long} at {time}|some day> :rocket:`,
    },
    accessory: {
      type: 'overflow',
      action_id: 'more',
      options: [option('Edit'), option('Remove')],
    },
  },
  {
    type: 'section',
    fields: [
      { type: 'mrkdwn', text: '*Platform*\nLinkedIn' },
      { type: 'mrkdwn', text: '*Status*\nScheduled' },
    ],
  },
  { type: 'divider' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'A list, ' },
          { type: 'text', text: 'richly', style: { bold: true } },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'first' }] },
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'second' }] },
        ],
      },
    ],
  },
  {
    type: 'table',
    rows: [
      [
        { type: 'raw_text', text: 'Day' },
        { type: 'raw_text', text: 'Posts' },
      ],
      [
        { type: 'raw_text', text: 'Monday' },
        { type: 'raw_text', text: '3' },
      ],
    ],
  },
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'yes', style: 'primary', text: plain('Yes'), value: 'yes' },
      {
        type: 'button',
        action_id: 'delete',
        style: 'danger',
        text: plain('Delete'),
        confirm: {
          title: plain('Delete it?'),
          text: plain('This cannot be undone.'),
          confirm: plain('Delete'),
          deny: plain('Keep'),
        },
      },
      {
        type: 'static_select',
        action_id: 'pick',
        placeholder: plain('Pick a room'),
        options: ROOMS.map(option),
      },
      { type: 'datepicker', action_id: 'day', initial_date: '2026-11-27' },
    ],
  },
  { type: 'context', elements: [{ type: 'mrkdwn', text: 'Shown by the sample bot' }] },
]
