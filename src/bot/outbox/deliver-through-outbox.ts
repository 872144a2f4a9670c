import { isDeepStrictEqual } from 'node:util'
import type { OutboxItem } from '../database/tables.ts'
import { currentValues, wantsChannelNotified } from '../form/form-state.ts'
import { type Outcome, toOutcome } from '../form/outcome.ts'
import type { ValidSubmission } from '../form/submission.ts'
import { acceptItem, deleteItem } from './outbox-store.ts'
import { recordOutcome } from './record-outcome.ts'

/** Stores a new record before the first attempt. If its result is unclear in time, the outbox takes over. */
export async function deliverThroughOutbox(submission: ValidSubmission): Promise<Outcome> {
  const { form, bot, actor, view, metadata, project, body } = submission
  const { db, log, runtime } = bot
  const acceptance = await acceptItem(
    db,
    {
      id: runtime.newId(),
      view_id: view.id,
      team_id: actor.team_id,
      user_id: actor.user_id,
      channel_id: metadata.channel ?? null,
      form: form.verb,
      project_id: project.Id,
      project_name: project.Name,
      notify_channel: wantsChannelNotified(view),
      form_values: currentValues(form, view),
      body,
      replaces: metadata.replaces,
    },
    runtime.now(),
  )
  if (acceptance.kind === 'too late')
    return conflict('The item you are editing was sent in the meantime. See `/upnext outbox`.')
  if (acceptance.kind === 'repeated') return repeatedOutcome(submission, acceptance.item)
  if (acceptance.kind === 'queued') return { kind: 'pending', reason: { kind: 'queued' } }
  const { item } = acceptance
  const outcome = await attemptNow(submission)
  const attempt = { attemptedAt: item.attempted_at ?? submission.now, attempts: 1, shouldNotify: false }
  // A refused form stays open, so the item would only be in the way of its next submission.
  const recording =
    outcome.kind === 'refused' ? deleteItem(db, item) : recordOutcome(bot, item, outcome, attempt)
  // If recording fails, the item stays unconfirmed and the outbox looks the record up later.
  await recording.catch((err) => log.error({ err, item: item.id }, 'Recording the outcome of an item failed'))
  return outcome
}

async function attemptNow({
  form,
  bot,
  actor,
  project,
  body,
  remainingMs,
}: ValidSubmission): Promise<Outcome> {
  if (!form.send) throw new Error(`The form "${form.verb}" creates records but has no "send".`)
  const context = { bot, api: bot.api, actor, project, deadlineMs: remainingMs(), record_id: '' }
  return toOutcome(await form.send(body, context))
}

/** A double click, or a submission whose response didn't reach Slack. Only the first one counts. */
function repeatedOutcome({ body }: ValidSubmission, item: OutboxItem): Outcome {
  if (!isDeepStrictEqual(item.body, body))
    return conflict(
      'You already submitted this form with other values. See `/upnext outbox`, or open a new form.',
    )
  return item.state === 'sent'
    ? { kind: 'done', record: undefined, isRepeat: true }
    : { kind: 'pending', reason: { kind: 'repeated' } }
}

const conflict = (message: string): Outcome => ({ kind: 'refused', reason: { kind: 'conflict', message } })
