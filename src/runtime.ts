import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

/** Everything outside the process that answers differently each time. It is passed in, so tests can pass their own. */
export type Runtime = {
  now: () => Date
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  fetch: typeof fetch
  randomBytes: (size: number) => Buffer
  newId: () => string
  random: () => number
}

export const addMs = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

export const systemRuntime: Runtime = {
  now: () => new Date(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {}),
  fetch,
  randomBytes,
  newId: randomUUID,
  random: Math.random,
}
