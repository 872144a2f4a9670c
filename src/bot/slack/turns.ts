import { setImmediate } from 'node:timers/promises'

/**
 * Lets one caller continue in each turn of the event loop. Node accepts one connection per turn, so long turns in which many
 * requests begin would keep new connections waiting for seconds.
 */
export function createTurnQueue(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
