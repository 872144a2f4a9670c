import { setImmediate } from 'node:timers/promises'

/**
 * Returns a function whose promise resolves for one caller in each turn of the event loop. Node accepts one connection in a
 * turn, and a turn in which many requests begin is long, so new connections would wait for seconds.
 */
export function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(() => setImmediate())
    return last
  }
}
