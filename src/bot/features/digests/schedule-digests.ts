import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import type { JobHandler } from '../../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { type Poller, startPoller } from '../../../jobs/poller.ts'
import { addMs } from '../../../runtime.ts'
import { blockedUntil, nextOccurrence } from '../../../time/recurrence.ts'
import type { Bot } from '../../slack/bot.ts'
import type { WorkerContext } from '../../slack/module.ts'
import * as runStore from './digest-run-store.ts'
import { CANCEL_DEADLINE_MS, SETTLE_MS } from './digest-run-store.ts'
import { type DigestDue, findDigest, listDigestsDue } from './digest-store.ts'
import { gatherContent } from './gather-content.ts'
import {
  type Attempt,
  confirmScheduled,
  handleRejection,
  postponeRun,
  RETRY_MS,
  scheduleContent,
  scheduleUnavailableNotice,
} from './schedule-message.ts'
import { findScheduledMessage } from './scheduled-messages.ts'

const POLL_INTERVAL_MS = 5000

/** Slack gets a message this long ahead, so a digest is on time even if the bot is down at that moment. */
const LEAD_MS = 15 * 60_000

/** A late digest is still posted, with an apology. After this, it is skipped. */
const MAX_DELAY_MS = 3 * 60 * 60_000

const LATE_RETRY_MS = 5 * 60_000
const CANCELLATION_WAIT_MS = 10_000

/** Leaves time to at least post that the digest couldn't be loaded. */
const UNAVAILABLE_AFTER_MS = MAX_DELAY_MS - 3 * LATE_RETRY_MS

/** No second request is made this close to a message's time: it could be neither cancelled nor looked up. */
const MIN_REPEAT_LEAD_MS = CANCEL_DEADLINE_MS + 45_000

/** Plans the digests that are due soon. */
export const startPlanning = (bot: Bot): Poller =>
  startPoller({
    log: bot.log,
    runtime: bot.runtime,
    name: 'Planning digests',
    intervalMs: POLL_INTERVAL_MS,
    async task() {
      await planDigests(bot)
      return false
    },
  })

/** Hands planned digests over to Slack. */
export const digestHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: runStore.RUN,
  name: 'schedule a digest',
  run: (job) => processRun(bot, client, job),
})

async function planDigests(bot: Bot): Promise<void> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  for (const digest of await listDigestsDue(db, now, LEAD_MS))
    await planDigest(bot, digest, now).catch((err) =>
      // One digest must not keep the others from being planned.
      log.error({ err, digest: digest.id }, 'Planning a digest failed'),
    )
}

async function planDigest({ db, log, runtime }: Bot, digest: DigestDue, now: Date): Promise<unknown> {
  const { id, recurrence, next_at, last_at } = digest
  const { zone } = recurrence
  const nextAfter = (time: Date) => nextOccurrence(recurrence, time).toJSDate()
  const earliest = addMs(now, -MAX_DELAY_MS)
  if (next_at < earliest) {
    log.warn({ digest: id, from: next_at }, 'Digests were skipped because no instance was running')
    return runStore.moveToNext(db, digest, nextAfter(earliest))
  }
  const next = nextAfter(next_at)
  if (next <= now) {
    log.warn({ digest: id, from: next_at }, 'A digest was skipped because the next one is due, too')
    return runStore.moveToNext(db, digest, next)
  }
  const blocked = last_at && blockedUntil(recurrence, last_at)
  if (blocked && next_at <= blocked) {
    log.warn({ digest: id, last_at }, 'A digest was skipped because there was already one')
    return runStore.moveToNext(db, digest, nextAfter(blocked))
  }
  const due = DateTime.fromJSDate(next_at, { zone })
  const day = due.toFormat(recurrence.clocks.length === 1 ? 'yyyy-MM-dd' : 'yyyy-MM-dd HH:mm')
  return runStore.planRun(db, digest, { id: runtime.newId(), day }, next, now)
}

