import { randomBytes, randomUUID } from 'node:crypto'

/** The clock, the network and randomness: passed in, so that tests can replace them. */
export type Runtime = {
  now: () => Date
  fetch: typeof fetch
  randomBytes: (size: number) => Buffer
  newId: () => string
}

export const systemRuntime: Runtime = { now: () => new Date(), fetch, randomBytes, newId: randomUUID }
