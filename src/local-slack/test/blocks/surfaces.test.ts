import { describe, expect, it } from 'vitest'
import {
  actions,
  type BlockType,
  blocks,
  button,
  context,
  type ElementType,
  elements,
  input,
  section,
  type UnknownObject,
} from './samples.ts'
import { anyMessageAt, invalid, messageAt, rootPointer, type Surface, VALID, validate } from './validate.ts'

// What may stand where, as Slack's pages have it.
// https://docs.slack.dev/reference/block-kit/blocks
// https://docs.slack.dev/reference/block-kit/block-elements

const surfaces: Surface[] = ['message', 'modal', 'home']
const everywhere = surfaces
const nowhere: Surface[] = []

const remoteFile = { type: 'file', external_id: 'f1', source: 'remote' }
const everyBlock = { ...blocks, file: remoteFile }

const blocksOn: Record<BlockType | 'file', Surface[]> = {
  actions: everywhere,
  alert: ['modal'],
  card: everywhere,
  carousel: ['message', 'home'],
  container: ['message'],
  context: everywhere,
  context_actions: ['message'],
  data_table: ['message', 'home'],
  divider: everywhere,
  file: nowhere, // Slack makes it of a file's permalink; no app posts one.
  header: everywhere,
  image: everywhere,
  input: everywhere,
  markdown: ['message'],
  plan: ['message'],
  rich_text: everywhere,
  section: everywhere,
  table: ['message'],
  task_card: ['message'],
  video: everywhere,
}

const called = { message: 'a message', modal: 'a modal', home: 'a Home tab' }

const pairs = Object.entries(blocksOn).flatMap(([type, on]) =>
  surfaces.map((surface) => ({ type, surface, may: on.includes(surface), where: called[surface] })),
)

const blockOf = (type: string) => everyBlock[type as keyof typeof everyBlock]

describe('blocks', () => {
  it.each(pairs.filter(({ may }) => may))('allows $type in $where', ({ type, surface }) => {
    expect(validate(surface, [blockOf(type)])).toEqual(VALID)
  })

  it.each(pairs.filter(({ may }) => !may))('rejects $type in $where', ({ type, surface }) => {
    const at = `${rootPointer(surface)}/1/type`
    const message = messageAt(`unsupported type: ${type}`, at)
    expect(validate(surface, [{ type: 'divider' }, blockOf(type)])).toEqual(invalid(surface, [message]))
  })

  it.each(surfaces)('rejects an unknown type (%s)', (surface) => {
    expect(validate(surface, [{ type: 'sandwich' }])).toEqual(
      invalid(surface, [messageAt('unsupported type: sandwich', `${rootPointer(surface)}/0/type`)]),
    )
  })

  it('reports every unsupported block', () => {
    expect(validate('modal', [blocks.table, { type: 'divider' }, blocks.markdown, blocks.section])).toEqual(
      invalid('modal', [
        messageAt('unsupported type: table', '/view/blocks/0/type'),
        messageAt('unsupported type: markdown', '/view/blocks/2/type'),
      ]),
    )
  })
})

const inContainer: Record<BlockType, boolean> = {
  actions: true,
  alert: false,
  card: false,
  carousel: false,
  container: false,
  context: true,
  context_actions: false,
  data_table: false,
  divider: true,
  header: true,
  image: true,
  input: true,
  markdown: false,
  plan: false,
  rich_text: true,
  section: true,
  table: true,
  task_card: false,
  video: true,
}

describe('a container', () => {
  const around = (child: UnknownObject) => [
    { ...blocks.container, child_blocks: [{ ...child, block_id: 'child' }] },
  ]
  const cases = Object.entries(inContainer)

  it.each(cases.filter(([, may]) => may))('allows %s in a container', (type) => {
    expect(validate('message', around(blockOf(type)))).toEqual(VALID)
  })

  it.each(cases.filter(([, may]) => !may))('rejects %s in a container', (type) => {
    expect(validate('message', around(blockOf(type)))).toEqual(
      invalid('message', [messageAt(`unsupported type: ${type}`, '/blocks/0/child_blocks/0/type')]),
    )
  })
})

type Holder = 'section' | 'actions' | 'input' | 'context' | 'context_actions'

