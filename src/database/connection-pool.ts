import { hostname } from 'node:os'
import pg from 'pg'
import { VERSION } from '../version.ts'
import { checkSession } from './check-session.ts'
import { DeadlineClient } from './deadline-client.ts'
import { declareKeys } from './declared-keys.ts'
import type { Encryption } from './encryption.ts'

/** The timeouts end waits that would otherwise have no limit. A URL can shorten them, as in `?statement_timeout=1000`. */
const POOL_SETTINGS = {
  Client: DeadlineClient,
  // `/upnext status` lists the instances by this name.
  application_name: `upnext ${VERSION} ${hostname()}:${process.pid}`.slice(0, 63),
  max: 10,
  /** Includes the time until one of the pool's connections is free. */
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  /** Without this timeout, a connection that died without the server noticing would keep the locks of its transaction. */
  idle_in_transaction_session_timeout: 30_000,
  keepAlive: true,
  /** Without this delay, a connection is idle for two hours before the system checks whether the other side is there. */
  keepAliveInitialDelayMillis: 10_000,
}

type PoolOptions = {
  url: string
  onError: (error: Error) => void
  queryTimeoutMs?: number | undefined
  /** The keys that the connections declare. */
  encryption: Encryption | undefined
}

export async function connectPool({
  url,
  onError,
  queryTimeoutMs,
  encryption,
}: PoolOptions): Promise<pg.Pool> {
  const settings = { ...POOL_SETTINGS, connectionString: url, queryTimeoutMs }
  await checkSession(settings).catch((cause: Error) => {
    throw new Error(`Can't connect to the database at ${withoutPassword(url)}: ${cause.message}`, { cause })
  })
  const pool = new pg.Pool({
    ...settings,
    // One connection stays open, so that other instances always see this instance's keys when they start.
    ...(encryption && { min: 1, onConnect: (client) => declareKeys(client, encryption) }),
  })
  // The pool emits only the errors of idle connections. Each connection's own listener already reports those errors.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

export function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
