import type { ViewOutput } from '@slack/bolt'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { listProjects } from '../projects/projects.ts'
import type { Search } from './field.ts'
import { filterChoices, UNAVAILABLE_CHOICE } from './fields.ts'
import type { Form } from './form.ts'
import { PROJECT_BLOCK, RECORD_BLOCK } from './form-blocks.ts'
import { readMetadata } from './form-state.ts'
import type { Choice } from './form-value.ts'

type MenuSearch = { bot: Bot; actor: Actor; view: ViewOutput; query: string }

/** Slack waits 3 s for the options of a menu. This is the share the API may use. */
export const OPTIONS_TIMEOUT_MS = 2200

/** The options of a form's menu for what the user typed so far. */
export async function searchFormOptions(form: Form, name: string, menu: MenuSearch): Promise<Choice[]> {
  const { bot, actor, view, query } = menu
  const { project: project_id = '' } = readMetadata(view)
  const search = searchOf(form, name)
  if (!search) return []
  return filterChoices(await search({ bot, actor, project_id, query, deadlineMs: OPTIONS_TIMEOUT_MS }), query)
}

function searchOf(form: Form, name: string): Search | undefined {
  if (name === PROJECT_BLOCK) return searchProjects
  return name === RECORD_BLOCK ? form.recordSelect?.search : form.fields[name]?.search
}

export async function searchProjects(search: { bot: Bot; deadlineMs: number }): Promise<Choice[]> {
  const list = await listProjects(search.bot, search.deadlineMs)
  if ('failure' in list) return [UNAVAILABLE_CHOICE]
  return list.projects.map(({ Id, Name }) => ({ value: Id, label: Name }))
}
