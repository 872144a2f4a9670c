import { vi } from 'vitest'
import { type Runtime, systemRuntime } from '../runtime.ts'

export const FIXED_NOW = new Date('2026-06-15T12:00:00Z')

/** A runtime whose clock stands still. Time passes only through `advanceClock`, however slow the machine is. */
export const fixedRuntime: Runtime = { ...systemRuntime, now: () => FIXED_NOW }

const WAIT_OPTIONS = { timeout: 60_000, interval: 5 }

/** Waits until a check no longer throws. */
export const waitFor = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, WAIT_OPTIONS)
