import type { DateTimepicker, InputBlock, StaticSelect, Timepicker } from '@slack/types'
import type { ApiFailure } from '../../api/result.ts'
import type { Recurrence } from '../../time/recurrence.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import type { UserProfile } from '../people/profile.ts'
import type { Choice, FormValue, FormValues } from './form-value.ts'

/** Who fills in a form, and when. How dates are read depends on both. */
export type FormContext = { profile: UserProfile; now: Date }

/** The state of an input as Slack reports it. */
export type InputState = {
  value?: string | null
  selected_option?: { value: string; text?: { text: string } } | null
  selected_options?: { value: string }[]
  selected_user?: string | null
  selected_conversation?: string | null
  /** "09:30" */
  selected_time?: string | null
  /** UNIX seconds. */
  selected_date_time?: number | null
}

export type Prefill = { values: FormValues } | { failure: ApiFailure }

/** A line under a field, with buttons that replace the field's text. */
export type FieldNote = {
  message: string
  alternatives?: string[]
  /** What the field's picker shows. */
  at?: Date
  recurrence?: Recurrence
}

export type SearchContext = {
  bot: Bot
  actor: Actor
  project_id: string
  query: string
  deadlineMs: number
}

/** An alternative to typing: what the user picks becomes text in the field. */
export type Picker = {
  elements: (note: Partial<FieldNote>) => (DateTimepicker | Timepicker | StaticSelect)[]
  /** `current` supplies the part that the user didn't pick. */
  toText: (picked: InputState, context: FormContext, current: InputState) => string | undefined
}

export type FieldReading<Value> = { values: [value: Value, ...others: unknown[]] } | { error: string }

/** One input of a form. Its key in the form is the API's field name and the input's block id. */
export type Field<Value> = {
  label: string
  hint?: string
  isOptional: boolean
  /** Further API fields that get their values from this input. */
  alsoSets: string[]
  element: (initial: FormValue, action_id: string) => InputBlock['element']
  maxLength?: number
  /** A change updates the notes in the form. */
  updatesForm: boolean
  note?: (input: InputState, context: FormContext) => FieldNote | undefined
  picker?: Picker
  /** What an update sends if the user cleared the field. Otherwise a cleared field isn't sent. */
  clearedValue?: Value
  /** Values for other, empty fields that follow from the choice in this one. */
  prefill?: ((search: SearchContext & { id: string }) => Promise<Prefill>) | undefined
  /** Another project has other choices. */
  belongsToProject?: boolean
  search?: (context: SearchContext) => Promise<Choice[]>
  read: (input: InputState, context: FormContext) => FieldReading<Value> | undefined
  /** The same field, but not required. */
  optional: () => Field<Value>
}

type FieldDefinition<Value> = Omit<Field<Value>, 'optional' | 'isOptional' | 'alsoSets' | 'updatesForm'> &
  Partial<Pick<Field<Value>, 'alsoSets' | 'updatesForm'>>

export function defineField<Value>(definition: FieldDefinition<Value>): Field<Value> {
  const field: Field<Value> = {
    alsoSets: [],
    updatesForm: false,
    ...definition,
    isOptional: false,
    optional: () => ({ ...field, isOptional: true }),
  }
  return field
}
