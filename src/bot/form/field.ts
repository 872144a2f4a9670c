import type { DateTimepicker, InputBlock, StaticSelect, Timepicker } from '@slack/types'
import type { Recurrence } from '../../time/recurrence.ts'
import type { Person } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import type { Failure } from '../trouble.ts'

/** Who fills in a form, and when. */
export type Scene = { person: Person; now: Date }

/** What Slack tells of an input, as far as ours are concerned. */
export type Entry = {
  value?: string | null
  selected_option?: { value: string; text?: { text: string } } | null
  selected_options?: { value: string }[]
  selected_user?: string | null
  selected_conversation?: string | null
  /** "09:30" */
  selected_time?: string | null
  /** In seconds. */
  selected_date_time?: number | null
}

/** What an input begins with: a text, values, or something to choose with what it is called. */
export type Initial = string | string[] | Choice | undefined

/** Values for fields, that had to be fetched. */
export type Filling = { values: Record<string, Initial> } | { failure: Failure }

/** Something to choose, by its id. */
export type Choice = { value: string; label: string }

/** A line under a field; and what may be put in it instead, at the press of a button. */
export type Note = {
  say: string
  instead?: string[]
  /** What its picker shows. */
  at?: Date
  rhythm?: Recurrence
}

export type Look = { bot: Bot; asker: Asker; project_id: string; typed: string; deadlineMs: number }

type PickerElement = DateTimepicker | Timepicker | StaticSelect

/** For those who like pickers: what is picked becomes the words for it. */
export type Picker = {
  elements: (note: Partial<Note>) => PickerElement[]
  /** With what stands there already, for what was not picked. */
  words: (picked: Entry, scene: Scene, standing: Entry) => string | undefined
}

/** One input of a form. Its key is the API's own name, and so is the id of its block. */
export type Field<Value> = {
  label: string
  hint?: string
  isOptional: boolean
  /** The other names of the API that it answers for. */
  also: string[]
  element: (initial: Initial, action_id: string) => InputBlock['element']
  /** How many characters it holds, where that is limited. */
  most?: number
  /** Whether the lines under the fields are written anew when it is changed, or Enter is pressed in it. */
  dispatches: boolean
  /** How what stands in it is read, for a line under it. */
  note?: (entry: Entry, scene: Scene) => Note | undefined
  picker?: Picker
  /** What an update is sent where it was emptied; without this, emptied is as good as not there. */
  emptied?: Value
  /** What others that are empty hold once something is chosen in it. */
  fill?: (look: Look & { id: string }) => Promise<Filling>
  /** Whether what can be chosen is one project's. */
  isOfProject?: boolean
  /** What there is to choose from, where that has to be looked up. */
  options?: (look: Look) => Promise<Choice[]>
  take: (
    entry: Entry,
    scene: Scene,
  ) => { values: [value: Value, ...others: unknown[]] } | { fault: string } | undefined
  /** The same field where it may be left out. */
  optional: () => Field<Value>
}

/** What a definition may leave out. */
type Settled = 'optional' | 'isOptional' | 'also' | 'dispatches'

export function field<Value>(
  definition: Omit<Field<Value>, Settled> & Partial<Pick<Field<Value>, 'also' | 'dispatches'>>,
): Field<Value> {
  const made: Field<Value> = {
    also: [],
    dispatches: false,
    ...definition,
    isOptional: false,
    optional: () => ({ ...made, isOptional: true }),
  }
  return made
}
