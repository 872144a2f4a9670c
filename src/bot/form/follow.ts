import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { findPerson } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import type { Entry, Scene } from './field.ts'
import type { Form } from './form.ts'
import { type Along, formView, INSTEAD, PICK } from './form-view.ts'
import { notesOf } from './notes.ts'
import { chosenProject, pickedIn, shownProject, standingIn } from './view-state.ts'

/** What was pressed to have the form follow, and what it holds. */
export type Pressed = Entry & { block_id: string }

type Following = { bot: Bot; asker: Asker; view: ViewOutput; pressed: Pressed }

/** Another project was chosen, or the thing to change, or something that is told of: the form follows. */
export async function follow(form: Form, { bot, asker, view, pressed }: Following): Promise<ModalView> {
  const along: Along = JSON.parse(view.private_metadata || '{}')
  const project = chosenProject(view)
  const isMoved = project && project.Id !== along.project
  // What was picked in another project is not in this one; people are in all.
  const picked = isMoved && form.pick?.options ? undefined : pickedIn(view)
  const look = { bot, asker, project_id: project?.Id ?? '', typed: '' }
  const values =
    picked && pressed.block_id === PICK ? await form.pick?.values({ ...look, id: picked.value }) : undefined
  const scene = { person: await findPerson(bot, asker), now: bot.world.now() }
  const instead = insteadOf(form, pressed, scene)
  const generation = (along.generation ?? 0) + 1
  return formView(form, {
    ...shownProject(view),
    initial: { ...standingIn(form, view), ...values, ...instead?.initial },
    picked,
    notes: { ...notesOf(form, view, scene), ...instead?.notes },
    along: {
      ...along,
      // Where nothing new is to be put into them, what stands in the fields stays there.
      ...((values || instead) && { generation }),
      project: project?.Id,
    },
  })
}

/** One of the readings that a field offered, or a moment out of its picker: the words take the place of what was typed. */
function insteadOf({ fields }: Form, { block_id, ...entry }: Pressed, scene: Scene) {
  if (!block_id.startsWith(INSTEAD)) return undefined
  const name = block_id.slice(INSTEAD.length)
  const value = entry.value ?? fields[name]?.picker?.words(entry, scene)
  if (!value) return undefined
  const note = fields[name]?.note?.({ value }, scene)
  return { initial: { [name]: value }, notes: { [name]: note ?? { say: value } } }
}
