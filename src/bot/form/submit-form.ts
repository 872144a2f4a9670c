import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { claimSubmission, releaseSubmission, settleSubmission } from '../../store/submissions.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { sendCreation } from '../outbox/send-creation.ts'
import type { Reader } from '../posts.ts'
import { chooseProject, type KnownProject, rememberProject } from '../projects.ts'
import { context, escaped } from '../reply.ts'
import type { News } from '../tell.ts'
import { type Failure, report, STILL_HERE } from '../trouble.ts'
import type { Scene } from './field.ts'
import type { Form } from './form.ts'
import { type Along, type Filled, PICK } from './form-view.ts'
import { notesOf } from './notes.ts'
import { placeErrors, type Wrong } from './place-errors.ts'
import { sameView } from './same-view.ts'
import { alongOf, beganWith, chosenProject, entryOf, isTelling, pickedIn } from './view-state.ts'

/** What Slack is told: nothing closes the form. */
export type Answer =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update'; view: ModalView }
  | undefined

export type Submitted = {
  answer: Answer
  /** Where it went through. */
  news?: News
  /** Where they asked. */
  asked?: Pick<Along, 'channel' | 'response_url'>
  /** What is done once Slack has been answered. */
  remember?: () => Promise<void>
}

/** Of the three seconds, what is left for the API after all that comes before; the rest is for the way to Slack. */
const ANSWER_TIME_MS = 2300

/** Of that, what looking it over may take. */
const CHECK_TIME_MS = 700

/** It travels with the form, which carries 3,000 characters of ours. */
const LONGEST_WARNED = 2000

type Sending = {
  bot: Bot
  asker: Asker
  view: ViewOutput
  along: Along
  scene: Scene
  /** How much of the time is left. */
  leftMs: () => number
  /** The same form once more, with all that stands in it. */
  again: (top: string, other?: Partial<Filled> & { warned?: string }) => Submitted
}

export async function submitForm(form: Form, bot: Bot, asker: Asker, view: ViewOutput): Promise<Submitted> {
  const startedAt = performance.now()
  const along = alongOf(view)
  const person = await findPerson(bot, asker, { isAfresh: true })
  const scene = { person, now: bot.runtime.now() }
  const again: Sending['again'] = (top, { warned = along.warned, ...other } = {}) => ({
    answer: {
      response_action: 'update',
      view: sameView(form, view, {
        along: { ...along, ...(warned && { warned }) },
        top,
        notes: notesOf(form, view, scene),
        ...other,
      }),
    },
  })
  const leftMs = () => Math.max(1, Math.round(ANSWER_TIME_MS - (performance.now() - startedAt)))
  const refusal = refusalFor(bot, person, form.right)
  if (refusal) return again(refusal)
  const sending: Sending = { bot, asker, view, along, scene, leftMs, again }
  const project = chosenProject(view)
  if (!project) return findProjects(sending)
  const taken = takeFields(form, view, scene)
  const wrong = [...taken.wrong, ...faultsIn(form, taken, scene)]
  if (wrong.length) return objectTo(form, wrong, again)
  const complete = { ...sending, project, body: taken.body }
  const objection = await warnOf(form, complete)
  if (objection) return objection
  return form.creates ? sendCreation(form, complete) : sendChange(form, complete)
}

/** The form opened while there was no way to find them: nobody is to write it all anew for that. */
async function findProjects({ bot, asker, along, scene, leftMs, again }: Sending): Promise<Submitted> {
  const chosen = await chooseProject(bot, { ...asker, channel_id: along.channel }, leftMs())
  if ('failure' in chosen) {
    const met = { asker, person: scene.person, kept: STILL_HERE, isLooking: true }
    return again(report(bot, met, chosen.failure), { isLost: true })
  }
  return 'project' in chosen
    ? again('The projects are here now: look at the one that is chosen, and send it off again.', chosen)
    : again('Choose a project first.', { projects: chosen.unsure })
}

export type Complete = Sending & { project: KnownProject; body: Record<string, unknown> }

/** What is pointed out once: who sends it off again means it. */
async function warnOf(form: Form, complete: Complete): Promise<Submitted | undefined> {
  const { bot, along, project, scene, body, leftMs, again } = complete
  const reader = { zone: scene.person.zone, now: scene.now, project }
  const deadlineMs = Math.min(CHECK_TIME_MS, leftMs())
  const warnings = (await form.warn?.(body, { api: bot.api, project, reader, deadlineMs })) ?? []
  const warned = warnings
    .map(({ id }) => id)
    .join(' ')
    .slice(0, LONGEST_WARNED)
  if (!warned || warned === along.warned) return undefined
  const words = warnings.map(({ say }) => say).join(' ')
  return again(`${words} Send it off once more to have it as it is.`, { warned })
}

