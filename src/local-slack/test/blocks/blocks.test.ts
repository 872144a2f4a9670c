import { describe, expect, it } from 'vitest'
import { button, id, picture, richTextKind } from './composed.ts'
import {
  anyText,
  anything,
  type Fields,
  flag,
  heldTwice,
  integer,
  list,
  number,
  object,
  oneOf,
  oneOfSeveral,
  optional,
  plain,
  required,
  string,
  tryEach,
  typed,
  url,
} from './fields.ts'
import { among, type Place } from './places.ts'
import {
  blocks,
  button as buttonSample,
  card,
  iconButton,
  type Part,
  picture as pictureSample,
  rawNumber,
  rawText,
  row,
  task,
} from './samples.ts'
import { judged, passed } from './validate.ts'

// The fields of each block with their limits, as Slack's pages have them.
// https://docs.slack.dev/reference/block-kit/blocks

const inMessage = among('message', '/0', (part) => [part])
const inModal = among('modal', '/0', (part) => [part])
const onHome = among('home', '/0', (part) => [part])

const block_id = id
const filled = string(undefined, { least: 1 })
const pictureKind = object(picture)

const cardFields: Fields = {
  block_id,
  hero_image: optional(pictureKind),
  icon: optional(pictureKind),
  title: optional(anyText(150)),
  subtitle: optional(anyText(150)),
  body: optional(anyText(200)),
  subtext: optional(anyText(200)),
  actions: optional(list({ most: 3, make: buttonSample, item: object(button) })),
}

const states = ['in_progress', 'complete', 'error']
const taskFields: Fields = {
  block_id,
  task_id: required(filled),
  title: required(filled),
  status: optional(oneOf(...states)),
  details: optional(richTextKind),
  output: optional(richTextKind),
  sources: optional(list({ item: object({ url: required(url(3000)), text: required(string()) }) })),
}

const rawTextCell = typed({ text: required(filled) })
const rawNumberCell = typed({ value: required(number), text: required(filled) })

const containerFields: Fields = {
  block_id,
  title: oneOfSeveral(plain(150)),
  rich_text_title: oneOfSeveral(richTextKind),
  subtitle: optional(anyText(150)),
  icon: optional(pictureKind),
  width: optional(oneOf('narrow', 'standard', 'wide', 'full')),
  is_collapsible: oneOfSeveral(flag),
  default_collapsed: optional(flag),
  has_header_divider: optional(flag),
  child_blocks: required(list({ least: 1, most: 10, make: () => ({ type: 'divider' }) })),
}
const tableFields = (cell: typeof rawTextCell): Fields => ({
  block_id,
  rows: required(
    list({
      least: 1,
      most: 100,
      make: () => row(),
      item: list({ least: 1, most: 20, make: () => rawText(), item: cell }),
    }),
  ),
  column_settings: optional(
    list({
      most: 20,
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
  rows: required(list({ least: 2, most: 201, make: () => row(), item: list({ item: rawNumberCell }) })),
  page_size: optional(integer({ least: 1, most: 100 })),
  row_header_column_index: optional(integer({ least: 0 })),
}

const table: [what: string, part: Part, place: Place, fields: Fields][] = [
  [
    'an actions block',
    blocks.actions,
    inMessage,
    { block_id, elements: required(list({ least: 1, most: 25, make: buttonSample, item: typed(button) })) },
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
    { block_id, elements: required(list({ least: 1, most: 10, make: card, item: object(cardFields) })) },
  ],
  ['a container', blocks.container, inMessage, containerFields],
  ['a container on a Home tab', blocks.container, onHome, containerFields],
  [
    'a context block',
    { ...blocks.context, elements: [{ type: 'plain_text', text: 'Text', emoji: true }, pictureSample] },
    inMessage,
    {
      block_id,
      elements: required(list({ least: 1, most: 10, make: () => pictureSample, item: typed(picture) })),
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
    { block_id, elements: required(list({ least: 1, most: 5, make: iconButton })) },
  ],
  ['a data table', blocks.data_table, inMessage, dataTableFields],
  ['a divider', blocks.divider, inMessage, { block_id }],
  [
    'a header',
    blocks.header,
    inMessage,
    { block_id, text: required(plain(150)), level: optional(integer({ least: 1, most: 4 })) },
  ],
  ['an image block', blocks.image, inMessage, { block_id, ...picture, title: optional(plain(2000)) }],
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
  [
    'a markdown block',
    blocks.markdown,
    inMessage,
    { block_id, text: required(string(12_000, { least: 1 })) },
  ],
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
      text: optional(heldTwice(anyText(3000))),
      fields: optional(
        list({ least: 1, most: 10, make: () => ({ type: 'mrkdwn', text: 'x' }), item: anyText(2000) }),
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
  tryEach(part, typed(fields)(part), place)
})

describe('a plan', () => {
  it('may have a status, which nobody looks at', () => {
    expect(judged('message', [{ ...blocks.plan, status: 'in_progress' }])).toEqual(passed)
  })
})

describe('a task card', () => {
  const withIcon = (icon: unknown) => [{ ...blocks.task_card, icon }]

  it('may have an icon of Slack', () => {
    expect(judged('message', withIcon({ type: 'icon', name: 'globe' }))).toEqual(passed)
  })
})

describe('an icon of Slack', () => {
  const slack_icon = { type: 'icon', name: 'star' }
  const { icon: _, ...rest } = blocks.card
  const whole = { ...rest, slack_icon }
  const kind = object({ type: required(anything), name: required(anything) })
  tryEach(
    whole,
    kind(slack_icon).map((trial) => ({ ...trial, value: { ...whole, slack_icon: trial.value } })),
    { ...inMessage, at: '/blocks/0/slack_icon' },
  )
})
