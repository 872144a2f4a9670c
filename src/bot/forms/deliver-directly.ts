import { shortHash } from '../database/short-hash.ts'
import { recordAction } from '../slack/audit.ts'
import { type DeliveryOutcome, refuseWithMessage, toAuditOutcome } from './outcome.ts'
import type { ValidSubmission } from './submission.ts'
import { claimSubmission, isSettledContent, releaseSubmission, settleSubmission } from './submission-store.ts'

/** Sends a change that is safe to repeat. If that fails, the user submits the form again. */
export async function deliverDirectly(submission: ValidSubmission): Promise<DeliveryOutcome> {
  const { form, bot, view, now, body, project, record_id, replaces, opened } = submission
  // A view that stays open after its submission can be submitted several times.
  const claimKey = form.successView ? `${view.id} ${view.hash}` : view.id
  const claim = await claimSubmission(bot.db, claimKey, now)
  const content = shortHash(JSON.stringify(body))
  if (claim === 'settled')
    return (await isSettledContent(bot.db, claimKey, content))
      ? { kind: 'repeated' }
      : refuseWithMessage('You already submitted this form with different values. Open a new form.')
  if (claim === 'in progress') return refuseWithMessage('This is already being sent.')
  const outcome = await form.send(body, { ...submission, view_id: view.id })
  const isSettled = outcome.kind === 'done' || outcome.kind === 'waiting'
  const settling = isSettled
    ? settleSubmission(bot.db, claimKey, content, now)
    : releaseSubmission(bot.db, claimKey)
  // A failure here is only logged, because the API call is already over and the claim expires by itself.
  await settling.catch((err) =>
    bot.log.error({ err, form: form.verb }, 'Failed to settle or release a submission'),
  )
  const createdId = outcome.kind === 'done' ? (outcome.result as { Id?: string }).Id : undefined
  if (!form.writesAuditEntries)
    await recordAction(submission, {
      action: form.verb,
      outcome: toAuditOutcome(outcome),
      project_id: project.Id,
      target: record_id ?? opened?.record_id ?? replaces ?? createdId,
      after: body,
    })
  // Nothing retries a direct delivery, so the user has to.
  return outcome.kind === 'pending' ? { ...outcome, kind: 'refused' } : outcome
}
