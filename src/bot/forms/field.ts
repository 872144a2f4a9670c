import type { DateTimepicker, InputBlock, StaticSelect, Timepicker } from '@slack/types'
import type { ApiFailure } from '../../api/result.ts'
import type { ReadingContext } from '../../time/reading.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { Search, SearchContext } from '../slack/feature.ts'
import type { SlackFile } from '../slack/slack-file.ts'
import type { FormValue, FormValues, OpenedRecord } from './form-value.ts'

export type InputState = {
  value?: string | null
  selected_option?: { value: string; text?: { text: string } } | null
  selected_options?: { value: string }[]
  selected_user?: string | null
  selected_users?: string[]
  selected_conversation?: string | null
  /** "09:30" */
  selected_time?: string | null
  /** UNIX seconds. */
  selected_date_time?: number | null
  files?: SlackFile[] | null
}

/** A file that the form shows instead of the file input, because Slack can't prefill a file input. */
export type Attachment = {
  /** The field that has this input. */
  field: string
  input: Pick<InputState, 'value' | 'files'>
  description: string
}

export type Prefill = { values: FormValues } | { failure: ApiFailure }

/** The text that the last note under a field explained, and the values that the field would send for that text. */
export type ShownReading = {
  text: string
  values: string[]
  /** Words such as "now" are read again when the form is sent. */
  isNow?: boolean | undefined
}

/** A line under a field, with buttons that replace the field's text. */
export type FieldNote = {
  message: string
  alternatives?: string[]
  /** The text that is read, and the values that the field would send. */
  shown?: ShownReading
  /** The value of the field's picker. */
  at?: Date
  recurrence?: Recurrence
}

/** Loads values for other fields, based on the choice in a select menu. */
export type LoadPrefill = (context: SearchContext & { id: string }) => Promise<Prefill>

export type PickerElement = DateTimepicker | Timepicker | StaticSelect

/** An alternative to typing: the user's pick becomes text in the field. */
export type Picker = {
  elements: (note: Partial<FieldNote>) => PickerElement[]
  /** `current` supplies the part that the user didn't pick. */
  toText: (picked: InputState, context: ReadingContext, current: InputState) => string | undefined
}

/** The result of reading an input. The note shows this result while the user fills in the form. */
export type FieldReading<Value> = ({ values: [value: Value, ...others: unknown[]] } | { error: string }) & {
  note?: FieldNote
}

export type CompletionContext = ReadingContext & {
  bot: Bot
  actor: Actor
  project_id: string
  values: FormValues
  opened: OpenedRecord | undefined
  deadline: Date
}

/** Words that mean something only with the project's data, such as "next free slot". */
export type Completion = {
  example: string
  isAvailable: (bot: Bot, actor: Actor) => Promise<boolean>
  matches: (text: string) => boolean
  /** Returns words that the field can read by itself. */
  complete: (text: string, context: CompletionContext) => Promise<{ words: string } | { problem: string }>
}

/** One input of a form. Its key in the form is the API's field name and the input's block id. */
export type Field<Value> = {
  label: string
  hint?: string
  isOptional?: boolean
  /** Whether the other fields need this one although it is optional. */
  isRequired?: (values: FormValues) => boolean
  /** Further API fields that get their values from this input. */
  alsoSets?: string[]
  /** How values are shown to people. */
  labels?: Record<string, string>
  element: (initial: FormValue, action_id: string, unavailable?: string[]) => InputBlock['element']
  maxLength?: number
  /** A change updates the notes in the form. */
  updatesForm?: boolean
  /** Shown only when it has a value, or when the user asks for more options. */
  isAdvanced?: boolean
  /** Shown only when it has a value, or when the values of other fields need it. */
  isNeeded?: (values: FormValues) => boolean
  /** Most users fill in the field, although it is optional. */
  isExpected?: boolean
  picker?: Picker
  /** Writes values in words that are read as the same values later, unlike "tomorrow". */
  toLastingWords?: (values: string[]) => string
  completion?: Completion
  /** The value that an update sends if the user cleared the field. If undefined, a cleared field isn't sent. */
  clearedValue?: Value
  /** Loads values for other fields, but never replaces the user's input. */
  prefill?: LoadPrefill
  /** The choices depend on the project. */
  belongsToProject?: boolean
  search?: Search
  read: (input: InputState, context: ReadingContext) => FieldReading<Value> | undefined
}

export const advanced = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isAdvanced: true })

export const expected = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isExpected: true })

export const optional = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isOptional: true })

/** Sets a field of a body. "Titles.REDDIT" is a part of the field "Titles". */
export function setField(body: Record<string, unknown>, name: string, value: unknown): void {
  const [field = '', part] = name.split('.')
  body[field] = part === undefined ? value : { ...(body[field] as object | undefined), [part]: value }
}
