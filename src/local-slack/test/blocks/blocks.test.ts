import { describe, expect, it } from 'vitest'
import { button, id, image, richTextKind } from './composition-objects.ts'
import {
  anyText,
  anything,
  conditional,
  type Fields,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  plain,
  reportedTwice,
  required,
  string,
  testFields,
  typed,
  url,
} from './fields.ts'
import {
  blocks,
  button as buttonSample,
  card,
  iconButton,
  image as pictureSample,
  rawNumber,
  rawText,
  row,
  task,
  type UnknownObject,
} from './samples.ts'
import { among, type Position, VALID, validate } from './validate.ts'

// The fields of each block with their limits, as Slack's pages have them.
// https://docs.slack.dev/reference/block-kit/blocks

const inMessage = among('message', '/0', (part) => [part])
const inModal = among('modal', '/0', (part) => [part])

const block_id = id
const filled = string(undefined, { min: 1 })
const pictureKind = object(image)

const cardFields: Fields = {
  block_id,
  hero_image: optional(pictureKind),
  icon: optional(pictureKind),
  title: optional(anyText(150)),
  subtitle: optional(anyText(150)),
  body: optional(anyText(200)),
  subtext: optional(anyText(200)),
  actions: optional(list({ max: 2, make: buttonSample, item: object(button) })),
}

const states = ['in_progress', 'complete', 'error']
const taskFields: Fields = {
  block_id,
  task_id: required(filled),
  title: required(filled),
  hide_title: optional(flag),
  status: optional(oneOf(...states)),
  details: optional(richTextKind),
  output: optional(richTextKind),
  sources: optional(list({ item: object({ url: required(url(3000)), text: required(string()) }) })),
}

const rawTextCell = typed({ text: required(filled) })
const rawNumberCell = typed({ value: required(number), text: required(filled) })

const containerFields: Fields = {
  block_id,
  title: conditional(plain(150)),
  rich_text_title: conditional(richTextKind),
  subtitle: optional(anyText(150)),
  icon: optional(pictureKind),
  width: optional(oneOf('narrow', 'standard', 'wide', 'full')),
  is_collapsible: conditional(flag),
  default_collapsed: optional(flag),
  has_header_divider: optional(flag),
  child_blocks: required(list({ min: 1, max: 10, make: () => ({ type: 'divider' }) })),
}
const tableFields = (cell: typeof rawTextCell): Fields => ({
  block_id,
  rows: required(
    list({
      min: 1,
      max: 100,
      make: () => row(),
      item: list({ min: 1, max: 20, make: () => rawText(), item: cell }),
    }),
  ),
  column_settings: optional(
    list({
      max: 20,
      make: () => null,
      item: (valid) =>
        object({ align: optional(oneOf('left', 'center', 'right')), is_wrapped: optional(flag) })(
          valid,
        ).filter(({ value }) => value !== null),
    }),
  ),
})
const dataTableFields: Fields = {
  block_id,
  caption: required(filled),
  rows: required(list({ min: 2, max: 201, make: () => row(), item: list({ item: rawNumberCell }) })),
  page_size: optional(integer({ min: 1, max: 100 })),
  row_header_column_index: optional(integer({ min: 0 })),
}

