import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createApiFetch } from './api-fetch.ts'

/** Nondeterministic dependencies, such as the clock and the network. Passed in, so that tests can replace them. */
export type Runtime = {
  now: () => Date
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** For API calls. Rejects with UnsentRequestError if nothing was sent. */
  fetch: typeof fetch
  /** Streams files, follows redirects, and can be kept from connecting to private addresses. */
  nodeFetch: typeof fetch
  randomBytes: (size: number) => Buffer
  newId: () => string
  random: () => number
}

export const addMs = (date: Date, ms: number): Date => new Date(date.getTime() + ms)

const sleep: Runtime['sleep'] = (ms, signal) =>
  setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})

export const systemRuntime: Runtime = {
  now: () => new Date(),
  sleep,
  fetch: createApiFetch(),
  nodeFetch: fetch,
  randomBytes,
  newId: randomUUID,
  random: Math.random,
}

/** Returns 0 after the deadline, so that `sleep` never gets a negative delay. */
export const msUntil = (deadline: Date, now: Date): number => Math.max(0, deadline.getTime() - now.getTime())

type Limit = { deadline: Date | undefined; runtime: Pick<Runtime, 'now' | 'sleep'>; createError: () => Error }

/** Rejects with the error if the work isn't done by the deadline. Without a deadline, waits as long as it takes. */
export function rejectAfterDeadline<T>(
  work: Promise<T>,
  { deadline, runtime, createError }: Limit,
): Promise<T> {
  if (!deadline) return work
  const expiry = runtime.sleep(msUntil(deadline, runtime.now())).then(() => Promise.reject(createError()))
  return Promise.race([work, expiry])
}
