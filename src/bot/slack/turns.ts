import { setImmediate } from 'node:timers/promises'

/**
 * The returned function resolves for one caller in each turn of the event loop. Node accepts one connection in a turn, so if
 * many requests began in the same turn, others would wait for seconds until their connection is accepted.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
