import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { createApiFetch } from './api-fetch.ts'

/** Sources of results that differ each time, such as the clock and the network. They are passed in, so tests can replace them. */
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