/** Schedules one digest with Slack, exactly once, however often it is attempted. */
async function processRun(bot: Bot, client: WebClient, job: Job): Promise<NextRun | undefined> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  const run = await runStore.findOpenRun(db, job)
  const digest = run && (await findDigest(db, { id: run.digest_id }))
  if (!digest) return undefined
  // A request whose result is unknown may still be under way.
  const settledAt = addMs(run.requested_at ?? now, SETTLE_MS)
  if (run.state === 'scheduling' && settledAt > now) return { due_at: settledAt }
  const nextRequestAt = await runStore.findNextRequestTime(db, digest.team_id, now)
  if (nextRequestAt > now) return { due_at: nextRequestAt }
  const delayMs = now.getTime() - run.due_at.getTime()
  const requestedFor = run.state === 'scheduling' ? run.post_at : null
  const attempt = { bot, client, digest, run, job, requestedFor, isLate: delayMs > 0 }
  const resolution = requestedFor ? await resolveEarlierRequest(attempt, requestedFor) : 'not sent'
  if (resolution !== 'not sent') return resolution
  const { covered_until: since, isBeingCancelled } = await runStore.findLastRun(db, digest.id)
  if (isBeingCancelled) return postponeRun(attempt, CANCELLATION_WAIT_MS)
  if (digest.paused_reason || delayMs > MAX_DELAY_MS) return skipRun(attempt)
  const { zone } = digest.recurrence
  const at = run.due_at > now ? run.due_at : now
  const gathered = await gatherContent(bot, digest, { zone, now, at, since }).catch((err) =>
    log.error({ err, digest: digest.id }, 'Gathering the content of a digest failed'),
  )
  if (!gathered || 'failure' in gathered) {
    if (gathered && delayMs >= UNAVAILABLE_AFTER_MS)
      return scheduleUnavailableNotice(attempt, gathered.failure)
    const problem = "the project couldn't be loaded"
    return postponeRun(attempt, delayMs > 0 ? LATE_RETRY_MS : RETRY_MS, { problem })
  }
  if (gathered.isEmpty && digest.when_empty === 'skip') {
    await runStore.updateRun(db, attempt, { state: 'skipped' })
    return undefined
  }
  return scheduleContent(attempt, gathered)
}

/** The owner is told only if a problem caused the delay. */
async function skipRun(attempt: Attempt): Promise<undefined> {
  const { digest, run } = attempt
  const { db, log, runtime } = attempt.bot
  const { problem, day, due_at } = run
  const { id, paused_reason: reason } = digest
  log.warn({ digest: id, day, due_at, problem, reason }, 'A digest was skipped')
  const message = `the message for ${day} was skipped because ${problem}.`
  const notification = { id: run.id, digest, message, now: runtime.now() }
  await runStore.abandonRun(db, attempt, problem && !reason ? notification : undefined)
  return undefined
}

/** An earlier request to Slack has an unknown result. */
async function resolveEarlierRequest(
  attempt: Attempt,
  requestedFor: Date,
): Promise<'not sent' | NextRun | undefined> {
  const { bot, client, digest, run } = attempt
  const { db, runtime } = bot
  const remainingMs = requestedFor.getTime() - runtime.now().getTime()
  try {
    const message_id = await findScheduledMessage(client, run.channel_id ?? digest.channel_id, run.id)
    if (message_id) {
      await confirmScheduled(attempt, message_id)
      return undefined
    }
    if (remainingMs > MIN_REPEAT_LEAD_MS) return 'not sent'
    if (remainingMs > 0) return { due_at: addMs(requestedFor, 1000) }
  } catch (error) {
    if (remainingMs > -MAX_DELAY_MS) return handleRejection(attempt, error)
  }
  const message = `we can't tell whether the message for ${run.day} was posted.`
  await runStore.abandonRun(db, attempt, { id: run.id, digest, message, now: runtime.now() })
  return undefined
}
