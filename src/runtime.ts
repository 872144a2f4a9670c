import { randomBytes, randomUUID } from 'node:crypto'

/** Everything outside that gives a different answer each time: passed in, so that a test can pass in its own. */
export type Runtime = {
  now: () => Date
  fetch: typeof fetch
  randomBytes: (size: number) => Buffer
  newId: () => string
  random: () => number
}

export const systemRuntime: Runtime = {
  now: () => new Date(),
  fetch,
  randomBytes,
  newId: randomUUID,
  random: Math.random,
}
