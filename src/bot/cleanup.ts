import { type Poller, startPoller } from '../jobs/poller.ts'
import { LIFETIMES } from './all-tables.ts'
import { applyLifetime } from './database/apply-lifetime.ts'
import { deleteExpiredEntries } from './slack/audit-store.ts'
import type { WorkerContext } from './slack/feature.ts'
import { checkUninstallations } from './slack/installation/installation.ts'

const POLL_INTERVAL_MS = 1000
const CLEANUP_INTERVAL_MS = 60 * 60_000
/** Slack sends no event for a reinstallation, and digests stay stopped until Upnext notices it. */
const INSTALLATION_CHECK_INTERVAL_MS = 60_000

/** Deletes old rows or erases their content, deletes data of uninstalled workspaces, and notices reinstallations. */
export function startCleanup(context: WorkerContext): Poller {
  const { db, log, runtime } = context.bot
  const run = (step: () => Promise<unknown>) =>
    step().catch((err: unknown) => log.error({ err }, 'Failed to run a step of the cleanup'))
  let cleanedAt = 0
  let checkedAt = 0
  return startPoller({
    log,
    runtime,
    name: 'clean up',
    intervalMs: POLL_INTERVAL_MS,
    task: async () => {
      const now = runtime.now()
      if (now.getTime() - cleanedAt >= CLEANUP_INTERVAL_MS) {
        cleanedAt = now.getTime()
        for (const lifetime of LIFETIMES) await run(() => applyLifetime(db, lifetime, now))
        await run(() => deleteExpiredEntries(db))
      }
      if (now.getTime() - checkedAt >= INSTALLATION_CHECK_INTERVAL_MS) {
        checkedAt = now.getTime()
        await run(() => checkUninstallations(context))
      }
      return false
    },
  })
}
