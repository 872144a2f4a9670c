import type { ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { Outcome } from '../../api/outcome.ts'
import { claimSubmission, releaseSubmission, settleSubmission } from '../../store/submissions.ts'
import { findPerson, refusalFor } from '../asker.ts'
import type { Asker, Bot } from '../bot.ts'
import { type KnownProject, rememberProject } from '../projects.ts'
import { escaped, type Reply } from '../reply.ts'
import { explain } from '../trouble.ts'
import type { Scene } from './field.ts'
import type { Form } from './form.ts'
import { type Along, formView, PICK } from './form-view.ts'
import { notesOf } from './notes.ts'
import { placeErrors } from './place-errors.ts'
import { chosenProject, entryOf, shownProject, standingIn } from './view-state.ts'

/** What Slack is told: nothing closes the form. */
export type Answer =
  | { response_action: 'errors'; errors: Record<string, string> }
  | { response_action: 'update'; view: ModalView }
  | undefined

export type Submitted = { answer: Answer; reply?: Reply; channel?: string | undefined }

/** Of the three seconds, what the API gets; the rest is for the way to Slack and back. */
const API_TIME_MS = 2300

/** Of that, what looking it over may take. */
const CHECK_TIME_MS = 700

/** It travels with the form, which carries 3,000 characters of ours. */
const LONGEST_WARNING = 2000

export async function submitForm(form: Form, bot: Bot, asker: Asker, view: ViewOutput): Promise<Submitted> {
  const along: Along = JSON.parse(view.private_metadata || '{}')
  const person = await findPerson(bot, asker)
  const scene = { person, now: bot.world.now() }
  const again = (top: string, warned = along.warned): Submitted => ({
    answer: {
      response_action: 'update',
      view: formView(form, {
        initial: standingIn(form, view),
        along: { ...along, ...(warned && { warned }) },
        top,
        notes: notesOf(form, view, scene),
        ...shownProject(view),
      }),
    },
  })
  const refusal = refusalFor(bot, person, form.right)
  if (refusal) return again(refusal)
  const project = chosenProject(view)
  if (!project) return again('Choose a project first.')
  const taken = takeFields(form, view, scene)
  if ('errors' in taken) return { answer: { response_action: 'errors', errors: taken.errors } }

  const claim = await claimSubmission(bot.db, { view_id: view.id, now: scene.now })
  if (claim === 'settled') return { answer: undefined }
  if (claim === 'taken') return again('This is on its way already.')
  const submitted = await checkAndSend(form, { bot, asker, view, project, scene, body: taken.body, again })
  const mark = submitted.answer ? releaseSubmission : settleSubmission
  // The claim lapses by itself; what was sent was sent, marked or not.
  await mark(bot.db, view.id).catch((error) => bot.log.error({ error }, 'a submission could not be marked'))
  return submitted
}

type Sending = {
  bot: Bot
  asker: Asker
  view: ViewOutput
  project: KnownProject
  scene: Scene
  body: Record<string, unknown>
  again: (top: string, warned?: string) => Submitted
}

async function checkAndSend(form: Form, sending: Sending): Promise<Submitted> {
  const { bot, asker, view, project, scene, body, again } = sending
  const along: Along = JSON.parse(view.private_metadata || '{}')
  const reader = { zone: scene.person.zone, now: scene.now, project }
  const checking = { api: bot.api, project, reader, deadlineMs: CHECK_TIME_MS }
  const { errors, warnings } = (await form.check?.(body, checking)) ?? { errors: {}, warnings: [] }
  if (Object.keys(errors).length) return { answer: { response_action: 'errors', errors } }
  const warned = warnings.join(' ').slice(0, LONGEST_WARNING)
  if (warned && warned !== along.warned)
    return again(`${warned} Send it off once more to have it as it is.`, warned)

  const outcome = await form.send(body, {
    api: bot.api,
    project,
    deadlineMs: API_TIME_MS - (bot.world.now().getTime() - scene.now.getTime()),
    picked: entryOf(view, PICK).selected_option?.value ?? '',
  })
  if (outcome.kind !== 'ok') return refused(form, bot, asker, outcome, again)
  try {
    await rememberProject(bot, asker, project.Id)
    await form.keep?.(outcome.data, { bot, team_id: asker.team_id, project })
  } catch (error) {
    // It was sent: that it could not be remembered is no reason to say otherwise.
    bot.log.error({ error, form: form.verb }, 'what was sent could not be remembered')
  }
  return { answer: undefined, reply: form.done(outcome.data, reader), channel: along.channel }
}

function refused(
  form: Form,
  bot: Bot,
  { user_id }: Asker,
  outcome: Exclude<Outcome, { kind: 'ok' }>,
  again: (top: string) => Submitted,
): Submitted {
  if (outcome.kind === 'invalid' && outcome.details.length) {
    const { errors, top } = placeErrors(form, outcome.details)
    const [first] = Object.keys(errors)
    if (!first) return again(escaped(top.join('\n')))
    // Slack takes either messages under fields or another view: what belongs to no field joins the first.
    if (top.length) errors[first] = [errors[first], ...top].join(' ')
    return { answer: { response_action: 'errors', errors } }
  }
  const { say, kind } = explain(outcome)
  const id = bot.world.newId().slice(0, 8)
  bot.log.warn({ id, kind, form: form.verb, user: user_id }, say)
  return again(`${say} What you wrote is still here. (${id})`)
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
