import { hostname } from 'node:os'
import pg from 'pg'
import type { Runtime } from '../runtime.ts'
import { VERSION } from '../version.ts'
import { checkSession } from './check-session.ts'
import { DeadlineClient } from './deadline-client.ts'
import { declareKeys } from './declared-keys.ts'
import { createEncryption, type Encryption } from './encryption.ts'
import { readSecretFile } from './secret-keys.ts'
import { openSharedServer } from './shared-server.ts'

/** The PostgreSQL database that the service and the bot share. Each keeps its tables in its own schema. */
export type Database = Awaited<ReturnType<typeof openDatabase>>

/** The parts of a database that a store needs to open its tables. */
export type StoreAccess = Pick<Database, 'pool' | 'encryption'> & {
  /** Connects as the role that owns the tables and migrates them. Undefined if the application's own role does that. */
  ownerPool?: pg.Pool | undefined
  /** The folder of the embedded database. */
  dataDir?: string | undefined
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
  queryTimeoutMs?: number | undefined
}

/** `location` shows people where the data is: a folder, or a URL without its password. */
export async function openDatabase(options: DatabaseOptions) {
  const { config, runtime } = options
  const { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR, SECRET_KEY } = config
  const { randomBytes } = runtime
  if (DATABASE_URL) {
    const encryption = createEncryption(SECRET_KEY, randomBytes)
    // This pool is opened first, because it keeps no connection open: if the next step fails, the process can still end.
    const ownerPool = DATABASE_OWNER_URL ? await connectPool(DATABASE_OWNER_URL, options) : undefined
    const pool = await connectPool(DATABASE_URL, options, encryption)
    return {
      pool,
      ownerPool,
      encryption,
      location: withoutPassword(DATABASE_URL),
      dataDir: undefined,
      secretFile: undefined,
      close: async () => {
        await Promise.all([pool.end(), ownerPool?.end()])
      },
    }
  }
  const file = await readSecretFile(DATA_DIR, runtime).catch((error: NodeJS.ErrnoException) => {
    // Node's errors name only the path.
    throw error.code ? new Error(`DATA_DIR can't be used: ${error.message}`, { cause: error }) : error
  })
  // Once SECRET_KEY is set, the file is only needed to decrypt older data.
  const encryption = createEncryption([...SECRET_KEY, file.secret], randomBytes)
  const secretFile = SECRET_KEY.length ? undefined : file.path
  const server = await openSharedServer(DATA_DIR, randomBytes)
  const pool = await connectPool(server.url, options, encryption)
  const close = () => pool.end().then(server.close)
  const { homeDir } = server
  return { pool, ownerPool: undefined, encryption, location: homeDir, dataDir: homeDir, secretFile, close }
}

export async function readServerVersion(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query("select current_setting('server_version') as version")
  return rows[0].version
}

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
  /** By default, a connection is idle for two hours before the system checks whether the other side is still there. */
  keepAliveInitialDelayMillis: 10_000,
}

/** The connections declare the keys of `encryption`. */
async function connectPool(
  url: string,
  { onError, queryTimeoutMs }: DatabaseOptions,
  encryption?: Encryption,
): Promise<pg.Pool> {
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

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgresql://${host}${pathname}`
}
