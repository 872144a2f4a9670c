import type { ReadingContext } from '../../time/reading.ts'
import type { FieldNote, InputState } from './field.ts'
import type { Form } from './form.ts'
import type { FormValues } from './form-value.ts'

/** The notes under all fields: how each field is read, and what the form says about them together. */
export function fieldNotes(
  form: Form,
  inputOf: (name: string) => InputState,
  context: ReadingContext,
): Record<string, FieldNote> {
  const notes: Record<string, FieldNote> = {}
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(form.fields)) {
    const note = field.note?.(inputOf(name), context)
    if (note) notes[name] = note
    const reading = field.read(inputOf(name), context)
    if (reading && 'values' in reading) body[name] = reading.values[0]
  }
  // The form's own notes replace those of single fields.
  for (const [name, message] of Object.entries(form.fieldNotes?.(body, context) ?? {}))
    if (message) notes[name] = { ...notes[name], message }
  return notes
}

/** Tells the user at once if a prefilled value is too long for its field. */
export const truncationWarnings = ({ fields }: Form, values: FormValues): string[] =>
  Object.entries(fields).flatMap(([name, { label, maxLength = Number.POSITIVE_INFINITY }]) => {
    const value = values[name]
    const excess = typeof value === 'string' ? value.length - maxLength : 0
    return excess > 0
      ? [`${label} was shortened to ${maxLength} characters. The last ${excess} didn't fit.`]
      : []
  })
