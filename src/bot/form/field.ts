import type { InputBlock } from '@slack/types'
import type { Person } from '../asker.ts'

/** Who fills in a form, and when. */
export type Scene = { person: Person; now: Date }

/** What Slack tells of an input, as far as ours are concerned. */
export type Entry = {
  value?: string | null
  selected_option?: { value: string } | null
  selected_options?: { value: string }[]
}

/** One input of a form. Its key is the API's own name, and so is the id of its block. */
export type Field<Value> = {
  label: string
  hint?: string
  isOptional: boolean
  /** The other names of the API that it answers for. */
  also: string[]
  element: (initial: string | string[] | undefined) => InputBlock['element']
  take: (
    entry: Entry,
    scene: Scene,
  ) => { values: [value: Value, ...others: unknown[]] } | { fault: string } | undefined
  /** The same field where it may be left out. */
  optional: () => Field<Value>
}

export function field<Value>(
  definition: Omit<Field<Value>, 'optional' | 'isOptional' | 'also'> & { also?: string[] },
): Field<Value> {
  const made: Field<Value> = {
    also: [],
    ...definition,
    isOptional: false,
    optional: () => ({ ...made, isOptional: true }),
  }
  return made
}
