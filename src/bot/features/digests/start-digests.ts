import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { type Poller, startPoller } from '../../../jobs/poller.ts'
import { startWorker } from '../../../jobs/worker.ts'
import { addMs } from '../../../runtime.ts'
import { blockedUntil, nextOccurrence } from '../../../time/recurrence.ts'
import type { Bot } from '../../slack/bot.ts'
import * as runStore from './digest-run-store.ts'
import { CANCEL_DEADLINE_MS } from './digest-run-store.ts'
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
import { cancelScheduledMessages, findScheduledMessage } from './scheduled-messages.ts'

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

/** Plans the digests that are due soon and hands them over to Slack. */
export function startDigests(bot: Bot, client: WebClient): Poller[] {
  const { db, log, runtime } = bot
  return [
    startWorker<string>({
      bot,
      name: 'Processing digests',
      intervalMs: POLL_INTERVAL_MS,
      findJobs: async () => {
        await planDigests(bot)
        return runStore.listRunsDue(db, runtime.now())
      },
      keyOf: (run_id) => run_id,
      processJob: (run_id) => processRun(bot, client, run_id),
    }),
    startPoller({
      log,
      runtime,
      name: 'Cancelling digests',
      intervalMs: POLL_INTERVAL_MS,
      task: () => cancelScheduledMessages(bot, client),
    }),
  ]
}

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
  return runStore.planRun(db, digest, { id: runtime.newId(), day }, next)
}

/** Schedules one digest with Slack, exactly once, however often it is attempted. */
async function processRun(bot: Bot, client: WebClient, run_id: string): Promise<unknown> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  const run = await runStore.leaseRun(db, run_id, now)
  const digest = run && (await findDigest(db, { id: run.digest_id }))
  if (!digest) return
  const delayMs = now.getTime() - run.due_at.getTime()
  const requestedFor = run.state === 'scheduling' ? run.post_at : null
  const attempt = { bot, client, digest, run, requestedFor, isLate: delayMs > 0 }
  if (requestedFor && (await resolveEarlierRequest(attempt, requestedFor))) return
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
  if (gathered.isEmpty && digest.when_empty === 'skip')
    return runStore.updateRun(db, run, { state: 'skipped' })
  return scheduleContent(attempt, gathered)
}

/** The owner is told only if a problem caused the delay. */
function skipRun({ bot: { db, log, runtime }, digest, run }: Attempt): Promise<void> {
  const { problem, day, due_at } = run
  const { id, paused_reason: reason } = digest
  log.warn({ digest: id, day, due_at, problem, reason }, 'A digest was skipped')
  if (!problem || reason) return runStore.abandonRun(db, run)
  const message = `the message for ${day} was skipped because ${problem}.`
  return runStore.abandonRun(db, run, { id: run.id, digest, message, now: runtime.now() })
}

/** An earlier request to Slack has an unknown result. Returns false if Slack definitely doesn't have the message. */
async function resolveEarlierRequest(attempt: Attempt, requestedFor: Date): Promise<boolean> {
  const { bot, client, digest, run } = attempt
  const { db, runtime } = bot
  const remainingMs = requestedFor.getTime() - runtime.now().getTime()
  try {
    const message_id = await findScheduledMessage(client, run.channel_id ?? digest.channel_id, run.id)
    if (message_id) {
      await confirmScheduled(attempt, message_id)
      return true
    }
    if (remainingMs > MIN_REPEAT_LEAD_MS) return false
    if (remainingMs > 0) {
      await runStore.updateRun(db, run, { retry_at: addMs(requestedFor, 1000) })
      return true
    }
  } catch (error) {
    if (remainingMs > -MAX_DELAY_MS) {
      await handleRejection(attempt, error)
      return true
    }
  }
  const message = `we can't tell whether the message for ${run.day} was posted.`
  await runStore.abandonRun(db, run, { id: run.id, digest, message, now: runtime.now() })
  return true
}
