import type { FieldError } from '../../api/result.ts'
import type { Form } from './form.ts'
import { RECORD_BLOCK } from './form-blocks.ts'

/** Error messages by block id, and messages that concern no input of the form. */
export type PlacedErrors = { errors: Record<string, string>; unplaced: string[] }

/** Places our own and the service's errors under the inputs that they concern. */
export function placeErrors(form: Form, fieldErrors: FieldError[]): PlacedErrors {
  const errors: Record<string, string> = {}
  const unplaced: string[] = []
  for (const { loc, msg } of fieldErrors) {
    const path = loc[0] === 'body' ? loc.slice(1) : loc
    const block = blockFor(form, String(path[0] ?? ''))
    const position = path
      .slice(block ? 1 : 0)
      .map((step) => (typeof step === 'number' ? `no. ${step + 1}` : step))
      .join(', ')
    const text =
      msg.replace(/^(Value|Assertion) error, /, '').trim() || "The scheduling service didn't accept this."
    const message = position ? `${position}: ${text}` : text
    if (!block) unplaced.push(message)
    // One input may set two API fields that fail with the same message.
    else if (!errors[block]?.includes(message))
      errors[block] = [errors[block], message].filter(Boolean).join(' ')
  }
  return { errors, unplaced }
}

function blockFor({ fields, recordSelect }: Form, name: string): string | undefined {
  if (recordSelect && name === RECORD_BLOCK) return name
  if (Object.hasOwn(fields, name)) return name
  return Object.entries(fields).find(([, { alsoSets }]) => alsoSets?.includes(name))?.[0]
}
