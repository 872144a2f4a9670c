import { selectedRecord } from './form-state.ts'
import { type Outcome, toOutcome } from './outcome.ts'
import type { ValidSubmission } from './submission.ts'
import { claimSubmission, releaseSubmission, settleSubmission } from './submission-store.ts'

/** For changes that have the same effect twice. If one doesn't go through, the user submits it again. */
export async function deliverDirectly(submission: ValidSubmission): Promise<Outcome> {
  const { form, bot, view, now } = submission
  const claim = await claimSubmission(bot.db, view.id, now)
  if (claim === 'settled') return { kind: 'done', record: undefined, isRepeat: true }
  if (claim === 'in progress')
    return { kind: 'refused', reason: { kind: 'conflict', message: 'This is already being sent.' } }
  const outcome = await send(submission)
  const markSubmission = outcome.kind === 'done' ? settleSubmission : releaseSubmission
  // If marking fails, the claim expires; the API call has already succeeded.
  await markSubmission(bot.db, view.id).catch((err) =>
    bot.log.error({ err, form: form.verb }, 'Marking a submission failed'),
  )
  return outcome
}

async function send({
  form,
  bot,
  actor,
  view,
  metadata,
  project,
  body,
  remainingMs,
}: ValidSubmission): Promise<Outcome> {
  const context = {
    bot,
    api: bot.api,
    actor,
    project,
    deadlineMs: remainingMs(),
    record_id: selectedRecord(view)?.value ?? '',
    replaces: metadata.replaces,
  }
  if (form.save) return form.save(body, context)
  if (!form.send) throw new Error(`The form "${form.verb}" has nowhere to send its input.`)
  const result = await form.send(body, context)
  const outcome = toOutcome(result)
  // Nothing retries a direct delivery, so the user has to.
  return outcome.kind === 'pending' && result.kind !== 'ok' ? { kind: 'refused', reason: result } : outcome
}
