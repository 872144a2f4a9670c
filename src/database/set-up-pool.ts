import pg from 'pg'

/**
 * Lends connections whose statements may take long: they change whole tables, or wait until another instance has done so.
 * A connection that forwards nothing is still closed, because the server then no longer runs its statement.
 */
export async function withSetUpPool<T>(pool: pg.Pool, work: (setUpPool: pg.Pool) => Promise<T>): Promise<T> {
  // In pg, the settings in a URL have priority.
  const url = new URL(pool.options.connectionString ?? '')
  const settings = {
    application_name: APPLICATION_NAME,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  }
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  const setUpPool = new pg.Pool({
    ...pool.options,
    connectionString: url.href,
    mayGoOn: () => isSettingUp(pool),
  } as pg.PoolConfig)
  setUpPool.on('error', () => {})
  // The query that a lost connection ends reports the error.
  setUpPool.on('connect', (client) => client.on('error', () => {}))
  try {
    return await work(setUpPool)
  } finally {
    await setUpPool.end()
  }
}

const APPLICATION_NAME = 'upnext set-up'

/**
 * Whether the server runs a statement of a set-up, of this instance or another one, for which this one may wait. If the
 * server doesn't say, the answer comes with the next question.
 */
async function isSettingUp(pool: pg.Pool): Promise<boolean> {
  const query =
    "select from pg_stat_activity where application_name = $1 and datname = current_database() and state = 'active'"
  return pool.query(query, [APPLICATION_NAME]).then(
    ({ rowCount }) => rowCount !== 0,
    () => true,
  )
}
