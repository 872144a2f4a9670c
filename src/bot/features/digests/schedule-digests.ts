import type { JobHandler } from '../../../jobs/job-queue.ts'
import type { NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import { earliestNextRun, nextOccurrence } from '../../../time/recurrence.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { cancelMessage, findScheduledMessage, SETTLE_MS } from './cancel-message.ts'
import { DIGEST, delayReasonOf, formatMessageDay, MAX_DELAY_MS, SCHEDULING_LEAD_MS } from './digest-jobs.ts'
import {
  findDigest,
  findNextRequestTime,
  MIN_CANCEL_LEAD_MS,
  updateInRun,
  updateProjectName,
} from './digest-store.ts'
import { gatherContent } from './gather-content.ts'
import {
  advanceDigest,
  type DigestRun,
  handleRejection,
  RETRY_MS,
  retryAt,
  scheduleContent,
  scheduleUnavailableNotice,
  stopDigest,
} from './schedule-message.ts'
import { PROJECT_LOST } from './stop-reasons.ts'
import type { Digest } from './tables.ts'

const LATE_RETRY_MS = 5 * 60_000

/** After this delay, Upnext posts a notice that the digest couldn't be loaded, before the digest would be skipped. */
const UNAVAILABLE_AFTER_MS = MAX_DELAY_MS - 3 * LATE_RETRY_MS

/** No second request is made this close to a message's time. The message could be neither cancelled nor looked up. */
const MIN_REPEAT_LEAD_MS = MIN_CANCEL_LEAD_MS + 45_000

/** Leaves room for other jobs. */
const MAX_CONCURRENT_DIGESTS = 10

/** Schedules the next message of each digest, and deletes messages that are cancelled. */
export const digestHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: DIGEST,
  isRecurring: true,
  name: 'schedule a digest',
  concurrency: MAX_CONCURRENT_DIGESTS,
  // The digest's own job waits for a failing cancellation until the message would be posted.
  blocksUntil: ({ blocks_until }) => blocks_until ?? new Date(0),
  run: async (job) => {
    if (job.data) return cancelMessage(bot, client, job)
    const digest = await findDigest(bot.db, job)
    return digest && processDigest({ bot, client, digest, job })
  },
})

/** Schedules the next message of a digest with Slack, exactly once, however often it is attempted. */
async function processDigest(run: DigestRun): Promise<NextRun | undefined> {
  const { bot, digest } = run
  const { next_at, post_at, requested_at, message_id, message_covers, covered_until } = digest
  const { log, runtime } = bot
  const now = runtime.now()
  if (post_at && message_id && now < post_at) return { due_at: post_at }
  if (message_id) {
    bot.metrics.digestLateness.observe(((post_at ?? now).getTime() - next_at.getTime()) / 1000)
    log.info({ digest: digest.id, workspace: digest.team_id, post_at }, 'A digest was posted')
    // A notice that the digest couldn't be loaded covers nothing, so the next digest begins where the last one ended.
    return advanceDigest(run, { last_at: next_at, covered_until: message_covers ?? covered_until })
  }
  if (post_at) {
    // A request whose result is unknown may still be under way.
    const settledAt = addMs(requested_at ?? now, SETTLE_MS)
    if (settledAt > now) return retryAt(run, settledAt)
    const resolution = await resolveEarlierRequest(run, post_at)
    if (resolution !== 'not sent') return resolution
  }
  const next = nextPostingTime(digest, now)
  if (digest.paused_reason || next > next_at) return skipTo(run, next)
  const startAt = addMs(next_at, -SCHEDULING_LEAD_MS)
  if (startAt > now) return { due_at: startAt }
  const freeAt = await findNextRequestTime(bot.db, digest.team_id, now)
  if (freeAt > now) return retryAt(run, freeAt)
  const delayMs = now.getTime() - next_at.getTime()
  const { zone } = digest.recurrence
  const at = next_at > now ? next_at : now
  const project_name = await bot.projectList.nameOf(digest.project_id, digest.project_name)
  if (project_name !== digest.project_name) await updateProjectName(bot.db, { ...digest, project_name })
  const named = { ...digest, project_name }
  const gathered = await gatherContent(bot, named, { zone, now, at, since: covered_until }).catch((err) =>
    log.error({ err, digest: digest.id }, 'Failed to gather digest content'),
  )
  if (!gathered || 'failure' in gathered) {
    if (gathered && delayMs >= UNAVAILABLE_AFTER_MS)
      return (await bot.projectList.isLost(digest.project_id))
        ? stopDigest(run, PROJECT_LOST)
        : scheduleUnavailableNotice(run, gathered.failure)
    const problem = "the project couldn't be loaded"
    return retryAt(run, addMs(now, delayMs > 0 ? LATE_RETRY_MS : RETRY_MS), problem)
  }
  if (gathered.isEmpty && digest.when_empty === 'skip') return advanceDigest(run, {})
  return scheduleContent(run, gathered)
}

/**
 * Returns the next time at which a digest is posted. Skips a time that was more than three hours ago, that is followed
 * by another time that is already due, or whose day already had a digest.
 */
function nextPostingTime({ recurrence, next_at, last_at }: Digest, now: Date): Date {
  const nextAfter = (time: Date) => nextOccurrence(recurrence, time).toJSDate()
  const blocked = last_at && earliestNextRun(recurrence, last_at)
  if (blocked && next_at <= blocked) return nextAfter(blocked)
  const earliest = addMs(now, -MAX_DELAY_MS)
  const first = next_at < earliest ? nextAfter(earliest) : next_at
  const second = nextAfter(first)
  return second <= now ? second : first
}

/** The owner is notified only if a problem caused the delay. */
async function skipTo(run: DigestRun, next: Date): Promise<NextRun | undefined> {
  const { bot, digest, job } = run
  const { id, next_at, paused_reason: reason } = digest
  const problem = delayReasonOf(job)
  bot.log.warn({ digest: id, from: next_at, to: next, problem, reason }, 'A digest was skipped')
  if (!reason) bot.metrics.digestsSkipped.inc()
  if (reason) return undefined
  const message = `the message for ${formatMessageDay(digest)} was skipped because ${problem}.`
  const notification = { id: `${id} ${next_at.toISOString()}`, digest, message, now: bot.runtime.now() }
  return advanceDigest(run, { next_at: next }, problem ? notification : undefined)
}

/**
 * Finds out what became of an earlier request to Slack whose result is unknown. Returns "not sent" if it can safely be
 * repeated.
 */
async function resolveEarlierRequest(
  run: DigestRun,
  post_at: Date,
): Promise<'not sent' | NextRun | undefined> {
  const { bot, client, digest, job } = run
  const { db, runtime } = bot
  const remainingMs = post_at.getTime() - runtime.now().getTime()
  try {
    const message_id = await findScheduledMessage(client, digest.channel_id, post_at)
    if (message_id) {
      await updateInRun(db, job, { message_id })
      return { due_at: post_at }
    }
    if (remainingMs > MIN_REPEAT_LEAD_MS) return 'not sent'
    if (remainingMs > 0) return retryAt(run, addMs(post_at, 1000))
  } catch (error) {
    if (remainingMs > -MAX_DELAY_MS) return handleRejection(run, error)
  }
  const message = `Slack didn't confirm whether the message for ${formatMessageDay(digest)} was posted. Check the channel.`
  const notification = { id: `${digest.id} ${post_at.toISOString()}`, digest, message, now: runtime.now() }
  return advanceDigest(run, { last_at: digest.next_at }, notification)
}
