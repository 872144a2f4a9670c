import { type Poller, startPoller } from '../jobs/poller.ts'
import { LIFETIMES } from './all-tables.ts'
import { endLifetime } from './database/end-lifetime.ts'
import type { WorkerContext } from './slack/module.ts'

const CHECK_INTERVAL_MS = 1000
const CLEANUP_INTERVAL_MS = 60 * 60_000

/** Deletes rows, or erases some of their columns, when a lifetime has ended. Then lets each module clean up. */
export function startCleanup(context: WorkerContext): Poller {
  const { db, log, runtime } = context.bot
  let cleanedAt = 0
  return startPoller({
    log,
    runtime,
    name: 'clean up',
    intervalMs: CHECK_INTERVAL_MS,
    task: async () => {
      const now = runtime.now()
      if (now.getTime() - cleanedAt < CLEANUP_INTERVAL_MS) return false
      cleanedAt = now.getTime()
      const steps = [
        ...LIFETIMES.map((lifetime) => () => endLifetime(db, lifetime, now)),
        ...context.modules.flatMap(({ cleanUp = [] }) => cleanUp.map((step) => () => step(context))),
      ]
      for (const step of steps)
        await step().catch((err: unknown) => log.error({ err }, 'Failed to run a step of the cleanup'))
      return false
    },
  })
}
