import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import type { Element, PlacedElement } from '../../blocks/find-elements.ts'
import { buildStateValue, buildViewState, type InputValue, type ValueLookup } from '../../blocks/state.ts'
import { actions, elements, input, option, richText, section, type UnknownObject } from './samples.ts'

// What an element tells of itself in a state, as Slack's payloads have it.
// https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload

const files: Record<string, unknown> = { F1: { id: 'F1', name: 'a.pdf' }, F2: { id: 'F2', name: 'b.pdf' } }
const known: ValueLookup = {
  suggestedOption: (_element, value) =>
    value === 'option-9' ? (option(9) as ReturnType<ValueLookup['suggestedOption']>) : undefined,
  file: (id) => files[id],
}

/** The test's payloads are plain objects; what reads them trusts their types. */
const asElement = (part: UnknownObject) => part as unknown as Element
const placed = (element: Element): PlacedElement => ({ block_id: 'block', element, path: [] })
const asBlocks = (parts: UnknownObject[]) => parts as unknown as KnownBlock[]

const written = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})

type Row = {
  type: string
  key: string
  untouched: unknown
  initial?: { from: UnknownObject; held: unknown }
  typed: { by: InputValue; held: unknown }
  given?: UnknownObject
}

const text = { untouched: null, typed: { by: 'Hello', held: 'Hello' } }
const optionsGiven = { options: [option(1), option(2)] }
const oneOption = {
  key: 'selected_option',
  untouched: null,
  initial: { from: { initial_option: option(1) }, held: option(1) },
}
const someOptions = {
  key: 'selected_options',
  untouched: [],
  initial: { from: { initial_options: [option(1)] }, held: [option(1)] },
}
const one = (what: string, id: string) => ({
  key: `selected_${what}`,
  untouched: null,
  initial: { from: { [`initial_${what}`]: `${id}1` }, held: `${id}1` },
  typed: { by: `${id}2`, held: `${id}2` },
})
const some = (what: string, id: string) => ({
  key: `selected_${what}`,
  untouched: [],
  initial: { from: { [`initial_${what}`]: [`${id}1`] }, held: [`${id}1`] },
  typed: { by: [`${id}2`, `${id}3`], held: [`${id}2`, `${id}3`] },
})

const rows: Row[] = [
  { type: 'plain_text_input', key: 'value', ...text, initial: { from: { initial_value: 'Hi' }, held: 'Hi' } },
  {
    type: 'email_text_input',
    key: 'value',
    ...text,
    initial: { from: { initial_value: 'ann@example.com' }, held: 'ann@example.com' },
  },
  {
    type: 'url_text_input',
    key: 'value',
    ...text,
    initial: { from: { initial_value: 'https://example.com' }, held: 'https://example.com' },
  },
  {
    type: 'number_input',
    key: 'value',
    untouched: null,
    initial: { from: { initial_value: '5' }, held: '5' },
    typed: { by: '12345', held: '12345' },
  },
  {
    type: 'rich_text_input',
    key: 'rich_text_value',
    untouched: null,
    initial: { from: { initial_value: richText }, held: richText },
    typed: { by: 'Hello', held: written('Hello') },
  },
  {
    type: 'static_select',
    ...oneOption,
    given: optionsGiven,
    typed: { by: 'option-2', held: option(2) },
  },
  { type: 'external_select', ...oneOption, typed: { by: 'option-9', held: option(9) } },
  {
    type: 'radio_buttons',
    ...oneOption,
    given: optionsGiven,
    typed: { by: 'option-2', held: option(2) },
  },
  {
    type: 'checkboxes',
    ...someOptions,
    given: optionsGiven,
    typed: { by: ['option-1', 'option-2'], held: [option(1), option(2)] },
  },
  {
    type: 'multi_static_select',
    ...someOptions,
    given: optionsGiven,
    typed: { by: ['option-2', 'option-1'], held: [option(2), option(1)] },
  },
  { type: 'multi_external_select', ...someOptions, typed: { by: ['option-9'], held: [option(9)] } },
  { type: 'users_select', ...one('user', 'U') },
  { type: 'conversations_select', ...one('conversation', 'C') },
  { type: 'channels_select', ...one('channel', 'C') },
  { type: 'multi_users_select', ...some('users', 'U') },
  { type: 'multi_conversations_select', ...some('conversations', 'C') },
  { type: 'multi_channels_select', ...some('channels', 'C') },
  {
    type: 'datepicker',
    key: 'selected_date',
    untouched: null,
    initial: { from: { initial_date: '2026-11-27' }, held: '2026-11-27' },
    typed: { by: '2024-01-31', held: '2024-01-31' },
  },
  {
    type: 'timepicker',
    key: 'selected_time',
    untouched: null,
    initial: { from: { initial_time: '09:30' }, held: '09:30' },
    typed: { by: '13:00', held: '13:00' },
  },
  {
    type: 'datetimepicker',
    key: 'selected_date_time',
    untouched: null,
    initial: { from: { initial_date_time: 1_795_770_000 }, held: 1_795_770_000 },
    typed: { by: '1666869900', held: 1_666_869_900 },
  },
  {
    type: 'file_input',
    key: 'files',
    untouched: [],
    typed: { by: ['F1', 'F2'], held: [files.F1, files.F2] },
  },
]

