import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { ApiFailure } from '../../api/result.ts'
import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { reportFailure } from '../errors.ts'
import type { UserProfile } from '../people/profile.ts'
import { chooseProject } from '../projects/projects.ts'
import type { FormContext, InputState, Prefill, SearchContext } from './field.ts'
import { fieldNotes, truncationWarnings } from './field-notes.ts'
import type { Form } from './form.ts'
import { ALTERNATIVES_PREFIX, RECORD_BLOCK } from './form-blocks.ts'
import {
  currentValues,
  inputState,
  readMetadata,
  reopenForm,
  selectedProject,
  selectedRecord,
  shownProjects,
} from './form-state.ts'
import type { FormValues } from './form-value.ts'
import type { FormState } from './form-view.ts'

/** The input or button whose change Slack reported. */
export type ChangedInput = InputState & { block_id: string }

type FieldChange = {
  bot: Bot
  actor: Actor
  profile: UserProfile
  view: ViewOutput
  input: ChangedInput
}

const LOAD_TIMEOUT_MS = 5000

/** Updates an open form after a change: another project, another record, other words for a date. */
export async function handleFieldChange(form: Form, change: FieldChange): Promise<ModalView> {
  const { bot, actor, profile, view, input } = change
  const metadata = readMetadata(view)
  const context = { profile, now: bot.runtime.now() }
  const menu = shownProjects(view).projects
    ? { projectState: shownProjects(view), failure: undefined }
    : await reloadProjects(bot, { ...actor, channel_id: metadata.channel })
  const project = selectedProject(view) ?? menu.projectState.project
  const isOtherProject = metadata.project !== undefined && project?.Id !== metadata.project
  // Records belong to a project; workspace members don't.
  const record = isOtherProject && form.recordSelect?.search ? undefined : selectedRecord(view)
  const search = {
    bot,
    actor,
    project_id: project?.Id ?? '',
    query: '',
    deadlineMs: LOAD_TIMEOUT_MS,
  }
  const prefill =
    record && input.block_id === RECORD_BLOCK
      ? await form.recordSelect?.prefill?.({ ...search, id: record.value })
      : await prefillEmptyFields(form, view, input, search)
  const loadedValues = prefill && 'values' in prefill ? prefill.values : {}
  const replacement = replacementText(form, view, input, context)
  const values = {
    ...currentValues(form, view),
    ...(isOtherProject && clearedProjectFields(form)),
    ...loadedValues,
    ...replacement,
  }
  const explain = (failure: ApiFailure) =>
    reportFailure(bot, { user_id: actor.user_id, profile, isRead: true }, failure)
  const messages = [
    menu.failure ? explain(menu.failure) : '',
    prefill && 'failure' in prefill ? explain(prefill.failure) : '',
    ...truncationWarnings(form, loadedValues),
  ]
  const hasNewValues = isOtherProject || replacement || Object.keys(loadedValues).length > 0
  const generation = (metadata.generation ?? 0) + (hasNewValues ? 1 : 0)
  return reopenForm(form, view, {
    ...menu.projectState,
    project,
    values,
    record,
    message: messages.filter(Boolean).join(' '),
    notes: fieldNotes(
      form,
      (name) =>
        replacement && name in replacement ? { value: replacement[name] ?? null } : inputState(view, name),
      context,
    ),
    metadata: { ...metadata, generation, project: project?.Id },
  })
}

/** A choice may have values for other fields, but never replaces what the user entered. */
async function prefillEmptyFields(
  form: Form,
  view: ViewOutput,
  { block_id, selected_option }: ChangedInput,
  search: SearchContext,
): Promise<Prefill | undefined> {
  const id = selected_option?.value
  const prefill = id ? await form.fields[block_id]?.prefill?.({ ...search, id }) : undefined
  if (!prefill || 'failure' in prefill) return prefill
  const current = currentValues(form, view)
  return { values: Object.fromEntries(Object.entries(prefill.values).filter(([name]) => !current[name])) }
}

type ProjectMenu = {
  projectState: Pick<FormState, 'projects' | 'project' | 'projectsFailed'>
  failure: ApiFailure | undefined
}

/** The form was opened while the projects could not be loaded. */
async function reloadProjects(bot: Bot, actor: Actor): Promise<ProjectMenu> {
  const choice = await chooseProject(bot, actor, { deadlineMs: LOAD_TIMEOUT_MS })
  if (choice.kind === 'failed') return { projectState: { projectsFailed: true }, failure: choice.failure }
  const { projects } = choice
  const project = choice.kind === 'chosen' ? choice.project : undefined
  return { projectState: { projects, project }, failure: undefined }
}

const clearedProjectFields = ({ fields }: Form): FormValues =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { belongsToProject }]) => belongsToProject)
      .map(([name]) => [name, undefined]),
  )

/** The text of an alternative or a picker that replaces the field's text. */
function replacementText(
  { fields }: Form,
  view: ViewOutput,
  { block_id, ...input }: ChangedInput,
  context: FormContext,
): Record<string, string> | undefined {
  if (!block_id.startsWith(ALTERNATIVES_PREFIX)) return undefined
  const name = block_id.slice(ALTERNATIVES_PREFIX.length)
  const text = input.value ?? fields[name]?.picker?.toText(input, context, inputState(view, name))
  return text ? { [name]: text } : undefined
}
