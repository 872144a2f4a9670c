import type { KnownBlock, Option, RichTextBlock } from '@slack/types'
import { type Element, elementsIn, optionsOf, type Placed } from './elements-in.ts'

/** What a person put into an element: a text, a day, the value of an option, somebody's id, or several of these. */
export type Typed = string | string[] | null

/** By block, then by action. What is not in it was not touched. */
export type AllTyped = Record<string, Record<string, Typed>>

export type StateValue = { type: string } & Record<string, unknown>

export type ViewState = { values: Record<string, Record<string, StateValue>> }

type Which = { block_id: string; action_id: string }

export type Known = {
  /** Options that the app suggested: only they know what they are called. */
  suggested: (which: Which, value: string) => Option | undefined
  file: (id: string) => unknown
}

type Kind = {
  /** What the value is called in Slack's state. */
  key: string
  /** What holds the value at first. */
  initial?: string
  /** From what was typed to what Slack calls it. */
  read: (typed: Typed, placed: Placed, known: Known) => unknown
}

const one = (typed: Typed) => (Array.isArray(typed) ? (typed[0] ?? null) : typed) || null
const many = (typed: Typed) => (Array.isArray(typed) ? typed : typed ? [typed] : [])

const optionOf = (value: string, { block_id, element }: Placed, known: Known): Option | undefined =>
  optionsOf(element).find((option) => option.value === value) ??
  known.suggested({ block_id, action_id: element.action_id }, value) ??
  initialOptions(element).find((option) => option.value === value)

const initialOptions = ({ initial_option, initial_options }: Element): Option[] => [
  ...(initial_option ? [initial_option as Option] : []),
  ...((initial_options as Option[] | undefined) ?? []),
]

const text = (key = 'value', initial = 'initial_value'): Kind => ({ key, initial, read: one })
const single = (key: string, initial: string): Kind => ({ key, initial, read: one })
const several = (key: string, initial: string): Kind => ({ key, initial, read: many })

const option: Kind = {
  key: 'selected_option',
  initial: 'initial_option',
  read: (typed, element, known) => (one(typed) ? (optionOf(one(typed) ?? '', element, known) ?? null) : null),
}
const options: Kind = {
  key: 'selected_options',
  initial: 'initial_options',
  read: (typed, placed, known) => many(typed).flatMap((value) => optionOf(value, placed, known) ?? []),
}

/** How each element that holds a value is told of in a state; what is not here (a button) holds none. */
const KINDS: Record<string, Kind> = {
  plain_text_input: text(),
  email_text_input: text(),
  url_text_input: text(),
  number_input: text(),
  rich_text_input: {
    key: 'rich_text_value',
    initial: 'initial_value',
    read: (typed) => (one(typed) ? richText(one(typed) ?? '') : null),
  },
  static_select: option,
  external_select: option,
  radio_buttons: option,
  checkboxes: options,
  multi_static_select: options,
  multi_external_select: options,
  users_select: single('selected_user', 'initial_user'),
  conversations_select: single('selected_conversation', 'initial_conversation'),
  channels_select: single('selected_channel', 'initial_channel'),
  multi_users_select: several('selected_users', 'initial_users'),
  multi_conversations_select: several('selected_conversations', 'initial_conversations'),
  multi_channels_select: several('selected_channels', 'initial_channels'),
  datepicker: text('selected_date', 'initial_date'),
  timepicker: text('selected_time', 'initial_time'),
  datetimepicker: {
    key: 'selected_date_time',
    initial: 'initial_date_time',
    read: (typed) => (one(typed) ? Number(one(typed)) : null),
  },
  file_input: { key: 'files', read: (typed, _placed, known) => many(typed).map(known.file) },
}

/** What an element holds: what was typed, or else what it began with. */
export function stateValue(placed: Placed, typed: Typed | undefined, known: Known): StateValue | undefined {
  const { element } = placed
  const kind = KINDS[element.type]
  if (!kind) return undefined
  const { key, initial, read } = kind
  const first = (initial && element[initial as `initial_${string}`]) ?? read(null, placed, known)
  return {
    type: element.type,
    [key]: typed === undefined ? first : read(typed, placed, known),
    ...(element.type === 'timepicker' && element.timezone && { timezone: element.timezone }),
  }
}

export function stateOf(blocks: KnownBlock[], typed: AllTyped, known: Known): ViewState {
  const values: ViewState['values'] = {}
  for (const placed of elementsIn(blocks)) {
    const { block_id, element } = placed
    const value = stateValue(placed, typed[block_id]?.[element.action_id], known)
    if (value) values[block_id] = { ...values[block_id], [element.action_id]: value }
  }
  return { values }
}

/** The bare value inside a state's entry. */
export const heldBy = (value: StateValue): unknown => value[KINDS[value.type]?.key ?? 'value']

const richText = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})
