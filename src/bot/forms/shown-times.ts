import type { ViewOutput } from '@slack/bolt'
import type { ShownReading } from './field.ts'
import type { Form } from './form.ts'
import type { FormMetadata } from './form-metadata.ts'
import { inputState, replaceInputs } from './form-state.ts'

/** Whether the form shows what this text means. Only "now" is read again when the form is sent. */
export const isShownReading = ({ text, isNow }: ShownReading, typed: string | undefined): boolean =>
  !isNow && text === typed

/** The readings of times that the form still shows. They count even if the words would now mean another time. */
export function findShownTimes(
  { fields }: Form,
  view: ViewOutput,
  { shown = {} }: FormMetadata,
): Record<string, ShownReading> {
  const times = Object.entries(shown).filter(([name, reading]) => {
    const field = fields[name]
    const typed = inputState(view, name).value?.trim()
    return field?.toLastingWords && isShownReading(reading, typed)
  })
  return Object.fromEntries(times)
}

/** The view as if the user had typed the times that the form shows. */
export function withShownTimes(form: Form, view: ViewOutput, metadata: FormMetadata): ViewOutput {
  const times = Object.entries(findShownTimes(form, view, metadata))
  const words = times.map(([name, { values }]) => [name, form.fields[name]?.toLastingWords?.(values)])
  return replaceInputs(view, Object.fromEntries(words))
}