/** A change comes to the same twice: what does not go through is the person's to send again. */
async function sendChange(form: Form, complete: Complete): Promise<Submitted> {
  const { bot, asker, view, along, project, scene, body, leftMs, again } = complete
  const claim = await claimSubmission(bot.db, { view_id: view.id, now: scene.now })
  if (claim === 'settled') return { answer: undefined }
  if (claim === 'taken') return again('This is on its way already.')
  const picked = entryOf(view, PICK).selected_option?.value ?? ''
  const outcome = await form.send(body, {
    bot,
    api: bot.api,
    asker,
    project,
    deadlineMs: leftMs(),
    picked,
    replaces: along.replaces,
  })
  const mark = outcome.kind === 'ok' ? settleSubmission : releaseSubmission
  // The claim lapses by itself; what was sent was sent, marked or not.
  await mark(bot.db, view.id).catch((err) => bot.log.error({ err }, 'a submission could not be marked'))
  return outcome.kind === 'ok' ? succeeded(form, complete, outcome.data) : refused(form, complete, outcome)
}

export function succeeded(form: Form, complete: Complete, data: unknown): Submitted {
  const { bot, asker, view, along, project, scene } = complete
  const reader = { zone: scene.person.zone, now: scene.now, project }
  return {
    answer: undefined,
    news: newsOf(form, data, reader, { teller: isTelling(view) ? asker.user_id : undefined }),
    asked: along,
    async remember() {
      await rememberProject(bot, asker, project.Id)
      await form.keep?.(data, { bot, asker, project })
    },
  }
}

/** What has come of a form; for all, where its person is its teller. */
export function newsOf(
  form: Form,
  data: unknown,
  reader: Reader & { project: KnownProject },
  { teller }: { teller: string | undefined },
): News {
  const all = form.done(data, { ...reader, isEverybody: true })
  return {
    reply: form.done(data, reader),
    forAll: teller ? { ...all, blocks: [...(all.blocks ?? []), context(`By <@${teller}>`)] } : undefined,
    next: form.next(data, reader.project),
  }
}

export function refused(form: Form, { bot, asker, scene, again }: Sending, failure: Failure): Submitted {
  if (failure.kind === 'invalid' && failure.details.length) return objectTo(form, failure.details, again)
  return again(report(bot, { asker, person: scene.person, kept: STILL_HERE }, failure))
}

/** What is wrong, whoever found it, stands under the input that it concerns. */
function objectTo(form: Form, wrong: Wrong[], again: Sending['again']): Submitted {
  const { errors, top } = placeErrors(form, wrong)
  const [first] = Object.keys(errors)
  if (!first) return again(escaped(top.join('\n')))
  // Slack takes either messages under fields or another view: what belongs to no field joins the first.
  if (top.length) errors[first] = [errors[first], ...top].join(' ')
  return { answer: { response_action: 'errors', errors } }
}

/** `unread` is what stands there, of what could not be read. */
type Taken = { body: Record<string, unknown>; unread: Record<string, unknown>; wrong: Wrong[] }

function takeFields(form: Form, view: ViewOutput, scene: Scene): Taken {
  const taken: Taken = { body: {}, unread: {}, wrong: [] }
  const { body, unread, wrong } = taken
  if (form.pick?.options && !pickedIn(view)) wrong.push({ loc: [PICK], msg: 'Choose one.' })
  for (const [name, field] of Object.entries(form.fields)) {
    const found = field.take(entryOf(view, name), scene)
    if (found && 'fault' in found) {
      wrong.push({ loc: [name], msg: found.fault })
      unread[name] = entryOf(view, name).value
    } else if (found)
      for (const [index, key] of [name, ...field.also].entries()) body[key] = found.values[index]
    // What a record had, and was emptied, is to be empty.
    else if (form.pick?.options && field.emptied !== undefined && beganWith(view, name))
      body[name] = field.emptied
  }
  return taken
}

/** What the form has against it; not of what could not even be read. */
const faultsIn = (form: Form, { body, unread, wrong }: Taken, scene: Scene): Wrong[] =>
  Object.entries(form.faults?.({ ...unread, ...body }, scene) ?? {}).flatMap(([name, msg]) =>
    msg && !wrong.some(({ loc }) => loc[0] === name) ? [{ loc: [name], msg }] : [],
  )
