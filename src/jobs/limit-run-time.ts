import type { Runtime } from '../runtime.ts'

/** Longer than any healthy run takes. */
export const MAX_RUN_MS = 5 * 60_000

export class StuckError extends Error {}

/** Rejects if a run hangs. The run itself can't be ended, so it is abandoned. */
export async function limitRunTime<T>(run: Promise<T>, { sleep }: Pick<Runtime, 'sleep'>): Promise<T> {
  const finished = new AbortController()
  const timeout = sleep(MAX_RUN_MS, finished.signal).then(() => {
    if (finished.signal.aborted) return run
    throw new StuckError(`The run didn't end within ${MAX_RUN_MS / 60_000} minutes, so it was abandoned.`)
  })
  // Without a reason, `abort` creates an error, which is slow.
  return Promise.race([run, timeout]).finally(() => finished.abort('finished'))
}
