import type { ViewOutput } from '@slack/bolt'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { listProjects } from '../projects/projects.ts'
import type { SearchContext } from './field.ts'
import { filterChoices, UNAVAILABLE_CHOICE } from './fields.ts'
import type { Form } from './form.ts'
import { PROJECT_BLOCK, RECORD_BLOCK } from './form-blocks.ts'
import { readMetadata } from './form-state.ts'
import type { Choice } from './form-value.ts'

type MenuSearch = { bot: Bot; actor: Actor; view: ViewOutput; query: string }

/** Slack waits 3 s for the options of a menu. This is the share the API may use. */
export const OPTIONS_TIMEOUT_MS = 2200

/** The options of a form's menu for what the user typed so far. */
export async function searchFormOptions(
  form: Form,
  name: string,
  { bot, actor, view, query }: MenuSearch,
): Promise<Choice[]> {
  const { project: project_id = '' } = readMetadata(view)
  const search = searchFor(form, name)
  if (!search) return []
  try {
    const choices = await search({ bot, actor, project_id, query, deadlineMs: OPTIONS_TIMEOUT_MS })
    return filterChoices(choices, query)
  } catch (err) {
    bot.log.error({ err, form: form.verb, menu: name }, 'Loading the options of a menu failed')
    return [UNAVAILABLE_CHOICE]
  }
}

function searchFor(form: Form, name: string): ((context: SearchContext) => Promise<Choice[]>) | undefined {
  if (name === PROJECT_BLOCK) return searchProjects
  return name === RECORD_BLOCK ? form.recordSelect?.search : form.fields[name]?.search
}

export async function searchProjects({
  bot,
  deadlineMs,
}: Pick<SearchContext, 'bot' | 'deadlineMs'>): Promise<Choice[]> {
  const list = await listProjects(bot, deadlineMs)
  if ('failure' in list) return [UNAVAILABLE_CHOICE]
  return list.projects.map(({ Id, Name }) => ({ value: Id, label: Name }))
}
