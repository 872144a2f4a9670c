import pg from 'pg'

/** The limit is high, because an operator watches the start and can stop it earlier. */
const QUERY_TIMEOUT_MS = 60 * 60_000

/** PostgreSQL's code for a statement that exceeded `statement_timeout`. */
const STATEMENT_TIMEOUT_CODE = '57014'

/**
 * Runs work that changes whole tables, or waits until another instance has changed them. The first try has the ordinary
 * timeouts, so a start doesn't hang on a dead connection. If a statement times out, a second try has no such timeout.
 */
export async function withMigrationPool<T>(
  pool: pg.Pool,
  work: (migrationPool: pg.Pool) => Promise<T>,
): Promise<T> {
  try {
    return await work(pool)
  } catch (error) {
    if ((error as { code?: string }).code !== STATEMENT_TIMEOUT_CODE) throw error
  }
  // In pg, the settings in a URL have priority.
  const url = new URL(pool.options.connectionString ?? '')
  const settings = {
    application_name: 'upnext migration',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
  }
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value)
  const migrationPool = new pg.Pool({
    ...pool.options,
    connectionString: url.href,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
  } as pg.PoolConfig)
  migrationPool.on('error', () => {})
  // If a connection is lost, the query that it was running reports the error.
  migrationPool.on('connect', (client) => client.on('error', () => {}))
  try {
    return await work(migrationPool)
  } finally {
    await migrationPool.end()
  }
}
