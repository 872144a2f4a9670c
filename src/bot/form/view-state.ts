import type { ViewOutput } from '@slack/bolt'
import type { KnownProject } from '../projects.ts'
import type { Choice, Entry, Initial } from './field.ts'
import { UNAVAILABLE } from './fields.ts'
import type { Form } from './form.ts'
import { type Along, type Filled, PICK, PROJECT, TELL } from './form-view.ts'

/** What came along with the open form. */
export const alongOf = ({ private_metadata }: Pick<ViewOutput, 'private_metadata'>): Along =>
  JSON.parse(private_metadata || '{}')

/** What stands in an input of the open form. */
export const entryOf = ({ state }: ViewOutput, name: string): Entry =>
  (Object.values(state.values[name] ?? {})[0] ?? {}) as Entry

/** What all inputs hold, for a view that takes this one's place: what nobody has touched must be given anew. */
export const standingIn = ({ fields }: Form, view: ViewOutput): Record<string, Initial> =>
  Object.fromEntries(
    Object.keys(fields).map((name) => {
      const entry = entryOf(view, name)
      const { value, selected_options: options, selected_conversation: channel } = entry
      if (options) return [name, options.map((one) => one.value)]
      return [name, choiceIn(entry) ?? channel ?? value ?? undefined]
    }),
  )

/** What the fields were filled in from: a thing of the project's, or a member of the workspace. */
export function pickedIn(view: ViewOutput): Choice | undefined {
  const entry = entryOf(view, PICK)
  const { selected_user: member } = entry
  return member ? { value: member, label: member } : choiceIn(entry)
}

/** Whether the channel is to be told, too. */
export const isTelling = (view: ViewOutput): boolean => Boolean(entryOf(view, TELL).selected_options?.length)

export function chosenProject(view: ViewOutput): KnownProject | undefined {
  const chosen = choiceIn(entryOf(view, PROJECT))
  return chosen && { Id: chosen.value, Name: chosen.label }
}

function choiceIn({ selected_option: option }: Entry): Choice | undefined {
  if (!option || option.value === UNAVAILABLE.value) return undefined
  return { value: option.value, label: option.text?.text ?? '' }
}

type Option = { value: string; text: { text: string } }

/** The projects as they stand in the form, so that it need not ask for them again. */
export function shownProject(view: ViewOutput): Pick<Filled, 'projects' | 'project'> {
  const block = view.blocks.find((one) => one.block_id === PROJECT)
  if (!block) return {}
  const { options = [] }: { options?: Option[] } = Object(Object(block).element)
  const project = chosenProject(view)
  const listed = options.map(({ value, text }) => ({ Id: value, Name: text.text }))
  return { projects: options.length ? listed : 'many', ...(project && { project }) }
}

/** Where a message stands that belongs to no field. */
export const firstInput = ({ blocks }: ViewOutput): string =>
  blocks.find(({ type }) => type === 'input')?.block_id ?? ''

/** What an input began with: an update says so where it was emptied since. */
export const beganWith = ({ blocks }: ViewOutput, name: string): string =>
  Object(Object(blocks.find(({ block_id }) => block_id === name)).element).initial_value ?? ''
