import { once } from 'node:events'
import type pg from 'pg'
import { DeadlineClient } from './deadline-client.ts'

/** PostgreSQL notifies an idle connection immediately. */
const NOTIFICATION_TIMEOUT_MS = 5000
const CHANNEL = 'upnext_session_check'

const ADVICE = "Use PostgreSQL's own address"

/**
 * Throws an error if a pooler, such as PgBouncer, lends each client another connection for each transaction. Locks,
 * settings and prepared statements of one client would then meet the statements of others.
 */
export async function checkSession(settings: pg.ClientConfig): Promise<void> {
  const listener = new DeadlineClient(settings)
  const sender = new DeadlineClient(settings)
  for (const client of [listener, sender]) client.on('error', () => {})
  try {
    await listener.connect()
    const { rows } = await listener.query('select pg_backend_pid() as pid')
    // A pooler invents the number that a client gets when it connects.
    if (rows[0].pid === (listener as { processID?: number }).processID) return
    await sender.connect()
    await listener.query(`listen ${CHANNEL}`)
    // Between transactions, it only reaches a client that still has its connection.
    const signal = AbortSignal.timeout(NOTIFICATION_TIMEOUT_MS)
    await Promise.all([once(listener, 'notification', { signal }), sender.query(`notify ${CHANNEL}`)])
  } catch (cause) {
    const { name, message } = cause as Error
    if (name === 'AbortError')
      throw new Error(
        `DATABASE_URL goes through PgBouncer or another pooler that shares connections. ${ADVICE}, or set pool_mode = session.`,
        { cause },
      )
    if (/unsupported startup parameter/.test(message))
      throw new Error(
        `PgBouncer says "${message}". ${ADVICE}, or set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout in PgBouncer.`,
        { cause },
      )
    throw cause
  } finally {
    await Promise.all([listener.end(), sender.end()])
  }
}
