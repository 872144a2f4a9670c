import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { claimSubmission, releaseSubmission, settleSubmission } from '../../store/submissions.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { sendCreation } from '../outbox/send-creation.ts'
import { chooseProject, type KnownProject, rememberProject } from '../projects.ts'
import { buttons, context, escaped, type Reply } from '../reply.ts'
import { type Failure, report } from '../trouble.ts'
import type { Scene } from './field.ts'
import type { Form } from './form.ts'
import { type Along, type Filled, formView, PICK } from './form-view.ts'
import { notesOf } from './notes.ts'
import { placeErrors } from './place-errors.ts'
import { chosenProject, entryOf, isTelling, pickedIn, shownProject, standingIn } from './view-state.ts'

/** What Slack is told: nothing closes the form. */
export type Answer =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update'; view: ModalView }
  | undefined

export type Submitted = {
  answer: Answer
  /** For the person, where they asked. */
  reply?: Reply
  /** For the channel, where they chose to tell it. */
  forAll?: Reply | undefined
  channel?: string | undefined
}

/** Of the three seconds, what the API gets; the rest is for the way to Slack and back. */
export const API_TIME_MS = 2300

/** Of that, what looking it over may take. */
const CHECK_TIME_MS = 700

/** It travels with the form, which carries 3,000 characters of ours. */
const LONGEST_WARNING = 2000

type Sending = {
  bot: Bot
  asker: Asker
  view: ViewOutput
  along: Along
  scene: Scene
  /** The same form once more, with all that stands in it. */
  again: (top: string, other?: Partial<Filled> & { warned?: string }) => Submitted
}

export async function submitForm(form: Form, bot: Bot, asker: Asker, view: ViewOutput): Promise<Submitted> {
  const along: Along = JSON.parse(view.private_metadata || '{}')
  const person = await findPerson(bot, asker, { isAfresh: true })
  const scene = { person, now: bot.world.now() }
  const again: Sending['again'] = (top, { warned = along.warned, ...other } = {}) => ({
    answer: {
      response_action: 'update',
      view: formView(form, {
        initial: standingIn(form, view),
        along: { ...along, ...(warned && { warned }) },
        top,
        notes: notesOf(form, view, scene),
        picked: pickedIn(view),
        isTelling: isTelling(view),
        ...shownProject(view),
        ...other,
      }),
    },
  })
  const refusal = refusalFor(bot, person, form.right)
  if (refusal) return again(refusal)
  const sending: Sending = { bot, asker, view, along, scene, again }
  const project = chosenProject(view)
  if (!project) return findProjects(sending)
  const taken = takeFields(form, view, scene)
  if ('errors' in taken) return { answer: { response_action: 'errors', errors: taken.errors } }

  const complete = { ...sending, project, body: taken.body }
  const objections = await objectionsTo(form, complete)
  if (objections) return objections
  return form.creates ? sendCreation(form, complete) : sendChange(form, complete)
}

/** The form opened while there was no way to find them: nobody is to write it all anew for that. */
async function findProjects({ bot, asker, along, scene, again }: Sending): Promise<Submitted> {
  const chosen = await chooseProject(bot, { ...asker, channel_id: along.channel }, API_TIME_MS)
  if ('failure' in chosen) {
    const kept = 'What you wrote is still here.'
    return again(report(bot, { asker, person: scene.person, kept }, chosen.failure), { isLost: true })
  }
  return 'project' in chosen
    ? again('The projects are here now: look at the one that is chosen, and send it off again.', chosen)
    : again('Choose a project first.', { projects: chosen.unsure })
}

export type Complete = Sending & { project: KnownProject; body: Record<string, unknown> }

/** What stands in the way, and what is pointed out once. */
async function objectionsTo(form: Form, complete: Complete): Promise<Submitted | undefined> {
  const { bot, along, project, scene, body, again } = complete
  const reader = { zone: scene.person.zone, now: scene.now, project }
  const checking = { api: bot.api, project, reader, deadlineMs: CHECK_TIME_MS }
  const { errors, warnings } = (await form.check?.(body, checking)) ?? { errors: {}, warnings: [] }
  if (Object.keys(errors).length) return { answer: { response_action: 'errors', errors } }
  const warned = warnings.join(' ').slice(0, LONGEST_WARNING)
  return warned && warned !== along.warned
    ? again(`${warned} Send it off once more to have it as it is.`, { warned })
    : undefined
}

/** A change comes to the same twice: what does not go through is the person's to send again. */
async function sendChange(form: Form, complete: Complete): Promise<Submitted> {
  const { bot, view, project, scene, body, again } = complete
  const claim = await claimSubmission(bot.db, { view_id: view.id, now: scene.now })
  if (claim === 'settled') return { answer: undefined }
  if (claim === 'taken') return again('This is on its way already.')
  const outcome = await form.send(body, {
    api: bot.api,
    project,
    deadlineMs: API_TIME_MS - (bot.world.now().getTime() - scene.now.getTime()),
    picked: entryOf(view, PICK).selected_option?.value ?? '',
  })
  const mark = outcome.kind === 'ok' ? settleSubmission : releaseSubmission
  // The claim lapses by itself; what was sent was sent, marked or not.
  await mark(bot.db, view.id).catch((error) => bot.log.error({ error }, 'a submission could not be marked'))
  return outcome.kind === 'ok' ? succeeded(form, complete, outcome.data) : refused(form, complete, outcome)
}

export async function succeeded(form: Form, complete: Complete, data: unknown): Promise<Submitted> {
  const { bot, asker, view, along, project, scene } = complete
  try {
    await rememberProject(bot, asker, project.Id)
    await form.keep?.(data, { bot, asker, project })
  } catch (error) {
    // It was sent: that it could not be remembered is no reason to say otherwise.
    bot.log.error({ error, form: form.verb }, 'what was sent could not be remembered')
  }
  const { text, blocks = [] } = form.done(data, { zone: scene.person.zone, now: scene.now, project })
  return {
    answer: undefined,
    reply: { text, blocks: [...blocks, ...buttons(...form.next(data))] },
    ...(isTelling(view) && { forAll: { text, blocks: [...blocks, context(`By <@${asker.user_id}>`)] } }),
    channel: along.channel,
  }
}

export function refused(form: Form, { bot, asker, scene, again }: Sending, failure: Failure): Submitted {
  if (failure.kind === 'invalid' && failure.details.length) {
    const { errors, top } = placeErrors(form, failure.details)
    const [first] = Object.keys(errors)
    if (!first) return again(escaped(top.join('\n')))
    // Slack takes either messages under fields or another view: what belongs to no field joins the first.
    if (top.length) errors[first] = [errors[first], ...top].join(' ')
    return { answer: { response_action: 'errors', errors } }
  }
  const kept = 'What you wrote is still here.'
  return again(report(bot, { asker, person: scene.person, kept }, failure))
}

type TakenFields = { body: Record<string, unknown> } | { errors: Record<string, string> }

function takeFields(form: Form, view: ViewOutput, scene: Scene): TakenFields {
  const body: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const [name, field] of Object.entries(form.fields)) {
    const taken = field.take(entryOf(view, name), scene)
    if (!taken) continue
    if ('fault' in taken) errors[name] = taken.fault
    else for (const [index, key] of [name, ...field.also].entries()) body[key] = taken.values[index]
  }
  return Object.keys(errors).length ? { errors } : { body }
}
