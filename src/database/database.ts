import pg from 'pg'
import type { Runtime } from '../runtime.ts'
import { createEncryption } from './encryption.ts'
import { readSecretFile } from './secret-keys.ts'
import { openSharedServer } from './shared-server.ts'

/** The PostgreSQL database that the service and the bot share. Each keeps its tables in its own schema. */
export type Database = Awaited<ReturnType<typeof openDatabase>>

/** What stores need to open their tables. */
export type StoreAccess = Pick<Database, 'pool' | 'encryption'> & {
  /** Owns the tables and changes them in migrations. Undefined if the application's own role does. */
  ownerPool?: pg.Pool | undefined
}

type DatabaseOptions = {
  config: {
    DATABASE_URL?: string | undefined
    DATABASE_OWNER_URL?: string | undefined
    DATA_DIR: string
    SECRET_KEY: string[]
  }
  onError: (error: Error) => void
  runtime: Pick<Runtime, 'randomBytes' | 'newId'>
}

/** `location` shows people where the data is: a folder, or a URL without its password. */
export async function openDatabase({ config, onError, runtime }: DatabaseOptions) {
  const { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR, SECRET_KEY } = config
  const { randomBytes } = runtime
  if (DATABASE_URL) {
    const pool = await openPool(DATABASE_URL, onError)
    const ownerPool = DATABASE_OWNER_URL ? await openPool(DATABASE_OWNER_URL, onError) : undefined
    const encryption = createEncryption(SECRET_KEY, randomBytes)
    return {
      pool,
      ownerPool,
      encryption,
      location: withoutPassword(DATABASE_URL),
      secretFile: undefined,
      close: async () => {
        await Promise.all([pool.end(), ownerPool?.end()])
      },
    }
  }
  const file = await readSecretFile(DATA_DIR, runtime)
  // Once SECRET_KEY is set, the file is only needed to decrypt what was encrypted before.
  const encryption = createEncryption([...SECRET_KEY, file.secret], randomBytes)
  const secretFile = SECRET_KEY.length ? undefined : file.path
  const server = await openSharedServer(DATA_DIR, randomBytes)
  const pool = await openPool(server.url, onError)
  const close = () => pool.end().then(server.close)
  return { pool, ownerPool: undefined, encryption, location: server.homeDir, secretFile, close }
}

/** Both timeouts end a wait that would otherwise have no limit. A URL with `?statement_timeout=` overrides the second. */
const POOL_SETTINGS = {
  application_name: 'upnext',
  max: 10,
  /** Includes the time until one of the pool's connections is free. */
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
  keepAlive: true,
}

async function openPool(url: string, onError: (error: Error) => void): Promise<pg.Pool> {
  const pool = new pg.Pool({ ...POOL_SETTINGS, connectionString: url })
  pool.on('error', onError)
  // The pool listens only on idle connections. Without this listener, a broken busy connection ends the process.
  pool.on('connect', (client) => client.on('error', onError))
  try {
    await pool.query('select 1')
    return pool
  } catch (cause) {
    await pool.end()
    const { message } = cause as Error
    throw new Error(`Can't connect to the database at ${withoutPassword(url)}: ${message}`, { cause })
  }
}

/** The server's version and clock. */
export async function readServerState(pool: pg.Pool): Promise<{ version: string; now: Date }> {
  const { rows } = await pool.query("select now(), current_setting('server_version') as version")
  return rows[0]
}

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
