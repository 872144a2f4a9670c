import type { Logger } from 'pino'
import type { Runtime } from '../runtime.ts'

export type Poller = {
  name: string
  stop: () => Promise<void>
  /** Whether its last run hung. */
  isStuck: () => boolean
  /** Begins the next run now. */
  wake: () => void
}

export type PollerOptions = {
  log: Logger
  runtime: Pick<Runtime, 'sleep'>
  name: string
  intervalMs: number
  /** Returns true if there may be more to do right away. */
  task: () => Promise<boolean>
  /** Holds back the next run for any time. */
  waitForRoom?: () => Promise<void>
}

/** Longer than any lease, so whatever a hanging run has claimed is free again when another run looks for it. */
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
  const { log, runtime, name, intervalMs, task, waitForRoom } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let isStuck = false
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
        if (isStuck || !isFailing) log.error({ err }, `${name} failed`)
        isFailing = true
      }
      await waitForRoom?.()
      const woken = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      if (!hasMore) await Promise.race([runtime.sleep(intervalMs, signal), woken])
    }
  }
  const loop = repeatTask()
  return {
    name,
    wake: () => wakeUp(),
    isStuck: () => isStuck,
    async stop() {
      stopping.abort()
      await loop
    },
  }
}
