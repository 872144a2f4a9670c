import pg from 'pg'

/** Only bounds how long a dead connection can delay a start. */
const SET_UP_TIMEOUT_MS = 60 * 60_000

/** Lends connections whose statements may take long: they change whole tables, or wait until another instance has done so. */
export async function withSetUpPool<T>(
  { options }: pg.Pool,
  work: (setUpPool: pg.Pool) => Promise<T>,
): Promise<T> {
  // In pg, the settings in a URL have priority.
  const url = new URL(options.connectionString ?? '')
  for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout'])
    url.searchParams.set(name, '0')
  const settings = { ...options, connectionString: url.href, queryTimeoutMs: SET_UP_TIMEOUT_MS }
  const pool = new pg.Pool(settings)
  pool.on('error', () => {})
  // The query that a lost connection ends reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
