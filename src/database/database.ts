import pg from 'pg'
import type { RandomBytes } from './cluster.ts'
import { openEmbeddedServer } from './embedded-server.ts'

/** The PostgreSQL database that the service and the bot share. Each keeps its tables in its own schema. */
export type Database = {
  pool: pg.Pool
  /** Where the data is, for people to read: a folder, or a URL without its password. */
  location: string
  close(): Promise<void>
}

export type DatabaseOptions = {
  config: { DATABASE_URL?: string | undefined; DATA_DIR: string }
  onError: (error: Error) => void
  randomBytes: RandomBytes
}

const CONNECT_TIMEOUT_MS = 10_000
const MAX_CONNECTIONS = 10

export async function openDatabase({ config, onError, randomBytes }: DatabaseOptions): Promise<Database> {
  const url = config.DATABASE_URL
  if (url) {
    const pool = await openPool(url, onError)
    return { pool, location: withoutPassword(url), close: () => pool.end() }
  }
  const server = await openEmbeddedServer(config.DATA_DIR, randomBytes)
  const pool = await openPool(server.url, onError)
  const close = async () => {
    await pool.end()
    await server.close()
  }
  return { pool, location: server.homeDir, close }
}

async function openPool(url: string, onError: (error: Error) => void): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'upnext',
  })
  pool.on('error', onError)
  // The pool listens only on idle connections. Without this listener, a broken busy connection ends the
  // process.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    await pool.query('select 1')
    return pool
  } catch (cause) {
    await pool.end()
    throw new Error(`Can't connect to the database at ${withoutPassword(url)}: ${(cause as Error).message}`, {
      cause,
    })
  }
}

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
