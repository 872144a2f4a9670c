import type { Logger } from 'pino'
import { type Poller, startPoller } from '../jobs/poller.ts'
import { addMs, type Runtime } from '../runtime.ts'
import { deleteExpiredKeys } from './stores/idempotency-store.ts'
import { deleteLogEntries } from './stores/logs-store.ts'
import type { Db } from './stores/tables.ts'
import { deleteRevokedTokens } from './stores/tokens-store.ts'

const INTERVAL_MS = 60 * 60_000
const DAY_MS = 24 * 60 * 60_000

type CleanupOptions = { db: Db; log: Logger; runtime: Runtime; retentionDays: number }

/** Deletes tokens that were revoked long ago, expired idempotency keys, and old log entries, which name people. */
export const startCleanup = ({ db, log, runtime, retentionDays }: CleanupOptions): Poller =>
  startPoller({
    log,
    runtime,
    name: 'clean up',
    intervalMs: INTERVAL_MS,
    task: async () => {
      const now = runtime.now()
      const cutoff = addMs(now, -retentionDays * DAY_MS)
      await deleteRevokedTokens(db, cutoff)
      await deleteExpiredKeys(db, now)
      return deleteLogEntries(db, cutoff)
    },
  })
