import type { ViewOutput } from '@slack/bolt'
import type { Entry, Initial, Note, Scene } from './field.ts'
import type { Form } from './form.ts'
import { entryOf } from './view-state.ts'

/** The lines under the fields: how each is read, and what the form says of them together. */
export function notesFor(form: Form, entryIn: (name: string) => Entry, scene: Scene): Record<string, Note> {
  const notes: Record<string, Note> = {}
  const body: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(form.fields)) {
    const entry = entryIn(name)
    const note = field.note?.(entry, scene)
    if (note) notes[name] = note
    const taken = field.take(entry, scene)
    if (taken && 'values' in taken) body[name] = taken.values[0]
  }
  // What the form says of all together takes the place of what a field says of itself alone.
  for (const [name, say] of Object.entries(form.notes?.(body, scene) ?? {}))
    if (say) notes[name] = { ...notes[name], say }
  return notes
}

export const notesOf = (form: Form, view: ViewOutput, scene: Scene): Record<string, Note> =>
  notesFor(form, (name) => entryOf(view, name), scene)

/** What Slack would tell of an input that nobody has touched yet. */
export function untouched(initial: Initial): Entry {
  if (initial === undefined) return {}
  if (Array.isArray(initial)) return { selected_options: initial.map((value) => ({ value })) }
  if (typeof initial === 'object') return { selected_option: initial }
  return { value: initial, selected_option: { value: initial }, selected_conversation: initial }
}
