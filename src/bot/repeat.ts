import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

type Options = { everyMs: number; log: Logger; what: string }

/** Does something again and again, never beside itself, until it is stopped. */
export function repeat(
  task: () => Promise<void>,
  { everyMs, log, what }: Options,
): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const running = (async () => {
    let isFailing = false
    while (!stopping.signal.aborted) {
      await task().then(
        () => {
          isFailing = false
        },
        (err) => {
          // Once, and not each time, for as long as the database is away.
          if (!isFailing) log.error({ err }, what)
          isFailing = true
        },
      )
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
