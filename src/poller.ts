import type { Logger } from 'pino'
import type { Runtime } from './runtime.ts'

export type Poller = { stop: () => Promise<void> }

export type PollerOptions = {
  log: Logger
  runtime: Pick<Runtime, 'sleep'>
  name: string
  intervalMs: number
  /** Returns true if there may be more to do right away. */
  task: () => Promise<boolean>
}

/** Repeats a task, one run at a time, until it is stopped. */
export function startPoller({ log, runtime, name, intervalMs, task }: PollerOptions): Poller {
  const stopping = new AbortController()
  const { signal } = stopping
  async function repeatTask(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      let hasMore = false
      try {
        hasMore = await task()
        isFailing = false
      } catch (err) {
        // A database outage is logged once, not at every interval.
        if (!isFailing) log.error({ err }, `${name} failed`)
        isFailing = true
      }
      if (!hasMore) await runtime.sleep(intervalMs, signal)
    }
  }
  const loop = repeatTask()
  return {
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