const table: [what: string, part: UnknownObject, place: Position, fields: Fields][] = [
  [
    'an actions block',
    blocks.actions,
    inMessage,
    { block_id, elements: required(list({ min: 1, max: 25, make: buttonSample, item: typed(button) })) },
  ],
  [
    'an alert',
    blocks.alert,
    inModal,
    {
      block_id,
      text: required(anyText(200)),
      level: optional(oneOf('default', 'info', 'warning', 'error', 'success')),
    },
  ],
  ['a card', blocks.card, inMessage, cardFields],
  [
    'a carousel',
    blocks.carousel,
    inMessage,
    { block_id, elements: required(list({ min: 1, max: 10, make: card, item: object(cardFields) })) },
  ],
  ['a container', blocks.container, inMessage, containerFields],
  [
    'a context block',
    { ...blocks.context, elements: [{ type: 'plain_text', text: 'Text', emoji: true }, pictureSample] },
    inMessage,
    {
      block_id,
      elements: required(list({ min: 1, max: 10, make: () => pictureSample, item: typed(image) })),
    },
  ],
  [
    'a context block of texts',
    blocks.context,
    inMessage,
    { block_id, elements: required(list({ item: anyText(3000) })) },
  ],
  [
    'a block of context actions',
    blocks.context_actions,
    inMessage,
    { block_id, elements: required(list({ min: 1, max: 5, make: iconButton })) },
  ],
  ['a data table', blocks.data_table, inMessage, dataTableFields],
  ['a divider', blocks.divider, inMessage, { block_id }],
  [
    'a header',
    blocks.header,
    inMessage,
    { block_id, text: required(plain(150)), level: optional(integer({ min: 1, max: 4 })) },
  ],
  ['an image block', blocks.image, inMessage, { block_id, ...image, title: optional(plain(2000)) }],
  [
    'an input block',
    blocks.input,
    inModal,
    {
      block_id,
      label: required(plain(2000)),
      element: required(anything),
      hint: optional(plain(2000)),
      optional: optional(flag),
      dispatch_action: optional(flag),
    },
  ],
  ['a markdown block', blocks.markdown, inMessage, { block_id, text: required(string(12_000, { min: 1 })) }],
  [
    'a plan',
    blocks.plan,
    inMessage,
    {
      block_id,
      title: required(filled),
      tasks: optional(
        list({
          make: task,
          item: object({
            ...taskFields,
            type: optional(anything),
            status: optional(oneOf('pending', ...states)),
          }),
        }),
      ),
    },
  ],
  [
    'a section',
    blocks.section,
    inMessage,
    {
      block_id,
      text: optional(reportedTwice(anyText(3000))),
      fields: optional(
        list({ min: 1, max: 10, make: () => ({ type: 'mrkdwn', text: 'x' }), item: anyText(2000) }),
      ),
      accessory: optional(typed(button)),
      expand: optional(flag),
    },
  ],
  ['a table', { ...blocks.table, rows: [row(), row()] }, inMessage, tableFields(rawTextCell)],
  [
    'a table of numbers',
    { ...blocks.table, rows: [[rawNumber(), rawNumber()]] },
    inMessage,
    tableFields(rawNumberCell),
  ],
  ['a task card', blocks.task_card, inMessage, taskFields],
  [
    'a video',
    blocks.video,
    inMessage,
    {
      block_id,
      alt_text: required(string()),
      title: required(plain(199)),
      thumbnail_url: required(string()),
      video_url: required(string()),
      title_url: optional(string()),
      author_name: optional(string(49)),
      provider_name: optional(string()),
      provider_icon_url: optional(string()),
      description: optional(plain(199)),
    },
  ],
]

describe.each(table)('%s', (_what, part, place, fields) => {
  testFields(part, typed(fields)(part), place)
})

describe('plan', () => {
  it('accepts any status of a plan', () => {
    expect(validate('message', [{ ...blocks.plan, status: 'in_progress' }])).toEqual(VALID)
  })
})

describe('task_card', () => {
  const withIcon = (icon: unknown) => [{ ...blocks.task_card, icon }]

  it('accepts a Slack icon in a task card', () => {
    expect(validate('message', withIcon({ type: 'icon', name: 'globe' }))).toEqual(VALID)
  })
})

describe('Slack icons', () => {
  const slack_icon = { type: 'icon', name: 'star' }
  const { icon: _, ...rest } = blocks.card
  const whole = { ...rest, slack_icon }
  const kind = object({ type: required(anything), name: required(anything) })
  testFields(
    whole,
    kind(slack_icon).map((fieldCase) => ({ ...fieldCase, value: { ...whole, slack_icon: fieldCase.value } })),
    { ...inMessage, at: '/blocks/0/slack_icon' },
  )
})
