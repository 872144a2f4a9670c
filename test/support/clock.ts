import { vi } from 'vitest'
import { type Runtime, systemRuntime } from '../../src/runtime.ts'

export type TestClock = {
  now: () => Date
  advance: (ms: number) => void
  /** Jumps to a point in time, forwards or backwards. */
  set: (time: Date) => void
  /** The system's runtime with this clock in place of the real one. */
  runtime: Runtime
}

/** A Friday noon, far from midnight, the end of a month and daylight saving changes. */
export const TEST_START = new Date('2026-11-20T12:00:00Z')

/** The clock only moves when the test moves it, so no test depends on the date or on its own speed. */
export function createTestClock(start: Date = TEST_START): TestClock {
  let time = start.getTime()
  const now = () => new Date(time)
  return {
    now,
    advance: (ms) => {
      time += ms
    },
    set: (moment) => {
      time = moment.getTime()
    },
    runtime: { ...systemRuntime, now },
  }
}

/** Checks a condition until it holds. The timeout only bounds how long a broken test runs. */
export const waitUntil = (condition: () => boolean | Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(condition, { timeout: 60_000, interval: 10 })

/** A clock that starts at a fixed time and runs, so that a rate limit or a timer of another program can end. */
export function createRunningClock(start: Date = TEST_START): TestClock {
  const startedAt = performance.now()
  let offset = 0
  const now = () => new Date(start.getTime() + offset + performance.now() - startedAt)
  return {
    now,
    advance: (ms) => {
      offset += ms
    },
    set: (moment) => {
      offset += moment.getTime() - now().getTime()
    },
    runtime: { ...systemRuntime, now },
  }
}
