import type { Logger } from 'pino'
import type { Runtime } from '../runtime.ts'

export type Poller = {
  name: string
  stop: () => Promise<void>
  /** Whether its last run hung. */
  isStuck: () => boolean
  /** Begins the next run as soon as the current one has ended. */
  wake: () => void
}

export type PollerOptions = {
  log: Logger
  runtime: Pick<Runtime, 'sleep'>
  /** Names the work in the log, as in "Failed to run jobs". */
  name: string
  intervalMs: number
  /** Returns true if there may be more to do right away. */
  task: () => Promise<boolean>
}

/** Longer than any run takes. */
export const MAX_RUN_MS = 5 * 60_000

class StuckError extends Error {}

/** Rejects if a run hangs. Nothing can end the run itself, so it is left behind. */
export async function limitRun<T>(run: Promise<T>, { sleep }: Pick<Runtime, 'sleep'>): Promise<T> {
  const finished = new AbortController()
  const timeout = sleep(MAX_RUN_MS, finished.signal).then(() => {
    if (finished.signal.aborted) return run
    throw new StuckError(`The run didn't end within ${MAX_RUN_MS / 60_000} minutes. Another one replaces it.`)
  })
  // Without a reason, `abort` creates an error, which is slow.
  return Promise.race([run, timeout]).finally(() => finished.abort('finished'))
}

/** Repeats a task, one run at a time, until it is stopped. A run that hangs is left behind. */
export function startPoller(options: PollerOptions): Poller {
  const { log, runtime, name, intervalMs, task } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let isStuck = false
  let isWoken = false
  let wakeUp = () => {}
  async function repeatTask(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      let hasMore = false
      try {
        hasMore = await limitRun(task(), runtime)
        isFailing = false
        isStuck = false
      } catch (err) {
        isStuck = err instanceof StuckError
        // A database outage is logged once, not at every interval.
        if (isStuck || !isFailing) log.error({ err }, `Failed to ${name}`)
        isFailing = true
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
    isStuck: () => isStuck,
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
