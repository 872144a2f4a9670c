import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { nextOccurrence } from '../../time/recurrence.ts'
import type { Bot } from '../bot.ts'
import type { Digest } from '../database/tables.ts'
import { type Poller, startInterval, startWorker } from '../poller.ts'
import { cancelScheduledMessages } from './cancel-scheduled.ts'
import { findLastDue, listRunsDue, planRun, type RunKey } from './digest-run-store.ts'
import { listDigestsDue, skipToNext } from './digest-store.ts'
import { MAX_DELAY_MS, processRun } from './process-run.ts'

const POLL_INTERVAL_MS = 5000

/** Slack holds scheduled messages, so a digest is on time even if the bot is down at that moment. */
const LEAD_MS = 15 * 60_000
/** Slack accepts about 50 messages a minute from a workspace; requests for its lists count separately. */
const MAX_REQUESTS_PER_MINUTE = 45
const LEAD_PER_DIGEST_MS = 60_000 / 40

const MAX_CONCURRENT_PER_WORKSPACE = 10
const MAX_CONCURRENT_RUNS = 50

type DigestOptions = { bot: Bot; client: WebClient; intervalMs?: number | undefined }

/** Plans the digests that are due soon and hands them over to Slack. */
export function startDigests({ bot, client, intervalMs = POLL_INTERVAL_MS }: DigestOptions): Poller {
  const { db, log, runtime } = bot
  const { sleep } = runtime
  const runs = startWorker<RunKey>({
    name: 'Processing digests',
    intervalMs,
    concurrency: MAX_CONCURRENT_RUNS,
    log,
    sleep,
    findJobs: async () => {
      await planDigests(bot)
      return listRunsDue(db, runtime.now(), {
        maxPerMinute: MAX_REQUESTS_PER_MINUTE,
        maxConcurrent: MAX_CONCURRENT_PER_WORKSPACE,
      })
    },
    keyOf: ({ digest_id, day }) => `${digest_id} ${day}`,
    processJob: (run) => processRun(bot, client, run),
  })
  const cancellations = startInterval({
    name: 'Cancelling digests',
    intervalMs,
    log,
    sleep,
    task: async () => {
      await cancelScheduledMessages(bot, client)
      return false
    },
  })
  return {
    async stop() {
      await runs.stop()
      await cancellations.stop()
    },
  }
}

async function planDigests(bot: Bot): Promise<void> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  const leadTimes = { leadMs: LEAD_MS, leadPerDigestMs: LEAD_PER_DIGEST_MS }
  for (const digest of await listDigestsDue(db, now, leadTimes))
    await planDigest(bot, digest, now).catch((err) =>
      // One digest must not keep the others from being planned.
      log.error({ err, digest: digest.id }, 'Planning a digest failed'),
    )
}

async function planDigest({ db, log, runtime }: Bot, digest: Digest, now: Date): Promise<unknown> {
  const { recurrence, next_at } = digest
  const earliest = new Date(now.getTime() - MAX_DELAY_MS)
  if (next_at < earliest) {
    log.warn({ digest: digest.id, from: next_at }, 'Digests were skipped because no instance was running')
    return skipToNext(db, digest, nextOccurrence(recurrence, earliest).toJSDate())
  }
  const due = DateTime.fromJSDate(next_at, { zone: recurrence.zone })
  const last = await findLastDue(db, digest.id)
  if (last && due.hasSame(DateTime.fromJSDate(last, { zone: recurrence.zone }), 'day')) {
    log.warn({ digest: digest.id, last }, 'A digest was skipped because its day had one already')
    return skipToNext(db, digest, nextOccurrence(recurrence, due.endOf('day').toJSDate()).toJSDate())
  }
  return planRun(db, digest, {
    id: runtime.newId(),
    day: due.toISODate() ?? '',
    next_at: nextOccurrence(recurrence, next_at).toJSDate(),
  })
}
