import {
  blocks,
  button,
  cells,
  context,
  dataTable,
  elements,
  image,
  mrkdwn,
  option,
  plain,
  rawText,
  richText,
  row,
  section,
  slackFileImage,
  table,
  type UnknownObject,
} from './samples.ts'
import { anyMessageAt, type Case, messageAt } from './validate.ts'

const inSection = (accessory: unknown) => [section({ accessory })]
const accessory = '/blocks/0/accessory'
const divider = (block_id: string) => ({ type: 'divider', block_id })
const imageBlock = (more: UnknownObject) => ({ type: 'image', alt_text: 'Cat', ...more })
const slackFile = (slack_file: UnknownObject) => [imageBlock({ slack_file })]
const video = (more: UnknownObject) => [{ ...blocks.video, ...more }]
const markdown = (characters: number) => ({ type: 'markdown', text: 'x'.repeat(characters) })
const cardOf = (more: UnknownObject) => [{ type: 'card', ...more }]
const star = { type: 'icon', name: 'star' }
const container = (more: UnknownObject) => [
  { type: 'container', child_blocks: [{ type: 'divider' }], ...more },
]

/** For each rule of blocks, what breaks that rule alone. */
export const brokenBlocks: Record<string, Case[]> = {
  'a section has text or fields': [
    [
      'has neither',
      [section()],
      [{ type: 'section' }],
      messageAt('must define either `text` or `fields`', '/blocks/0/type'),
    ],
    [
      'has an accessory alone',
      [{ type: 'section', fields: [plain()], accessory: image }],
      [{ type: 'section', accessory: image }],
      messageAt('must define either `text` or `fields`', '/blocks/0/type'),
    ],
  ],
  'block_ids are unique': [
    ['is given twice', [divider('a'), divider('b')], [divider('a'), divider('a')], anyMessageAt('/blocks/1')],
    [
      'is given twice in a modal',
      [divider('a'), divider('b')],
      [divider('a'), divider('a')],
      anyMessageAt('/view/blocks/1'),
      'modal',
    ],
  ],
  'URLs are valid': [
    [
      'is none, of a button',
      inSection(button()),
      inSection({ ...button(), url: 'no address' }),
      messageAt('invalid url', `${accessory}/url`),
    ],
    [
      'has no protocol, of a button',
      inSection({ ...button(), url: 'https://example.com' }),
      inSection({ ...button(), url: 'example.com' }),
      messageAt('invalid url', `${accessory}/url`),
    ],
    [
      'leads nowhere, of a button',
      inSection({ ...button(), url: 'https://example.com' }),
      inSection({ ...button(), url: 'https://' }),
      messageAt('invalid url', `${accessory}/url`),
    ],
    [
      'is none, of an option',
      inSection(elements.overflow),
      inSection({ ...elements.overflow, options: [{ ...option(1), url: 'no address' }] }),
      messageAt('invalid url', `${accessory}/options/0/url`),
    ],
    [
      'is none, of an image',
      [image],
      [{ ...image, image_url: 'no address' }],
      anyMessageAt('/blocks/0/image_url'),
    ],
    ...['video_url', 'thumbnail_url', 'title_url'].map(
      (key): Case => [
        `is none, of a video (${key})`,
        video({ [key]: 'https://example.com/other' }),
        video({ [key]: 'no address' }),
        anyMessageAt(`/blocks/0/${key}`),
      ],
    ),
    ...['video_url', 'title_url'].map(
      (key): Case => [
        `is not safe, of a video (${key})`,
        video({ [key]: 'https://example.com/other' }),
        video({ [key]: 'http://example.com/other' }),
        anyMessageAt(`/blocks/0/${key}`),
      ],
    ),
  ],
  'an image has exactly one source': [
    [
      'comes from none',
      [imageBlock({ image_url: 'https://example.com/cat.png' })],
      [imageBlock({})],
      anyMessageAt('/blocks/0'),
    ],
    [
      'comes from two',
      [slackFileImage],
      [{ ...slackFileImage, image_url: 'https://example.com/cat.png' }],
      anyMessageAt('/blocks/0'),
    ],
    [
      'comes from none in a context',
      [context(plain(), image)],
      [context(plain(), imageBlock({}))],
      anyMessageAt('/blocks/0/elements/1'),
    ],
    [
      'comes from two beside a section',
      inSection(slackFileImage),
      inSection({ ...slackFileImage, image_url: 'https://example.com/cat.png' }),
      anyMessageAt(accessory),
    ],
    [
      'comes from none on a card',
      cardOf({ title: plain(), icon: image }),
      cardOf({ title: plain(), icon: imageBlock({}) }),
      anyMessageAt('/blocks/0/icon'),
    ],
  ],
  'a slack_file has either an id or a url': [
    [
      'is named by neither',
      slackFile({ url: 'https://files.slack.com/files-pri/T1-F1/cat.png' }),
      slackFile({}),
      anyMessageAt('/blocks/0'),
    ],
    [
      'is named by both',
      slackFile({ id: 'F012345678' }),
      slackFile({ id: 'F012345678', url: 'https://files.slack.com/files-pri/T1-F1/cat.png' }),
      anyMessageAt('/blocks/0'),
    ],
  ],
  'a message has at most one table': [
    ['has two', [table(row())], [table(row()), table(row())], 'only_one_table_allowed'],
    [
      'has two, one of them in a container',
      [{ type: 'divider' }, ...container({ title: plain(), child_blocks: [table(row())] })],
      [table(row()), ...container({ title: plain(), child_blocks: [table(row())] })],
      'only_one_table_allowed',
    ],
    [
      'has two, both in markdown',
      [{ type: 'markdown', text: '| a | b |\n|---|---|\n| 1 | 2 |' }],
      [
        {
          type: 'markdown',
          text: '| a | b |\n|---|---|\n| 1 | 2 |\n\nand\n\n| a | b |\n|---|---|\n| 1 | 2 |',
        },
      ],
      'only_one_table_allowed',
    ],
  ],
  'a table has at most 10,000 characters': [
    [
      'is one longer',
      [table(cells(10_000))],
      [table([...cells(10_000), rawText('x')])],
      anyMessageAt('/blocks/0'),
    ],
    [
      'is one emoji longer',
      [table([rawText('🎉'.repeat(10_000))])],
      [table([rawText('🎉'.repeat(10_000)), rawText('🎉')])],
      anyMessageAt('/blocks/0'),
    ],
    [
      'is one longer with rich text',
      [table([...cells(9995), richText])],
      [table([...cells(9996), richText])],
      anyMessageAt('/blocks/0'),
    ],
    [
      'is one longer in a container',
      container({ title: plain(), child_blocks: [table(cells(10_000))] }),
      container({ title: plain(), child_blocks: [table([...cells(10_000), rawText('x')])] }),
      anyMessageAt('/blocks/0'),
    ],
  ],
  'the rows of a data table have equal lengths': [
    ['are not', [dataTable(row(3), row(3))], [dataTable(row(3), row(2))], anyMessageAt('/blocks/0')],
  ],
  'all Markdown together has at most 12,000 characters': [
    [
      'is one longer in two blocks',
      [markdown(6000), { type: 'divider' }, markdown(6000)],
      [markdown(6000), { type: 'divider' }, markdown(6001)],
      anyMessageAt('/blocks/'),
    ],
    [
      'is one emoji longer',
      [markdown(6000), { type: 'markdown', text: '🎉'.repeat(6000) }],
      [markdown(6001), { type: 'markdown', text: '🎉'.repeat(6000) }],
      anyMessageAt('/blocks/'),
    ],
  ],
  'a card has some content': [
    ...Object.entries({ hero_image: image, title: plain(), body: mrkdwn(), actions: [button()] }).map(
      ([key, value]): Case => [
        `lacks its ${key} and all else`,
        cardOf({ [key]: value, subtitle: plain(), subtext: plain(), icon: image }),
        cardOf({ subtitle: plain(), subtext: plain(), icon: image }),
        anyMessageAt('/blocks/0'),
      ],
    ),
    [
      'has an icon of its own and one of Slack',
      cardOf({ title: plain(), slack_icon: star }),
      cardOf({ title: plain(), slack_icon: star, icon: image }),
      anyMessageAt('/blocks/0'),
    ],
    [
      'shows nothing in a carousel',
      [{ type: 'carousel', elements: cardOf({ title: plain() }) }],
      [{ type: 'carousel', elements: cardOf({ subtitle: plain() }) }],
      anyMessageAt('/blocks/0/elements/0'),
    ],
  ],
  'a container has a title': [
    ['has none', container({ title: plain() }), container({}), anyMessageAt('/blocks/0')],
    [
      'has none in rich text',
      container({ rich_text_title: richText }),
      container({}),
      anyMessageAt('/blocks/0'),
    ],
  ],

  'only a collapsible container can be collapsed by default': [
    [
      'cannot be',
      container({ title: plain(), is_collapsible: true, default_collapsed: true }),
      container({ title: plain(), default_collapsed: true }),
      messageAt('must define `is_collapsible`', '/blocks/0/default_collapsed'),
    ],
  ],
  'a task card outside a plan does not have the status "pending"': [
    [
      'is pending alone',
      [{ type: 'plan', title: 'Plan', tasks: [{ task_id: '1', title: 'One', status: 'pending' }] }],
      [{ ...blocks.task_card, status: 'pending' }],
      messageAt('must be a valid enum value', '/blocks/0/status'),
    ],
  ],
  'the header row of a data table has no rich text': [
    [
      'has a rich text in it',
      [dataTable(row(1), [richText])],
      [dataTable([richText], row(1))],
      messageAt('unsupported type: rich_text', '/blocks/0/rows/0'),
    ],
  ],
  'a data table has at most 20,000 characters': [
    [
      'is one longer',
      [dataTable([rawText('x'.repeat(4))], [rawText('x'.repeat(19_996))])],
      [dataTable([rawText('x'.repeat(5))], [rawText('x'.repeat(19_996))])],
      messageAt('must be less than 20001 characters', '/view/blocks/0/rows'),
      'home',
    ],
  ],
}
