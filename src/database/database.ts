import pg from 'pg'
import type { RandomBytes } from './cluster.ts'
import { useEmbeddedServer } from './embedded-server.ts'

/** One PostgreSQL for all rooms of the house; each keeps its tables in a schema of its own. */
export type Database = {
  pool: pg.Pool
  /** For people: where the data is, without the password. */
  where: string
  close(): Promise<void>
}

export type DatabaseOptions = {
  config: { DATABASE_URL?: string | undefined; DATA_DIR: string }
  onError: (error: Error) => void
  randomBytes: RandomBytes
}

export async function openDatabase({ config, onError, randomBytes }: DatabaseOptions): Promise<Database> {
  const url = config.DATABASE_URL
  if (url) {
    const pool = await connect(url, onError)
    return { pool, where: withoutPassword(url), close: () => pool.end() }
  }
  const server = await useEmbeddedServer(config.DATA_DIR, randomBytes)
  const pool = await connect(server.url, onError)
  const close = async () => {
    await pool.end()
    await server.leave()
  }
  return { pool, where: server.home, close }
}

async function connect(url: string, onError: (error: Error) => void): Promise<pg.Pool> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    application_name: 'upnext',
  })
  pool.on('error', onError)
  // A connection in use has no listener of the pool's, and one that breaks would end the process.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    await pool.query('select 1')
    return pool
  } catch (cause) {
    await pool.end()
    throw new Error(`The database at ${withoutPassword(url)} cannot be used: ${(cause as Error).message}`, {
      cause,
    })
  }
}

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
