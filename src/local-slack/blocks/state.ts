import type { KnownBlock, Option, RichTextBlock } from '@slack/types'
import { type Element, findElements, getOptions, type PlacedElement } from './find-elements.ts'

/** What a user entered: text, a date, an option's value, an id, or a list of these. */
export type InputValue = string | string[] | null

/** By block_id, then by action_id. Elements that the user didn't change are missing. */
export type InputValues = Record<string, Record<string, InputValue>>

export type StateValue = { type: string } & Record<string, unknown>

export type ViewState = { values: Record<string, Record<string, StateValue>> }

type ElementId = { block_id: string; action_id: string }

export type ValueLookup = {
  /** Finds an option that the app loaded into an external select. */
  suggestedOption: (elementId: ElementId, value: string) => Option | undefined
  file: (id: string) => unknown
}

type StateField = {
  /** The key of the value in Slack's state. */
  key: string
  /** The element's field that holds the initial value. */
  initial?: string
  toStateValue: (input: InputValue, placed: PlacedElement, lookup: ValueLookup) => unknown
}

const toSingle = (input: InputValue) => (Array.isArray(input) ? (input[0] ?? null) : input) || null
const toList = (input: InputValue) => (Array.isArray(input) ? input : input ? [input] : [])

const findOption = (
  value: string,
  { block_id, element }: PlacedElement,
  lookup: ValueLookup,
): Option | undefined =>
  getOptions(element).find((option) => option.value === value) ??
  lookup.suggestedOption({ block_id, action_id: element.action_id }, value) ??
  initialOptions(element).find((option) => option.value === value)

const initialOptions = ({ initial_option, initial_options }: Element): Option[] => [
  ...(initial_option ? [initial_option as Option] : []),
  ...((initial_options as Option[] | undefined) ?? []),
]

const textField = (key = 'value', initial = 'initial_value'): StateField => ({
  key,
  initial,
  toStateValue: toSingle,
})
const listField = (key: string, initial: string): StateField => ({ key, initial, toStateValue: toList })

const optionField: StateField = {
  key: 'selected_option',
  initial: 'initial_option',
  toStateValue: (input, placed, lookup) => {
    const value = toSingle(input)
    return value === null ? null : (findOption(value, placed, lookup) ?? null)
  },
}
const optionListField: StateField = {
  key: 'selected_options',
  initial: 'initial_options',
  toStateValue: (input, placed, lookup) =>
    toList(input).flatMap((value) => findOption(value, placed, lookup) ?? []),
}

/** Elements that have a value in the view state. A button, for one, has none. */
const STATE_FIELDS: Record<string, StateField> = {
  plain_text_input: textField(),
  email_text_input: textField(),
  url_text_input: textField(),
  number_input: textField(),
  rich_text_input: {
    key: 'rich_text_value',
    initial: 'initial_value',
    toStateValue: (input) => (toSingle(input) ? toRichText(toSingle(input) ?? '') : null),
  },
  static_select: optionField,
  external_select: optionField,
  radio_buttons: optionField,
  checkboxes: optionListField,
  multi_static_select: optionListField,
  multi_external_select: optionListField,
  users_select: textField('selected_user', 'initial_user'),
  conversations_select: textField('selected_conversation', 'initial_conversation'),
  channels_select: textField('selected_channel', 'initial_channel'),
  multi_users_select: listField('selected_users', 'initial_users'),
  multi_conversations_select: listField('selected_conversations', 'initial_conversations'),
  multi_channels_select: listField('selected_channels', 'initial_channels'),
  datepicker: textField('selected_date', 'initial_date'),
  timepicker: textField('selected_time', 'initial_time'),
  datetimepicker: {
    key: 'selected_date_time',
    initial: 'initial_date_time',
    toStateValue: (input) => (toSingle(input) ? Number(toSingle(input)) : null),
  },
  file_input: { key: 'files', toStateValue: (input, _placed, lookup) => toList(input).map(lookup.file) },
}

/** The state of an element: the user's input, or the initial value if the user didn't change it. */
export function buildStateValue(
  placed: PlacedElement,
  input: InputValue | undefined,
  lookup: ValueLookup,
): StateValue | undefined {
  const { element } = placed
  const field = STATE_FIELDS[element.type]
  if (!field) return undefined
  const { key, initial, toStateValue } = field
  const initialValue =
    (initial && element[initial as `initial_${string}`]) ?? toStateValue(null, placed, lookup)
  return {
    type: element.type,
    [key]: input === undefined ? initialValue : toStateValue(input, placed, lookup),
    ...(element.type === 'timepicker' && element.timezone && { timezone: element.timezone }),
  }
}

export function buildViewState(blocks: KnownBlock[], inputs: InputValues, lookup: ValueLookup): ViewState {
  const values: ViewState['values'] = {}
  for (const placed of findElements(blocks)) {
    const { block_id, element } = placed
    const value = buildStateValue(placed, inputs[block_id]?.[element.action_id], lookup)
    if (value) values[block_id] = { ...values[block_id], [element.action_id]: value }
  }
  return { values }
}

/** The bare value, without the type of its element. */
export const getBareValue = (entry: StateValue): unknown => entry[STATE_FIELDS[entry.type]?.key ?? 'value']

const toRichText = (text: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
})
