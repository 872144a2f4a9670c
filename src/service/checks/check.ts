import type { z } from 'zod'
import { type Fault, faultOf } from './fault.ts'

export type Shape = Record<string, z.ZodType>
export type ValuesOf<S extends Shape> = { [K in keyof S]: z.output<S[K]> }

export type Checked<S extends Shape> = { values: Partial<ValuesOf<S>>; faults: Fault[] }

/**
 * Checks each field on its own, so that one bad field hides neither the faults of the others nor their values, which
 * the rules that span fields go on with. Unknown fields are ignored, as Pydantic ignores them.
 */
export function checkFields<S extends Shape>(
  shape: S,
  input: Record<string, unknown>,
  at: string,
): Checked<S> {
  const values: Record<string, unknown> = {}
  const faults: Fault[] = []
  for (const [name, field] of Object.entries(shape)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined
    const { data, error } = field.safeParse(given, { reportInput: true })
    if (error) faults.push(...error.issues.map((issue) => faultOf(issue, [at, name], input)))
    else if (data !== undefined) values[name] = data
  }
  return { values: values as Partial<ValuesOf<S>>, faults }
}
