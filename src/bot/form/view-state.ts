import type { ViewOutput } from '@slack/bolt'
import type { KnownProject } from '../projects.ts'
import type { Choice, Entry, Initial } from './field.ts'
import type { Form } from './form.ts'
import { PICK, PROJECT, TELL } from './form-view.ts'

/** What stands in an input of the open form. */
export const entryOf = ({ state }: ViewOutput, name: string): Entry =>
  (Object.values(state.values[name] ?? {})[0] ?? {}) as Entry

/** What all inputs hold, for a view that takes this one's place: what nobody has touched must be given anew. */
export const standingIn = ({ fields }: Form, view: ViewOutput): Record<string, Initial> =>
  Object.fromEntries(
    Object.keys(fields).map((name) => {
      const { value, selected_option: option, selected_options: options } = entryOf(view, name)
      if (options) return [name, options.map((one) => one.value)]
      return [name, option ? { value: option.value, label: labelOf(option) } : (value ?? undefined)]
    }),
  )

const labelOf = (option: object): string => String(Object(Object(option).text).text ?? '')

/** What the fields were filled in from: a thing of the project's, or a member of the workspace. */
export function pickedIn(view: ViewOutput): Choice | undefined {
  const { selected_option: option, selected_user: member } = entryOf(view, PICK)
  if (option) return { value: option.value, label: labelOf(option) }
  return member ? { value: member, label: member } : undefined
}

/** Whether the channel is to be told, too. */
export const isTelling = (view: ViewOutput): boolean => Boolean(entryOf(view, TELL).selected_options?.length)

export function chosenProject(view: ViewOutput): KnownProject | undefined {
  const chosen = Object.values(view.state.values[PROJECT] ?? {})[0]?.selected_option
  return chosen ? { Id: chosen.value, Name: chosen.text.text } : undefined
}

/** The projects as they stand in the form, so that it need not ask for them again. */
export function shownProject(view: ViewOutput): { projects?: KnownProject[]; project?: KnownProject } {
  const block = view.blocks.find((one) => one.block_id === PROJECT)
  const options: { value: string; text: { text: string } }[] = Object(Object(block).element).options ?? []
  if (!options.length) return {}
  const project = chosenProject(view)
  const projects = options.map(({ value, text }) => ({ Id: value, Name: text.text }))
  return { projects, ...(project && { project }) }
}

/** Where a message stands that belongs to no field. */
export const firstInput = ({ blocks }: ViewOutput): string =>
  blocks.find(({ type }) => type === 'input')?.block_id ?? ''
