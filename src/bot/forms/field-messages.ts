import type { ViewOutput } from '@slack/bolt'
import type { FieldError } from '../../api/result.ts'
import type { ReadingContext } from '../../time/reading.ts'
import { truncate } from '../slack/message-blocks.ts'
import { type Field, type FieldNote, type InputState, setField } from './field.ts'
import type { Form, NoteContext } from './form.ts'
import { RECORD_BLOCK } from './form-blocks.ts'
import { inputState } from './form-state.ts'
import type { FormValues } from './form-value.ts'

/** The values of the fields that can be read so far, and the notes about how each field is read. */
export function readFields(
  { fields }: Form,
  inputOf: (name: string) => InputState,
  context: ReadingContext,
): { body: Record<string, unknown>; notes: Record<string, FieldNote> } {
  const body: Record<string, unknown> = {}
  const notes: Record<string, FieldNote> = {}
  for (const [name, field] of Object.entries(fields)) {
    const reading = field.read(inputOf(name), context)
    if (reading?.note) notes[name] = reading.note
    if (reading && 'values' in reading) setField(body, name, reading.values[0])
  }
  return { body, notes }
}

/** Returns the notes under the fields: how each field is read, and the form's notes about all fields together. */
export function fieldNotes(
  form: Form,
  inputOf: (name: string) => InputState,
  context: NoteContext,
): Record<string, FieldNote> {
  const { body, notes } = readFields(form, inputOf, context)
  // The form's own messages replace those of individual fields.
  for (const [name, message] of Object.entries(form.fieldNotes?.(body, context) ?? {}))
    if (message) notes[name] = { ...notes[name], message }
  return notes
}

export const notesInView = (form: Form, view: ViewOutput, context: NoteContext) =>
  fieldNotes(form, (name) => inputState(view, name), context)

/** Reads a request body from the inputs. Inputs that can't be read and checks that fail become errors. */
export function checkFields(
  form: Form,
  inputOf: (name: string) => InputState,
  context: ReadingContext,
  readField = (name: string, field: Field<unknown>) => field.read(inputOf(name), context),
): { body: Record<string, unknown>; fieldErrors: FieldError[] } {
  const body: Record<string, unknown> = {}
  const unreadable: Record<string, unknown> = {}
  const fieldErrors: FieldError[] = []
  for (const [name, field] of Object.entries(form.fields)) {
    const reading = readField(name, field)
    if (reading && 'error' in reading) {
      fieldErrors.push({ loc: [name], msg: reading.error })
      unreadable[name] = inputOf(name).value
    } else if (reading) {
      for (const [index, key] of [name, ...(field.alsoSets ?? [])].entries())
        setField(body, key, reading.values[index])
    }
  }
  for (const [name, msg] of Object.entries(form.validate?.({ ...unreadable, ...body }, context) ?? {})) {
    const hasOwnError = fieldErrors.some(({ loc }) => loc[0] === name)
    if (msg && !hasOwnError) fieldErrors.push({ loc: [name], msg })
  }
  return { body, fieldErrors }
}

export const truncationWarnings = ({ fields }: Form, values: FormValues): string[] =>
  Object.entries(fields).flatMap(([name, { label, maxLength = Number.POSITIVE_INFINITY }]) => {
    const value = values[name]
    const excess = typeof value === 'string' ? value.length - maxLength : 0
    if (excess <= 0) return []
    return [`${label} was shortened to ${maxLength} characters. The last ${excess} didn't fit.`]
  })

/** Error messages by block id, and messages that belong to no input of the form. */
type PlacedErrors = { errors: Record<string, string>; unplaced: string[] }

export function placeErrors(form: Form, fieldErrors: FieldError[]): PlacedErrors {
  const messages: Record<string, string[]> = {}
  const unplaced: string[] = []
  for (const { loc, msg } of fieldErrors) {
    const path = joinNested(form, loc[0] === 'body' ? loc.slice(1) : loc)
    // The field may be in another object: ["body", "post", "Content"].
    const depth = Math.max(
      0,
      path.findIndex((step) => findBlock(form, String(step))),
    )
    const [name = '', ...steps] = path.slice(depth)
    const block = findBlock(form, String(name))
    const position = (block || name === '' ? steps : [name, ...steps])
      .map((step) => (typeof step === 'number' ? `item ${step + 1}` : step))
      .join(', ')
    const text =
      msg.replace(/^(Value|Assertion) error, /, '').trim() || 'The scheduling service rejected this value.'
    const message = position ? `${position}: ${text}` : text
    if (!block) unplaced.push(message)
    else messages[block] = [...(messages[block] ?? []), message]
  }
  const errors = Object.entries(messages).map(([block, texts]) => [block, joinMessages(texts)])
  return { errors: Object.fromEntries(errors), unplaced }
}

const MAX_ERROR_LENGTH = 1000

/** Joins messages without repeating any: one input may set two API fields that fail with the same message. */
export function joinMessages(messages: string[]): string {
  const distinct = [...new Set(messages)]
  const sentences = distinct.length > 1 ? distinct.map((text) => text.replace(/[^.!?]$/, '$&.')) : distinct
  return truncate(sentences.join(' '), MAX_ERROR_LENGTH)
}

/** A field of the form may be part of an API field, as "Titles.REDDIT" is part of "Titles". */
function joinNested(form: Form, path: FieldError['loc']): FieldError['loc'] {
  const [first, second, ...rest] = path
  const name = `${first}.${second}`
  return name in form.fields ? [name, ...rest] : path
}

function findBlock({ fields, recordSelect }: Form, name: string): string | undefined {
  if (recordSelect && name === RECORD_BLOCK) return name
  const isName = (other: string) => toComparable(other) === toComparable(name)
  return Object.keys(fields).find((key) => isName(key) || fields[key]?.alsoSets?.some(isName))
}

/** A service may write `ScheduleDate` as `schedule_date`. */
const toComparable = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase()
