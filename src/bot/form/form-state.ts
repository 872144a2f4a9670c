import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { NamedProject } from '../projects/projects.ts'
import type { InputState } from './field.ts'
import { UNAVAILABLE_CHOICE } from './fields.ts'
import type { Form } from './form.ts'
import { NOTIFY_BLOCK, PROJECT_BLOCK, RECORD_BLOCK } from './form-blocks.ts'
import type { Choice, FormValue, FormValues } from './form-value.ts'
import { type FormMetadata, type FormState, formView } from './form-view.ts'

export const readMetadata = ({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): FormMetadata =>
  JSON.parse(private_metadata || '{}')

export const inputState = ({ state }: ViewOutput, name: string): InputState =>
  (Object.values(state.values[name] ?? {})[0] ?? {}) as InputState

/** The values of all inputs. An updated view must repeat the ones that the user left unchanged. */
export const currentValues = ({ fields }: Form, view: ViewOutput): FormValues =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, currentValue(inputState(view, name))]))

function currentValue(input: InputState): FormValue {
  const { value, selected_options: options, selected_conversation: channel } = input
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

export function selectedRecord(view: ViewOutput): Choice | undefined {
  const input = inputState(view, RECORD_BLOCK)
  const { selected_user: user } = input
  return user ? { value: user, label: user } : selectedChoice(input)
}

export const wantsChannelNotified = (view: ViewOutput): boolean =>
  Boolean(inputState(view, NOTIFY_BLOCK).selected_options?.length)

export function selectedProject(view: ViewOutput): NamedProject | undefined {
  const choice = selectedChoice(inputState(view, PROJECT_BLOCK))
  return choice && { Id: choice.value, Name: choice.label }
}

function selectedChoice({ selected_option: option }: InputState): Choice | undefined {
  if (!option || option.value === UNAVAILABLE_CHOICE.value) return undefined
  return { value: option.value, label: option.text?.text ?? '' }
}

// Bolt types the blocks of a view as any kind of block. Only inputs have these properties.
type InputElement = {
  options?: { value: string; text: { text: string } }[]
  initial_value?: string
}

const inputElement = ({ blocks }: ViewOutput, block_id: string): InputElement | undefined =>
  (blocks.find((block) => block.block_id === block_id) as { element?: InputElement } | undefined)?.element

/** The project menu as the form shows it, so that the projects don't have to be loaded again. */
export function shownProjects(view: ViewOutput): Pick<FormState, 'projects' | 'project'> {
  const element = inputElement(view, PROJECT_BLOCK)
  if (!element) return {}
  const { options = [] } = element
  return {
    projects: options.length
      ? options.map(({ value, text }) => ({ Id: value, Name: text.text }))
      : 'searched',
    project: selectedProject(view),
  }
}

/** The block for a message that belongs to no field. */
export const firstInputBlock = ({ blocks }: ViewOutput): string =>
  blocks.find(({ type }) => type === 'input')?.block_id ?? ''

export const initialText = (view: ViewOutput, name: string): string =>
  inputElement(view, name)?.initial_value ?? ''

/** The open form with the user's input, and some changes. */
export const reopenForm = (form: Form, view: ViewOutput, changes: Partial<FormState>): ModalView =>
  formView(form, {
    values: currentValues(form, view),
    metadata: readMetadata(view),
    record: selectedRecord(view),
    notifyChannel: wantsChannelNotified(view),
    ...shownProjects(view),
    ...changes,
  })
