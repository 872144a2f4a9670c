import { randomBytes, randomUUID } from 'node:crypto'
import { createTextFetch } from './fetch-text.ts'

/** Everything outside the process that answers differently each time. It is passed in, so tests can pass their own. */
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

/** The `setTimeout` of timers/promises takes three times as long, because it rejects when it is aborted. */
const sleep: Runtime['sleep'] = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const wake = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    const timer = setTimeout(wake, ms).unref()
    signal?.addEventListener('abort', wake)
  })

export const systemRuntime: Runtime = {
  now: () => new Date(),
  sleep,
  fetch: createTextFetch(),
  nodeFetch: fetch,
  randomBytes,
  newId: randomUUID,
  random: Math.random,
}
