import type { OutboxItem } from '../../store/tables.ts'
import type { Initial } from '../form/field.ts'
import type { Form } from '../form/form.ts'
import { placeErrors } from '../form/place-errors.ts'
import type { KnownProject } from '../projects.ts'
import { type Button, escaped, shortenedEscaped } from '../reply.ts'
import type { Failure } from '../trouble.ts'

/** What was written down as JSON, as what it was. */
export const bodyOf = ({ body }: OutboxItem) => (body ?? {}) as Record<string, unknown>
export const entriesOf = ({ entries }: OutboxItem) => (entries ?? {}) as Record<string, Initial>
export const failureOf = ({ failure }: OutboxItem) => (failure ?? undefined) as Failure | undefined

export const projectOf = ({ project_id, project_name }: OutboxItem): KnownProject => ({
  Id: project_id,
  Name: project_name,
})

/** What a person can do about an item that has not come to a good end. */
export function buttonsFor({ id, state, is_asked }: OutboxItem): Button[] {
  if (state === 'settled' || (state === 'unclear' && !is_asked)) return []
  const [again, away] = is_asked ? ['It is not there: send it', 'It is there'] : ['Try again', 'Discard']
  return [
    { action_id: 'outbox:retry', label: again, value: id },
    { action_id: 'outbox:edit', label: 'Edit', value: id },
    { action_id: 'outbox:discard', label: away, value: id },
  ]
}

/** What the service found wrong with it, by field and for all of it. */
export function faultsOf(form: Form, item: OutboxItem): { faults: Record<string, string>; top: string[] } {
  const failure = failureOf(item)
  if (failure?.kind !== 'invalid') return { faults: {}, top: [] }
  const { errors, top } = placeErrors(form, failure.details)
  return { faults: errors, top }
}

const LONGEST = 200
const LONGEST_IN_ALL = 600

/** What was typed, field by field, for people to tell one item from another. */
export function summaryOf({ fields }: Form, item: OutboxItem): string {
  const typed = entriesOf(item)
  const lines = Object.entries(fields).flatMap(([name, { label }]) => {
    const words = wordsOf(typed[name])
    return words ? [`*${label}*: ${escaped(words.slice(0, LONGEST).replaceAll('\n', ' '))}`] : []
  })
  return shortenedEscaped(lines.join('\n'), LONGEST_IN_ALL) || '(What was typed is not kept any more.)'
}

const wordsOf = (value: Initial): string | undefined =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? value.label : value
