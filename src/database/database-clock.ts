import type pg from 'pg'
import type { Logger } from 'pino'
import { startPoller } from '../jobs/poller.ts'
import type { Runtime } from '../runtime.ts'

const READING_INTERVAL_MS = 10_000
/** A reading may be off by half of its round trip, so slower readings are ignored. */
const MAX_ROUND_TRIP_MS = 1000

type ClockOptions = { pool: pg.Pool; log: Logger; runtime: Pick<Runtime, 'sleep'> }

/**
 * Keeps track of the database's time. All instances use that time for leases and due times, because the clocks of their
 * machines may differ. Setting this machine's clock doesn't affect the result.
 */
export async function startDatabaseClock({ pool, log, runtime }: ClockOptions) {
  let reading = await readDatabaseClock(pool)
  let latest = reading.now()
  const poller = startPoller({
    log,
    runtime,
    name: "read the database's clock",
    intervalMs: READING_INTERVAL_MS,
    async task() {
      const next = await readDatabaseClock(pool)
      if (next.roundTripMs <= MAX_ROUND_TRIP_MS) reading = next
      return false
    },
  })
  return {
    /**
     * Corrections apply immediately, so that instances agree. But a small step back may be a reading error, so the time
     * stands still until the reading has caught up.
     */
    now(): Date {
      const time = reading.now()
      const backwardsMs = latest.getTime() - time.getTime()
      if (backwardsMs < 0 || backwardsMs > MAX_ROUND_TRIP_MS) latest = time
      return new Date(latest)
    },
    stop: poller.stop,
  }
}

/** Asks the database for its time and, from then on, adds the time that has passed. */
export async function readDatabaseClock(pool: pg.Pool): Promise<{ now: () => Date; roundTripMs: number }> {
  const client = await pool.connect()
  try {
    const sentAt = performance.now()
    const { rows } = await client.query('select clock_timestamp() as now')
    const receivedAt = performance.now()
    const offsetMs = rows[0].now.getTime() - (sentAt + receivedAt) / 2
    return { now: () => new Date(performance.now() + offsetMs), roundTripMs: receivedAt - sentAt }
  } finally {
    client.release()
  }
}
