import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { nextOccurrence } from '../../time/recurrence.ts'
import type { Bot } from '../bot.ts'
import type { Digest } from '../database/tables.ts'
import { type Poller, startInterval, startWorker } from '../poller.ts'
import { addMs, findLastRun, listRunsDue, moveToNext, planRun } from './digest-run-store.ts'
import { listDigestsDue } from './digest-store.ts'
import { MAX_DELAY_MS, processRun } from './process-run.ts'
import { cancelScheduledMessages } from './scheduled-messages.ts'

const POLL_INTERVAL_MS = 5000
const MAX_CONCURRENT_RUNS = 50

type DigestOptions = { bot: Bot; client: WebClient; intervalMs?: number | undefined }

/** Plans the digests that are due soon and hands them over to Slack. */
export function startDigests({ bot, client, intervalMs = POLL_INTERVAL_MS }: DigestOptions): Poller[] {
  const { db, log, runtime } = bot
  const { sleep } = runtime
  return [
    startWorker<string>({
      name: 'Processing digests',
      intervalMs,
      concurrency: MAX_CONCURRENT_RUNS,
      log,
      sleep,
      findJobs: async () => {
        await planDigests(bot)
        return listRunsDue(db, runtime.now())
      },
      keyOf: (run_id) => run_id,
      processJob: (run_id) => processRun(bot, client, run_id),
    }),
    startInterval({
      name: 'Cancelling digests',
      intervalMs,
      log,
      sleep,
      task: () => cancelScheduledMessages(bot, client),
    }),
  ]
}

async function planDigests(bot: Bot): Promise<void> {
  const { db, log, runtime } = bot
  const now = runtime.now()
  for (const digest of await listDigestsDue(db, now))
    await planDigest(bot, digest, now).catch((err) =>
      // One digest must not keep the others from being planned.
      log.error({ err, digest: digest.id }, 'Planning a digest failed'),
    )
}

async function planDigest({ db, log, runtime }: Bot, digest: Digest, now: Date): Promise<unknown> {
  const { id, recurrence, next_at } = digest
  const { zone } = recurrence
  const nextAfter = (time: Date) => nextOccurrence(recurrence, time).toJSDate()
  const earliest = addMs(now, -MAX_DELAY_MS)
  if (next_at < earliest) {
    log.warn({ digest: id, from: next_at }, 'Digests were skipped because no instance was running')
    return moveToNext(db, digest, nextAfter(earliest))
  }
  const due = DateTime.fromJSDate(next_at, { zone })
  const { due_at: last } = await findLastRun(db, id)
  if (last && due.hasSame(DateTime.fromJSDate(last, { zone }), 'day')) {
    log.warn({ digest: id, last }, 'A digest was skipped because its day had one already')
    return moveToNext(db, digest, nextAfter(due.endOf('day').toJSDate()))
  }
  const run = { id: runtime.newId(), day: due.toISODate() ?? '', next_at: nextAfter(next_at) }
  return planRun(db, digest, run)
}
