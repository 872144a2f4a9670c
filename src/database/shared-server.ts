import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Runtime } from '../runtime.ts'
import { ensureApplicationRole } from './application-role.ts'
import { isTemporaryDatabaseError } from './connection-error.ts'
import { DeadlineClient } from './deadline-client.ts'
import { type Cluster, findServer, openCluster, startCluster, stopCluster } from './postgres-cluster.ts'
import { withStartLock } from './start-lock.ts'

const CONNECT_TIMEOUT_MS = 60_000
const GUARD_CONNECT_TIMEOUT_MS = 5_000
const CONNECT_RETRY_MS = 100
const RESTART_RETRY_MS = 500

/** All processes that use the server share this advisory lock. Only the last process can get it exclusively. */
const IN_USE_LOCK_ID = 7_503_201

/**
 * Starts the PostgreSQL in `dataDir`, or connects to it if another process has already started it. Closing stops the
 * server if no other process is using it.
 */
export async function openSharedServer(dataDir: string, randomBytes: Runtime['randomBytes']) {
  const cluster = await openCluster(resolve(dataDir), randomBytes)
  const deadline = performance.now() + CONNECT_TIMEOUT_MS
  for (;;) {
    const connection = await startAndConnect(cluster)
    if (connection) {
      const { url, superuser, guard } = connection
      return { url, superuser, homeDir: cluster.homeDir, close: keepServerRunning(cluster, guard) }
    }
    if (performance.now() > deadline)
      throw new Error(
        `The PostgreSQL server in ${cluster.homeDir} doesn't respond. Check the log in ${cluster.dataDir}/log. If no PostgreSQL is running there, delete ${cluster.dataDir}/postmaster.pid.`,
      )
    await sleep(CONNECT_RETRY_MS)
  }
}

async function startAndConnect(cluster: Cluster) {
  if (!(await findServer(cluster)))
    await withStartLock(join(cluster.homeDir, 'starting.lock'), async () => {
      if (!(await findServer(cluster))) await startCluster(cluster)
    })
  return connectGuard(cluster)
}

/**
 * Opens the connection that holds the in-use lock as long as this process needs the server. Returns undefined if the
 * server is starting, shutting down or not running.
 */
async function connectGuard(cluster: Cluster) {
  const superuser = await findServer(cluster)
  if (!superuser) return undefined
  const guard = new DeadlineClient({
    ...superuser,
    database: 'postgres',
    connectionTimeoutMillis: GUARD_CONNECT_TIMEOUT_MS,
  })
  guard.on('error', () => {}) // Queries in the connection pool report a lost server.
  try {
    await guard.connect()
    await guard.query('select pg_advisory_lock_shared($1)', [IN_USE_LOCK_ID])
    return { url: await ensureApplicationRole(guard, superuser), superuser, guard }
  } catch (error) {
    await guard.end().catch(() => {})
    if (isTemporaryDatabaseError(error)) return undefined
    throw error
  }
}

/** Restarts the server whenever it dies. Returns a function that ends these restarts and releases the server. */
function keepServerRunning(cluster: Cluster, firstGuard: pg.Client): () => Promise<void> {
  let guard: pg.Client | undefined = firstGuard
  let isClosing = false
  const restartWhenLost = async () => {
    while (!isClosing) {
      if (guard) await new Promise((resolve) => guard?.once('end', resolve))
      else await sleep(RESTART_RETRY_MS)
      // Queries in the connection pool report the error.
      if (!isClosing) guard = (await startAndConnect(cluster).catch(() => undefined))?.guard
    }
  }
  const restarting = restartWhenLost()
  return async () => {
    isClosing = true
    await guard?.end().catch(() => {})
    await restarting
    // A restart that was in progress may have opened a new guard.
    await guard?.end().catch(() => {})
    await stopIfUnused(cluster)
  }
}

async function stopIfUnused(cluster: Cluster): Promise<void> {
  const guard = (await connectGuard(cluster))?.guard
  if (!guard) return
  try {
    await guard.query('select pg_advisory_unlock_shared($1)', [IN_USE_LOCK_ID])
    const { rows } = await guard.query('select pg_try_advisory_lock($1) as is_last', [IN_USE_LOCK_ID])
    if (rows[0]?.is_last) await stopCluster(cluster)
  } catch (error) {
    if (!isTemporaryDatabaseError(error)) throw error
  } finally {
    await guard.end().catch(() => {})
  }
}
