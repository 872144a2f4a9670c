import type { WebClient } from '@slack/web-api'
import type { Bot } from '../bot.ts'
import type { Digest, DigestRun } from '../database/tables.ts'
import {
  CANCEL_DEADLINE_MS,
  endRun,
  endRunAndNotify,
  findCoveredUntil,
  hasCancellations,
  leaseRun,
  postponeRun,
  type RunKey,
} from './digest-run-store.ts'
import { findDigest } from './digest-store.ts'
import { gatherContent } from './gather-content.ts'
import {
  addMs,
  confirmScheduled,
  handleRejection,
  scheduleContent,
  scheduleUnavailable,
} from './schedule-message.ts'
import { findScheduledMessage } from './scheduled-messages.ts'

/** A late digest is still posted, with an apology. After this, it is skipped. */
export const MAX_DELAY_MS = 3 * 60 * 60_000

const RETRY_MS = 60_000
const LATE_RETRY_MS = 5 * 60_000
const CANCELLATION_RETRY_MS = 10_000

/** Leaves time to post at least that the digest couldn't be loaded. */
const UNAVAILABLE_AFTER_MS = MAX_DELAY_MS - 3 * LATE_RETRY_MS

/** Shortly before its time, a second request for a message could neither be cancelled nor looked up. */
const LAST_REQUEST_MS = CANCEL_DEADLINE_MS + 45_000

/** Schedules one digest with Slack, exactly once, however often it is attempted. */
export async function processRun(bot: Bot, client: WebClient, key: RunKey): Promise<void> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  const run = await leaseRun(db, key, now)
  const digest = run && (await findDigest(db, key.digest_id))
  if (!run || !digest) return
  const requestedFor = run.state === 'scheduling' ? run.post_at : null
  if (requestedFor && (await resolveEarlierRequest(bot, client, { digest, run, requestedFor }))) return
  const state = requestedFor ? 'scheduling' : 'planned'
  // A cancelled message of this digest may still appear.
  if (await hasCancellations(db, digest.id))
    return postponeRun(db, run, { state, retry_at: addMs(now, CANCELLATION_RETRY_MS) })
  const delayMs = now.getTime() - run.due_at.getTime()
  if (digest.paused_reason || delayMs > MAX_DELAY_MS) return skipRun(bot, digest, run)
  const gathered = await gatherContent(bot, digest, {
    zone: digest.recurrence.zone,
    now,
    at: run.due_at > now ? run.due_at : now,
    since: await findCoveredUntil(db, digest.id),
  }).catch((err) => log.error({ err, digest: digest.id }, 'Gathering the content of a digest failed'))
  const posting = { digest, run, requestedFor, isLate: delayMs > 0 }
  if (!gathered || 'failure' in gathered) {
    if (gathered && delayMs >= UNAVAILABLE_AFTER_MS)
      return scheduleUnavailable(bot, client, posting, gathered.failure)
    const retry_at = addMs(now, delayMs > 0 ? LATE_RETRY_MS : RETRY_MS)
    return postponeRun(db, run, { state, retry_at, problem: "the project couldn't be loaded" })
  }
  if (gathered.isEmpty && digest.when_empty === 'skip') {
    await endRun(db, run, { state: 'skipped' })
    return
  }
  await scheduleContent(bot, client, posting, gathered)
}

/** The owner is told only if a problem caused the delay. */
async function skipRun({ db, log, runtime }: Bot, digest: Digest, run: DigestRun): Promise<void> {
  const { problem, day, due_at } = run
  log.warn({ digest: digest.id, day, due_at, problem, reason: digest.paused_reason }, 'A digest was skipped')
  // Slack may have accepted an earlier request.
  const state = run.state === 'scheduling' ? 'unconfirmed' : 'skipped'
  if (!problem || digest.paused_reason) {
    await endRun(db, run, { state })
    return
  }
  const message = `the message for ${day} was skipped because ${problem}.`
  await endRunAndNotify(db, run, digest, { state, message, now: runtime.now() })
}

type EarlierRequest = { digest: Digest; run: DigestRun; requestedFor: Date }

/** An earlier request to Slack has an unknown result. Returns false if Slack certainly doesn't have the message. */
async function resolveEarlierRequest(
  bot: Bot,
  client: WebClient,
  { digest, run, requestedFor }: EarlierRequest,
): Promise<boolean> {
  const { db, runtime } = bot
  const remainingMs = requestedFor.getTime() - runtime.now().getTime()
  try {
    const message_id = await findScheduledMessage(client, run.channel_id ?? digest.channel_id, run.id)
    if (message_id) {
      await confirmScheduled(bot, client, { digest, run, message_id })
      return true
    }
    if (remainingMs > LAST_REQUEST_MS) return false
    if (remainingMs > 0) {
      await postponeRun(db, run, { state: 'scheduling', retry_at: addMs(requestedFor, 1000) })
      return true
    }
  } catch (error) {
    if (remainingMs > -MAX_DELAY_MS) {
      await handleRejection(bot, { digest, run, error, state: 'scheduling' })
      return true
    }
  }
  const message = `we can't tell whether the message for ${run.day} was posted.`
  await endRunAndNotify(db, run, digest, { state: 'unconfirmed', message, now: runtime.now() })
  return true
}
