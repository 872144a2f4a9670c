import type { Actor } from '../slack/actor.ts'
import type { Bot } from '../slack/bot.ts'
import type { CompletionContext, Field, FieldNote } from './field.ts'
import { firstValue } from './fields.ts'
import type { Form } from './form.ts'
import type { FormValues } from './form-value.ts'

type FormContext = Omit<CompletionContext, 'project_id'> & { project_id: string | undefined }

/** Words that the fields can read, and a problem for each field whose words can't be completed. */
export type CompletionResult = { values: FormValues; problems: Record<string, string> }

export const needsCompletion = ({ completion }: Field<unknown>, text: string | undefined): boolean =>
  Boolean(text && completion?.matches(text))

export const hasWordsToComplete = ({ fields }: Form, values: FormValues): boolean =>
  Object.entries(fields).some(([name, field]) => needsCompletion(field, firstValue(values[name])))

export async function completeProjectWords(
  { fields }: Form,
  { project_id, ...context }: FormContext,
): Promise<CompletionResult> {
  const completed: CompletionResult = { values: {}, problems: {} }
  for (const [name, { completion }] of Object.entries(fields)) {
    const text = firstValue(context.values[name])
    if (!text || !completion?.matches(text)) continue
    const result = project_id
      ? await completion.complete(text, { ...context, project_id })
      : { problem: 'Pick a project first.' }
    if ('words' in result) completed.values[name] = result.words
    else {
      completed.values[name] = undefined
      completed.problems[name] = result.problem
    }
  }
  return completed
}

export const problemNotes = ({ problems }: CompletionResult): Record<string, FieldNote> =>
  Object.fromEntries(Object.entries(problems).map(([name, message]) => [name, { message }]))

/** The words that the form offers to fill in, by field. */
export async function findSuggestions(
  { fields }: Form,
  bot: Bot,
  actor: Actor,
): Promise<Record<string, string> | undefined> {
  const suggestions: Record<string, string> = {}
  for (const [name, { completion }] of Object.entries(fields))
    if (await completion?.isAvailable(bot, actor)) suggestions[name] = completion?.example ?? ''
  return Object.keys(suggestions).length ? suggestions : undefined
}