describe.each(rows)('the state of a $type', ({ type, key, untouched, initial, typed, given }) => {
  const state = (by: InputValue | undefined, more: UnknownObject = {}) =>
    buildStateValue(placed(asElement({ type, action_id: 'act', ...given, ...more })), by, known)

  it('is empty before the user changes it', () => {
    expect(state(undefined)).toEqual({ type, [key]: untouched })
  })

  it('has the value that the user entered', () => {
    expect(state(typed.by)).toEqual({ type, [key]: typed.held })
  })

  it.each([[null], [''], [[]]])('is empty after the user clears it (%j)', (emptied) => {
    expect(state(emptied)).toEqual({ type, [key]: untouched })
  })

  if (initial) {
    it('has the initial value before the user changes it', () => {
      expect(state(undefined, initial.from)).toEqual({ type, [key]: initial.held })
    })

    it("has the user's value rather than the initial value", () => {
      expect(state(typed.by, initial.from)).toEqual({ type, [key]: typed.held })
    })

    it.each([[null], [''], [[]]])('is empty after the user clears the initial value (%j)', (emptied) => {
      expect(state(emptied, initial.from)).toEqual({ type, [key]: untouched })
    })
  }
})

describe('the state of an element', () => {
  it('finds a selected option in a group', () => {
    const element = asElement({
      type: 'static_select',
      action_id: 'act',
      option_groups: [
        { label: {}, options: [option(1)] },
        { label: {}, options: [option(2)] },
      ],
    })
    expect(buildStateValue(placed(element), 'option-2', known)).toEqual({
      type: 'static_select',
      selected_option: option(2),
    })
  })

  it('finds the initial option of an external select', () => {
    const single = asElement({ ...elements.external_select, initial_option: option(4) })
    expect(buildStateValue(placed(single), 'option-4', known)).toEqual({
      type: 'external_select',
      selected_option: option(4),
    })
    const several = asElement({ ...elements.multi_external_select, initial_options: [option(4)] })
    expect(buildStateValue(placed(several), ['option-4', 'option-9'], known)).toEqual({
      type: 'multi_external_select',
      selected_options: [option(4), option(9)],
    })
  })

  it('includes the time zone of a timepicker', () => {
    expect(buildStateValue(placed(asElement(elements.timepicker)), '13:00', known)).toEqual({
      type: 'timepicker',
      selected_time: '13:00',
      timezone: 'Europe/Berlin',
    })
  })

  it.each(['button', 'overflow', 'workflow_button', 'feedback_buttons', 'icon_button'] as const)(
    'does not exist for a %s',
    (type) => {
      expect(buildStateValue(placed(asElement(elements[type])), 'pressed', known)).toBeUndefined()
    },
  )
})

describe('the state of blocks', () => {
  const date = { type: 'datepicker', action_id: 'date' }
  const user = { type: 'users_select', action_id: 'user' }

  it('lists elements by block_id and action_id', () => {
    const given = asBlocks([
      input({ type: 'plain_text_input', action_id: 'text' }, { block_id: 'input' }),
      section({ block_id: 'section', accessory: date }),
      { ...actions(date, user, { type: 'button', action_id: 'press' }), block_id: 'actions' },
      { type: 'divider', block_id: 'divider' },
    ])
    const typed = { section: { date: '2026-11-27' }, actions: { user: 'U1' }, elsewhere: { text: 'lost' } }
    expect(buildViewState(given, typed, known)).toEqual({
      values: {
        input: { text: { type: 'plain_text_input', value: null } },
        section: { date: { type: 'datepicker', selected_date: '2026-11-27' } },
        actions: {
          date: { type: 'datepicker', selected_date: null },
          user: { type: 'users_select', selected_user: 'U1' },
        },
      },
    })
  })

  it('is empty for blocks without inputs', () => {
    const given = asBlocks([
      section({ block_id: 'section', accessory: elements.button }),
      { type: 'divider' },
    ])
    expect(buildViewState(given, {}, known)).toEqual({ values: {} })
  })

  it('includes the elements inside a container', () => {
    const inside = input({ type: 'plain_text_input', action_id: 'text' }, { block_id: 'input' })
    const given = asBlocks([{ type: 'container', block_id: 'container', child_blocks: [inside] }])
    expect(buildViewState(given, { input: { text: 'Hi' } }, known)).toEqual({
      values: { input: { text: { type: 'plain_text_input', value: 'Hi' } } },
    })
  })
})
