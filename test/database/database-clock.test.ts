import pg from 'pg'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { startDatabaseClock } from '../../src/database/database-clock.ts'
import { MAX_RUN_MS } from '../../src/jobs/limit-run-time.ts'
import { createLog } from '../../src/log.ts'
import { waitUntil } from '../support/clock.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'
import { startProxy } from '../support/servers.ts'

/** On a slow machine, a reading may be wrong by this much. */
const TOLERANCE_MS = 5000
const HOUR_MS = 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

/** Starts a clock on a database whose own clock the test sets. The clock reads it again when the test says so. */
async function startClock() {
  const url = await createDatabase()
  const admin = new pg.Client(url)
  await admin.connect()
  onTestFinished(() => admin.end())
  await admin.query(`
    create table public.setting as select interval '1 hour' as ahead, 0 as delay;
    create function public.clock_timestamp() returns timestamptz language sql as $$
      select pg_catalog.clock_timestamp() + ahead from public.setting, pg_sleep(delay)
    $$`)
  const proxy = await startProxy(`${url}?options=-c%20search_path=public,pg_catalog`)
  onTestFinished(proxy.close)
  const { pool, close } = await openTestDatabase(proxy.url)
  onTestFinished(close)
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  let pauseCount = 0
  let endPause = () => {}
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve()
      signal?.addEventListener('abort', () => resolve())
      // The time that a run has doesn't end here.
      if (ms === MAX_RUN_MS) return
      pauseCount += 1
      endPause = resolve
    })
  const clock = await startDatabaseClock({ pool, log, runtime: { sleep } })
  onTestFinished(clock.stop)
  await waitUntil(() => pauseCount === 1)
  return {
    clock,
    proxy,
    lines,
    /** How far the clock is ahead of the server's real time. */
    readDifference: async () => {
      const { rows } = await admin.query('select pg_catalog.clock_timestamp() as now')
      return clock.now().getTime() - rows[0].now.getTime()
    },
    set: (change: string) => admin.query(`update public.setting set ${change}`),
    async readAgain() {
      const before = pauseCount
      endPause()
      await waitUntil(() => pauseCount > before)
    },
  }
}

const near = (ms: number) => expect.toSatisfy((actual: number) => Math.abs(actual - ms) < TOLERANCE_MS)

it("shows the database's time, even if the machine's clock changes", async () => {
  const { readDifference } = await startClock()
  expect(await readDifference()).toEqual(near(HOUR_MS))
  vi.useFakeTimers({ now: Date.now() + 24 * HOUR_MS, toFake: ['Date'] })
  expect(await readDifference()).toEqual(near(HOUR_MS))
})

it("follows the database's clock when it is set, forwards and backwards", async () => {
  const { set, readAgain, readDifference } = await startClock()
  for (const hours of [2, -1]) {
    await set(`ahead = interval '${hours} hours'`)
    await readAgain()
    expect(await readDifference()).toEqual(near(hours * HOUR_MS))
  }
})

it('stands still instead of going back if the difference may be a measurement error', async () => {
  const { clock, set, readAgain } = await startClock()
  await set("ahead = interval '1 hour -0.9 seconds'")
  const before = clock.now()
  await readAgain()
  expect(clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(0)
  await waitUntil(() => clock.now() > before)
})

it('keeps its time while the database answers slowly or not at all, and says once that it does not answer', async () => {
  const { proxy, lines, set, readAgain, readDifference } = await startClock()
  await set("ahead = interval '1 day', delay = 1.1")
  await readAgain()
  expect(await readDifference()).toEqual(near(HOUR_MS))
  proxy.disconnect()
  await readAgain()
  await readAgain()
  expect(await readDifference()).toEqual(near(HOUR_MS))
  expect(lines.filter((line) => line.includes("Failed to read the database's clock"))).toHaveLength(1)
  proxy.reconnect()
  await set('delay = 0')
  await readAgain()
  expect(await readDifference()).toEqual(near(24 * HOUR_MS))
})
