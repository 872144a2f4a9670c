import type { Logger } from 'pino'
import type { Runtime } from '../runtime.ts'
import { limitRunTime, StuckError } from './limit-run-time.ts'

export type Poller = {
  name: string
  stop: () => Promise<void>
  /** Whether the last run hung, or several runs in a row failed. */
  isStuck: () => boolean
  /** Begins the next run as soon as the current one has ended. */
  wake: () => void
}

export type PollerOptions = {
  log: Logger
  runtime: Pick<Runtime, 'sleep'>
  /** Completes the log line "Failed to …", as in "run jobs". */
  name: string
  intervalMs: number
  /** Returns true if there may be more to do right away. */
  task: () => Promise<boolean>
}

/** After this many failed runs, a poller is stuck. If a statement times out each time, that takes 2.5 minutes. */
const MAX_FAILURES = 5

/** Repeats a task, one run at a time, until it is stopped. A run that hangs is abandoned. */
export function startPoller(options: PollerOptions): Poller {
  const { log, runtime, name, intervalMs, task } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let hasHung = false
  let failures = 0
  let isWoken = false
  let wakeUp = () => {}
  async function repeatTask(): Promise<void> {
    while (!signal.aborted) {
      let hasMore = false
      try {
        hasMore = await limitRunTime(task(), runtime)
        if (failures >= MAX_FAILURES) log.info(`Able to ${name} again`)
        failures = 0
        hasHung = false
      } catch (err) {
        hasHung = err instanceof StuckError
        failures++
        // An outage of the database isn't logged at every interval.
        if (hasHung || failures === 1 || failures === MAX_FAILURES) log.error({ err }, `Failed to ${name}`)
      }
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      if (!hasMore && !isWoken) await Promise.race([runtime.sleep(intervalMs, signal), woken])
      isWoken = false
    }
  }
  const loop = repeatTask()
  return {
    name,
    wake() {
      isWoken = true
      wakeUp()
    },
    isStuck: () => hasHung || failures >= MAX_FAILURES,
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
