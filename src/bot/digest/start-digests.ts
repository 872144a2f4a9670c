import type { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { listDigestsDue, listOpenRuns, planRun } from '../../store/digests.ts'
import { DIGEST, type Jobs } from '../../store/jobs.ts'
import { next, type Rhythm } from '../../time/rhythm.ts'
import type { Bot } from '../bot.ts'
import { repeat } from '../repeat.ts'
import { handOver, LEAD_MS } from './hand-over.ts'

type Options = { bot: Bot; client: WebClient; jobs: Jobs }

const PLAN_EVERY_MS = 5000
const AT_ONCE = 5

/** Finds what is due, by the clock that is passed in; whichever instance is free hands it over to Slack. */
export async function startDigests({ bot, client, jobs }: Options): Promise<{ stop: () => Promise<void> }> {
  const { db, log, world } = bot
  await jobs.work<{ digest_id: string; day: string }>(
    DIGEST,
    { batchSize: AT_ONCE, pollingIntervalSeconds: 2 },
    async (called) => {
      await Promise.all(
        called.map(({ data }) =>
          handOver({ bot, client }, data).catch((err) => log.error({ err, ...data }, 'a digest')),
        ),
      )
    },
  )
  const plan = async () => {
    const now = world.now()
    for (const digest of await listDigestsDue(db, new Date(now.getTime() + LEAD_MS))) {
      const rhythm = digest.rhythm as Rhythm
      const day = DateTime.fromJSDate(digest.next_at, { zone: rhythm.zone }).toISODate() ?? ''
      await planRun(db, digest, { day, next_at: next(rhythm, digest.next_at).toJSDate() })
    }
    for (const { digest_id, day } of await listOpenRuns(db, now))
      await jobs.send(DIGEST, { digest_id, day }, { singletonKey: `${digest_id} ${day}` })
  }
  const planning = repeat(plan, { everyMs: PLAN_EVERY_MS, log, what: 'the digests cannot be looked through' })
  return {
    async stop() {
      await planning.stop()
      await jobs.offWork(DIGEST)
    },
  }
}
