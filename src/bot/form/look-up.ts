import type { ViewOutput } from '@slack/bolt'
import type { Asker, Bot } from '../bot.ts'
import type { Choice } from './field.ts'
import { matching } from './fields.ts'
import type { Form } from './form.ts'
import { type Along, PICK } from './form-view.ts'

type LookingUp = { bot: Bot; asker: Asker; view: ViewOutput; typed: string }

/** What there is to choose from, for what was typed so far. */
export async function lookUp(
  form: Form,
  name: string,
  { bot, asker, view, typed }: LookingUp,
): Promise<Choice[]> {
  const { project: project_id }: Along = JSON.parse(view.private_metadata || '{}')
  const options = name === PICK ? form.pick?.options : form.fields[name]?.options
  if (!options || !project_id) return []
  return matching(await options({ bot, asker, project_id, typed }), typed)
}
