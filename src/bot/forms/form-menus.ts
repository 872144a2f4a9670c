import type { OptionsSource } from '../slack/feature.ts'
import { accessForModal } from '../slack/permissions.ts'
import { LOAD_FAILED_CHOICE, searchAmong } from './fields.ts'
import type { Form } from './form.ts'
import { PROJECT_BLOCK, RECORD_BLOCK } from './form-blocks.ts'
import { parseActionId } from './form-view.ts'

/** Finds the form menu that an action id belongs to. */
export function findFormMenu(forms: Form[], action_id: string): OptionsSource | undefined {
  const { verb, name } = parseActionId(action_id)
  const form = forms.find((candidate) => candidate.verb === verb)
  if (!form) return undefined
  const formSearch = name === RECORD_BLOCK ? form.recordSelect?.search : form.fields[name]?.search
  const search = name === PROJECT_BLOCK ? searchProjects : formSearch
  // Guests can decide on a post, but only people who can view projects may list the projects.
  const permission = name === PROJECT_BLOCK && form.permission === 'decide' ? 'view' : form.permission
  return search && { access: accessForModal(permission, form.title), search }
}

export const searchProjects = searchAmong(async ({ bot, deadline }) => {
  const list = await bot.projectList.load(deadline)
  if ('failure' in list) return [LOAD_FAILED_CHOICE]
  return list.projects.map(({ Id, Name }) => ({ value: Id, label: Name }))
})
