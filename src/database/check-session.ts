import { once } from 'node:events'
import type pg from 'pg'
import { DeadlineClient } from './deadline-client.ts'

/** This is ample, because PostgreSQL notifies an idle connection immediately. */
const NOTIFICATION_TIMEOUT_MS = 5000
const NOTIFICATION_CHANNEL = 'upnext_session_check'

const ADVICE = 'Connect to PostgreSQL directly'

/**
 * Throws an error if a pooler, such as PgBouncer, may lend a client a different connection for each transaction. Locks,
 * settings and prepared statements of one client would then affect the statements of other clients.
 */
export async function checkSession(settings: pg.ClientConfig): Promise<void> {
  const listener = new DeadlineClient(settings)
  const sender = new DeadlineClient(settings)
  for (const client of [listener, sender]) client.on('error', () => {})
  try {
    await listener.connect()
    const { rows } = await listener.query('select pg_backend_pid() as pid')
    // A pooler gives each client an invented process id, so if the id is real, there is no pooler.
    if (rows[0].pid === (listener as { processID?: number }).processID) return
    await sender.connect()
    await listener.query(`listen ${NOTIFICATION_CHANNEL}`)
    // Between transactions, a notification only reaches a client that still has the connection on which it listened.
    const signal = AbortSignal.timeout(NOTIFICATION_TIMEOUT_MS)
    await Promise.all([
      once(listener, 'notification', { signal }),
      sender.query(`notify ${NOTIFICATION_CHANNEL}`),
    ])
  } catch (cause) {
    const { name, message } = cause as Error
    if (name === 'AbortError')
      throw new Error(
        `DATABASE_URL goes through PgBouncer or another pooler that shares connections. ${ADVICE}, or set pool_mode = session.`,
        { cause },
      )
    if (/unsupported startup parameter/.test(message))
      throw new Error(
        `PgBouncer rejected the connection: "${message}". ${ADVICE}, or set ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout in PgBouncer.`,
        { cause },
      )
    throw cause
  } finally {
    await Promise.all([listener.end(), sender.end()])
  }
}
