import type pg from 'pg'
import type { Config } from '../config.ts'
import { readDatabaseClock } from '../database/database-clock.ts'
import type { Runtime } from '../runtime.ts'
import { type Check, fail, ok, warn } from './check.ts'

const NAME = 'database clock'
const MAX_NORMAL_DIFFERENCE_S = 60
/**
 * Bolt rejects requests that are five minutes old by this machine's clock. Upnext remembers requests for ten minutes by
 * the database's clock. A limit below five minutes leaves time for the request itself.
 */
const MAX_HTTP_CLOCK_DIFFERENCE_S = 240

/** Says how far this machine's clock is from the database's, and what depends on each clock. */
export async function checkDatabaseClock(
  pool: pg.Pool,
  { SLACK_APP_TOKEN, SLACK_SIGNING_SECRET }: Pick<Config, 'SLACK_APP_TOKEN' | 'SLACK_SIGNING_SECRET'>,
  { now }: Pick<Runtime, 'now'>,
): Promise<Check> {
  const database = await readDatabaseClock(pool)
  const seconds = (now().getTime() - database.now().getTime()) / 1000
  const distance = Math.abs(seconds)
  const difference = `This machine's clock is ${distance.toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database's.`
  if (distance <= MAX_NORMAL_DIFFERENCE_S)
    return ok(NAME, `${difference} Up to ${MAX_NORMAL_DIFFERENCE_S} s is fine.`)
  const advice = `${difference} Synchronize the clocks (NTP).`
  if (SLACK_SIGNING_SECRET && !SLACK_APP_TOKEN && distance > MAX_HTTP_CLOCK_DIFFERENCE_S)
    return fail(
      NAME,
      `${advice} Over HTTP, the clocks may differ by at most ${MAX_HTTP_CLOCK_DIFFERENCE_S} s. Beyond that, requests from Slack are rejected, or accepted twice.`,
    )
  return warn(
    NAME,
    `${advice} The database's clock decides when posts and digests go out. This machine's clock decides the times in the log and, over HTTP, whether Slack's requests are accepted. Over HTTP, the clocks may differ by at most ${MAX_HTTP_CLOCK_DIFFERENCE_S} s.`,
  )
}
