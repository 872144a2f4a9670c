import pg from 'pg'

/** The limit is high, because an operator watches the start and can stop it earlier. */
const MAX_STATEMENT_MS = 60 * 60_000

/** Lends connections whose statements may take long: they change whole tables, or wait until another instance has done so. */
export async function withSetUpPool<T>(pool: pg.Pool, work: (setUpPool: pg.Pool) => Promise<T>): Promise<T> {
  // In pg, the settings in a URL have priority.
  const url = new URL(pool.options.connectionString ?? '')
  const settings = {
    application_name: 'upnext set-up',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  }
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  const setUpPool = new pg.Pool({
    ...pool.options,
    connectionString: url.href,
    queryTimeoutMs: MAX_STATEMENT_MS,
  } as pg.PoolConfig)
  setUpPool.on('error', () => {})
  // If a connection is lost, the query that it was running reports the error.
  setUpPool.on('connect', (client) => client.on('error', () => {}))
  try {
    return await work(setUpPool)
  } finally {
    await setUpPool.end()
  }
}
