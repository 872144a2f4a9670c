import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { findPerson } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import type { Choice, Scene } from './field.ts'
import { matching } from './fields.ts'
import type { Form } from './form.ts'
import { type Along, formView, INSTEAD, PICK } from './form-view.ts'
import { notesOf } from './notes.ts'
import { chosenProject, entryOf, labelOf, shownProject, standingIn } from './view-state.ts'

/** What there is to choose from, for what was typed so far. */
export async function lookUp(
  form: Form,
  name: string,
  { bot, asker, view, typed }: { bot: Bot; asker: Asker; view: ViewOutput; typed: string },
): Promise<Choice[]> {
  const { project: project_id }: Along = JSON.parse(view.private_metadata || '{}')
  const options = name === PICK ? form.pick?.options : form.fields[name]?.options
  if (!options || !project_id) return []
  return matching(await options({ bot, team_id: asker.team_id, project_id, typed }), typed)
}

/** Another project was chosen, or the thing to change, or something that is told of: the form follows. */
export async function follow(
  form: Form,
  { bot, asker, view, pressed }: { bot: Bot; asker: Asker; view: ViewOutput; pressed: Pressed },
): Promise<ModalView> {
  const along: Along = JSON.parse(view.private_metadata || '{}')
  const project = chosenProject(view)
  const changed = project && project.Id !== along.project
  const option = entryOf(view, PICK).selected_option
  const picked = option && !changed ? { value: option.value, label: labelOf(option) } : undefined
  const look = { bot, team_id: asker.team_id, project_id: project?.Id ?? '', typed: '' }
  const initial =
    picked && form.pick ? await form.pick.values({ ...look, id: picked.value }) : standingIn(form, view)
  const scene = { person: await findPerson(bot, asker), now: bot.world.now() }
  const instead = insteadOf(form, pressed, scene)
  const generation = (along.generation ?? 0) + 1
  // Where nothing new is to be put into them, what stands in the fields stays there.
  const next = picked || instead ? { ...along, generation } : along
  return formView(form, {
    ...shownProject(view),
    initial: { ...initial, ...instead?.initial },
    picked,
    notes: { ...notesOf(form, view, scene), ...instead?.notes },
    along: { ...next, project: project?.Id },
  })
}

/** What was pressed to have the form follow. */
export type Pressed = { block_id?: string; value?: string }

/** One of the readings that a field offered: its words take the place of what was typed. */
function insteadOf({ fields }: Form, { block_id = '', value = '' }: Pressed, scene: Scene) {
  if (!block_id.startsWith(INSTEAD)) return undefined
  const name = block_id.slice(INSTEAD.length)
  const note = fields[name]?.note?.({ value }, scene)
  return { initial: { [name]: value }, notes: { [name]: note ?? { say: value } } }
}
