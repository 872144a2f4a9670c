import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { findPerson } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { chooseProject } from '../projects.ts'
import { report } from '../trouble.ts'
import { cutIn } from './cut-in.ts'
import type { Entry, Filling, Look, Scene } from './field.ts'
import type { Form } from './form.ts'
import { type Filled, formView, INSTEAD, PICK } from './form-view.ts'
import { notesFor } from './notes.ts'
import {
  alongOf,
  chosenProject,
  entryOf,
  isTelling,
  pickedIn,
  shownProject,
  standingIn,
} from './view-state.ts'

/** What was pressed to have the form follow, and what it holds. */
export type Pressed = Entry & { block_id: string }

type Following = { bot: Bot; asker: Asker; view: ViewOutput; pressed: Pressed }

/** Nobody waits for more than that before an open form. */
const FETCH_TIME_MS = 5000

/** Another project was chosen, or the thing to change, or something that is told of: the form follows. */
export async function follow(form: Form, { bot, asker, view, pressed }: Following): Promise<ModalView> {
  const along = alongOf(view)
  const [person, found] = await Promise.all([
    findPerson(bot, asker),
    shownProject(view).projects
      ? shownProject(view)
      : findAgain(bot, { ...asker, channel_id: along.channel }),
  ])
  const tell = (failure: Parameters<typeof report>[2]) =>
    report(bot, { asker, person, isLooking: true }, failure)
  const scene = { person, now: bot.runtime.now() }
  const project = chosenProject(view) ?? found.project
  const isMoved = along.project !== undefined && project?.Id !== along.project
  // What was picked in another project is not in this one; people are in all.
  const picked = isMoved && form.pick?.options ? undefined : pickedIn(view)
  const look = { bot, asker, project_id: project?.Id ?? '', typed: '', deadlineMs: FETCH_TIME_MS }
  const filling =
    picked && pressed.block_id === PICK
      ? await form.pick?.fill?.({ ...look, id: picked.value })
      : await fillEmpty(form, view, pressed, look)
  const values = filling && 'values' in filling ? filling.values : {}
  const instead = insteadOf(form, view, pressed, scene)
  const initial = {
    ...standingIn(form, view),
    ...(isMoved && emptiedByMoving(form)),
    ...values,
    ...instead,
  }
  const top = [
    'failure' in found && found.failure ? tell(found.failure) : [],
    filling && 'failure' in filling ? tell(filling.failure) : [],
    cutIn(form, values),
  ]
  const isNew = isMoved || instead || Object.keys(values).length > 0
  return formView(form, {
    ...found,
    project,
    initial,
    picked,
    isTelling: isTelling(view),
    top: top.flat().join(' '),
    notes: notesFor(
      form,
      (name) => (instead && name in instead ? { value: instead[name] ?? null } : entryOf(view, name)),
      scene,
    ),
    along: {
      ...along,
      // Where nothing new is to be put into them, what stands in the fields stays there.
      ...(isNew && { generation: (along.generation ?? 0) + 1 }),
      project: project?.Id,
    },
  })
}

/** What was chosen in a field may have something for others; what was written there stays. */
async function fillEmpty(
  form: Form,
  view: ViewOutput,
  pressed: Pressed,
  look: Look,
): Promise<Filling | undefined> {
  const id = pressed.selected_option?.value
  const filling = id ? await form.fields[pressed.block_id]?.fill?.({ ...look, id }) : undefined
  if (!filling || 'failure' in filling) return filling
  const standing = standingIn(form, view)
  return { values: Object.fromEntries(Object.entries(filling.values).filter(([name]) => !standing[name])) }
}

/** The form opened while there was no way to find them, or before they had come. */
async function findAgain(bot: Bot, asker: Asker) {
  const chosen = await chooseProject(bot, asker, FETCH_TIME_MS)
  if ('failure' in chosen) return { failure: chosen.failure, isLost: true, project: undefined }
  return 'project' in chosen ? chosen : { projects: chosen.unsure, project: undefined }
}

const emptiedByMoving = ({ fields }: Form): Filled['initial'] =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { isOfProject }]) => (isOfProject ? [[name, undefined]] : [])),
  )

/** One of the readings that a field offered, or a moment out of its picker: the words take the place of what was typed. */
function insteadOf(
  { fields }: Form,
  view: ViewOutput,
  { block_id, ...entry }: Pressed,
  scene: Scene,
): Record<string, string> | undefined {
  if (!block_id.startsWith(INSTEAD)) return undefined
  const name = block_id.slice(INSTEAD.length)
  const value = entry.value ?? fields[name]?.picker?.words(entry, scene, entryOf(view, name))
  return value ? { [name]: value } : undefined
}