/** An element that is not named with a block never stands in it. */
const findElements: Record<ElementType, Partial<Record<Holder, Surface[]>>> = {
  button: { section: everywhere, actions: everywhere },
  overflow: { section: everywhere, actions: everywhere },
  checkboxes: { section: everywhere, actions: everywhere, input: everywhere },
  radio_buttons: { section: everywhere, actions: everywhere, input: everywhere },
  static_select: { section: everywhere, actions: everywhere, input: everywhere },
  external_select: { section: everywhere, actions: everywhere, input: everywhere },
  users_select: { section: everywhere, actions: everywhere, input: everywhere },
  conversations_select: { section: everywhere, actions: everywhere, input: everywhere },
  channels_select: { section: everywhere, actions: everywhere, input: everywhere },
  // Bots that put a multi-select into the actions of a view have met refusals; the pages allow it anywhere.
  multi_static_select: { section: everywhere, actions: ['message'], input: everywhere },
  multi_external_select: { section: everywhere, actions: ['message'], input: everywhere },
  multi_users_select: { section: everywhere, actions: ['message'], input: everywhere },
  multi_conversations_select: { section: everywhere, actions: ['message'], input: everywhere },
  multi_channels_select: { section: everywhere, actions: ['message'], input: everywhere },
  datepicker: { section: everywhere, actions: everywhere, input: everywhere },
  timepicker: { section: everywhere, actions: everywhere, input: everywhere },
  datetimepicker: { actions: ['message', 'modal'], input: ['message', 'modal'] },
  plain_text_input: { input: everywhere },
  email_text_input: { input: ['modal'] },
  url_text_input: { input: ['modal'] },
  number_input: { input: ['modal'] },
  rich_text_input: { actions: ['modal', 'home'], input: ['modal', 'home'] },
  file_input: { input: ['modal'] },
  workflow_button: { section: ['message'], actions: ['message'] },
  feedback_buttons: { context_actions: ['message'] },
  icon_button: { context_actions: ['message'] },
  image: { section: everywhere, context: everywhere },
  plain_text: { context: everywhere },
  mrkdwn: { context: everywhere },
}

const holders: Record<Holder, { at: string; put: (element: unknown) => UnknownObject; on: Surface[] }> = {
  section: { at: 'accessory', put: (element) => section({ accessory: element }), on: everywhere },
  actions: { at: 'elements/0', put: (element) => actions(element), on: everywhere },
  input: { at: 'element', put: (element) => input(element), on: everywhere },
  context: { at: 'elements/0', put: (element) => context(element), on: everywhere },
  context_actions: {
    at: 'elements/0',
    put: (element) => ({ type: 'context_actions', elements: [element] }),
    on: ['message'],
  },
}

const stands = Object.entries(findElements).flatMap(([type, places]) =>
  Object.entries(holders).flatMap(([holder, { at, put, on }]) =>
    on.map((surface) => ({
      type,
      holder,
      surface,
      where: called[surface],
      at: `${rootPointer(surface)}/0/${at}/type`,
      blocks: [put(elements[type as ElementType])],
      may: places[holder as Holder]?.includes(surface) ?? false,
    })),
  ),
)

describe('elements', () => {
  it.each(stands.filter(({ may }) => may))('allows $type in $holder of $where', ({ surface, blocks }) => {
    expect(validate(surface, blocks)).toEqual(VALID)
  })

  it.each(stands.filter(({ may }) => !may))('rejects $type in $holder of $where', (one) => {
    const { type, surface, blocks, at } = one
    expect(validate(surface, blocks)).toEqual(invalid(surface, [messageAt(`unsupported type: ${type}`, at)]))
  })

  it.each(['conversations_select', 'channels_select'] as const)(
    'allows response_url_enabled in %s only in inputs of a modal',
    (type) => {
      const asking = { ...elements[type], response_url_enabled: true }
      expect(validate('modal', [input(asking)])).toEqual(VALID)
      const refusals: [Surface, UnknownObject, string][] = [
        ['modal', section({ accessory: asking }), '/view/blocks/0/accessory'],
        ['modal', actions(asking), '/view/blocks/0/elements/0'],
        ['home', input(asking), '/view/blocks/0/element'],
        ['message', input(asking), '/blocks/0/element'],
        ['message', actions(asking), '/blocks/0/elements/0'],
      ]
      for (const [surface, block, at] of refusals)
        expect(validate(surface, [block])).toEqual(invalid(surface, [anyMessageAt(at)]))
    },
  )

  it('allows only buttons in the actions of a card', () => {
    const cardWith = (element: unknown) => [{ ...blocks.card, actions: [element] }]
    expect(validate('message', cardWith(button()))).toEqual(VALID)
    for (const type of ['overflow', 'workflow_button', 'users_select'] as const)
      expect(validate('message', cardWith(elements[type]))).toMatchObject({ error: 'invalid_blocks' })
  })
})
