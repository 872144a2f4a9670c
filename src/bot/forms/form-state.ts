import type { ViewOutput } from '@slack/bolt'
import { postTime, postZone } from '../../api/timestamps.ts'
import type { ReadingContext } from '../../time/reading.ts'
import type { Choice } from '../slack/message-blocks.ts'
import type { UserProfile } from '../slack/profile.ts'
import type { ProjectChoice } from '../slack/projects.ts'
import type { FieldNote, InputState } from './field.ts'
import { LOAD_FAILED_CHOICE } from './fields.ts'
import type { Form } from './form.ts'
import { NOTIFY_BLOCK, PROJECT_BLOCK, type ProjectState, RECORD_BLOCK } from './form-blocks.ts'
import type { FormMetadata } from './form-metadata.ts'
import type { FormValue, FormValues } from './form-value.ts'

/** Everything that a form shows. */
export type FormState = ProjectState & {
  metadata: FormMetadata
  values: FormValues
  record?: Choice | undefined
  errors?: Record<string, string> | undefined
  notes?: Record<string, FieldNote>
  message?: string
  notifyChannel?: boolean
  /** The user has just opened the form, so the cursor goes to the first field that is empty. */
  isNew?: boolean
}

/** Reads everything that an open form shows, because an updated view must also repeat the unchanged input. */
export function readFormState({ fields }: Form, view: ViewOutput): FormState {
  const names = Object.keys(fields)
  return {
    metadata: readMetadata(view),
    values: Object.fromEntries(names.map((name) => [name, currentValue(inputState(view, name))])),
    ...readProjectState(view),
    record: selectedRecord(view),
    notifyChannel: Boolean(inputState(view, NOTIFY_BLOCK).selected_options?.length),
  }
}

export const readMetadata = ({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): FormMetadata =>
  JSON.parse(private_metadata || '{}')

export function inputState(view: ViewOutput, name: string): InputState {
  const { attachment } = readMetadata(view)
  return attachment?.field === name ? attachment.input : enteredInput(view, name)
}

/** The state of the input itself, even if an attachment replaces the input. */
export const enteredInput = (view: ViewOutput, name: string): InputState =>
  (Object.values(view.state.values[name] ?? {})[0] ?? {}) as InputState

/** The view as if the user had typed these values. */
export function replaceInputs(view: ViewOutput, values: FormValues): ViewOutput {
  const inputs = { ...view.state.values }
  for (const [name, value] of Object.entries(values)) {
    const [[action_id, input] = []] = Object.entries(inputs[name] ?? {})
    if (action_id && input) inputs[name] = { [action_id]: { ...input, value: String(value) } }
  }
  return { ...view, state: { values: inputs } }
}

function currentValue(input: InputState): FormValue {
  const { value, selected_options: options, selected_users: users, selected_conversation: channel } = input
  if (users) return users
  if (options) return options.map((option) => option.value)
  return selectedChoice(input) ?? channel ?? value ?? undefined
}

/** The state of an input that shows this value, as Slack would report it. */
export function toInputState(value: FormValue): InputState {
  if (value === undefined) return {}
  if (Array.isArray(value)) return { selected_options: value.map((item) => ({ value: item })) }
  if (typeof value === 'object') return { selected_option: value }
  return { value, selected_option: { value }, selected_conversation: value }
}

function selectedRecord(view: ViewOutput): Choice | undefined {
  const input = inputState(view, RECORD_BLOCK)
  const { selected_user: user } = input
  return user ? { value: user, label: user } : selectedChoice(input)
}

function selectedChoice({ selected_option: option }: InputState): Choice | undefined {
  if (!option || option.value === LOAD_FAILED_CHOICE.value) return undefined
  return { value: option.value, label: option.text?.text ?? '' }
}

/** A form that changes an existing record offers only the record's project, because records can't change projects. */
export function toProjectState(choice: ProjectChoice, { opened }: Partial<FormMetadata>): ProjectState {
  if (choice.kind === 'failed') return { projectsFailed: true }
  const project = choice.kind === 'chosen' ? choice.project : undefined
  return { projects: opened && project ? [project] : choice.projects, project }
}

// Bolt types the blocks of a view as any kind of block. Only inputs have these properties.
type InputElement = { options?: { value: string; text: { text: string } }[]; initial_value?: string }

const inputElement = ({ blocks }: ViewOutput, block_id: string): InputElement | undefined =>
  (blocks.find((block) => block.block_id === block_id) as { element?: InputElement } | undefined)?.element

/**
 * Returns the context for reading the words in a form: the current time, the user's zone and language, and the time of
 * the post that the form changes.
 */
export function readingContext(
  { zone, locale }: UserProfile,
  now: Date,
  { opened }: Pick<FormMetadata, 'opened'>,
): ReadingContext {
  const at = opened && postTime(opened)?.toJSDate()
  return { now, zone, locale, post: at && { at, zone: postZone(opened) } }
}

/** The project menu as the form shows it, so that the projects don't have to be loaded again. */
function readProjectState(view: ViewOutput): ProjectState {
  const menu = inputElement(view, PROJECT_BLOCK)
  if (!menu) return {}
  const choice = selectedChoice(inputState(view, PROJECT_BLOCK))
  return {
    projects: menu.options?.map(({ value, text }) => ({ Id: value, Name: text.text })) ?? 'searched',
    project: choice && { Id: choice.value, Name: choice.label },
  }
}

/** Slack needs a block for each error, so errors that belong to no field appear under the first input. */
export const firstInputBlockId = ({ blocks }: ViewOutput): string =>
  blocks.find(({ type }) => type === 'input')?.block_id ?? ''

export const initialText = (view: ViewOutput, name: string): string =>
  inputElement(view, name)?.initial_value ?? ''
