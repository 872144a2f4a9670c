import type { ViewOutput } from '@slack/bolt'
import type { Asker, Bot } from '../bot.ts'
import { listProjects } from '../projects.ts'
import type { Choice, Look } from './field.ts'
import { matching, UNAVAILABLE } from './fields.ts'
import type { Form } from './form.ts'
import { PICK, PROJECT } from './form-view.ts'
import { alongOf } from './view-state.ts'

type LookingUp = { bot: Bot; asker: Asker; view: ViewOutput; typed: string }

/** Of the three seconds that Slack waits for a list. */
export const LIST_TIME_MS = 2200

/** What there is to choose from, for what was typed so far. */
export async function lookUp(
  form: Form,
  name: string,
  { bot, asker, view, typed }: LookingUp,
): Promise<Choice[]> {
  const { project: project_id = '' } = alongOf(view)
  const options = optionsOf(form, name)
  if (!options) return []
  try {
    return matching(await options({ bot, asker, project_id, typed, deadlineMs: LIST_TIME_MS }), typed)
  } catch (err) {
    bot.log.error({ err, form: form.verb, name }, 'a list could not be had')
    return [UNAVAILABLE]
  }
}

function optionsOf(form: Form, name: string): ((look: Look) => Promise<Choice[]>) | undefined {
  if (name === PROJECT) return projectOptions
  return name === PICK ? form.pick?.options : form.fields[name]?.options
}

/** More of them than a plain list can hold. */
async function projectOptions({ bot, deadlineMs }: Look): Promise<Choice[]> {
  const listed = await listProjects(bot, deadlineMs)
  if ('failure' in listed) return [UNAVAILABLE]
  return listed.projects.map(({ Id, Name }) => ({ value: Id, label: Name }))
}
