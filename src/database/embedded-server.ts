import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  type Cluster,
  openCluster,
  type RandomBytes,
  runningAt,
  startCluster,
  stopCluster,
  USER,
} from './cluster.ts'
import { withStartLock } from './start-lock.ts'

const DATABASE = 'upnext'
const PATIENCE_MS = 60_000

/** Held, shared, by every process that uses the server: whoever can take it alone may be the last one out. */
const IN_USE = 7_503_201

export type EmbeddedServer = {
  url: string
  home: string
  /** Stops the server, unless another process is using it. */
  leave(): Promise<void>
}

/** Starts the PostgreSQL under `dataDir`, or joins it where another process has it running. */
export async function useEmbeddedServer(dataDir: string, randomBytes: RandomBytes): Promise<EmbeddedServer> {
  const cluster = await openCluster(resolve(dataDir), randomBytes)
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const entered = await startAndEnter(cluster)
    if (entered) return { url: entered.url, home: cluster.home, leave: stayIn(cluster, entered.guard) }
    if (performance.now() > giveUpAt)
      throw new Error(
        `The PostgreSQL under ${cluster.home} does not answer. Its log is in ${cluster.data}/log; if no PostgreSQL is running there, delete ${cluster.data}/postmaster.pid.`,
      )
    await sleep(100)
  }
}

async function startAndEnter(cluster: Cluster): ReturnType<typeof enter> {
  if (!(await runningAt(cluster))) await start(cluster)
  return enter(cluster)
}

const start = (cluster: Cluster) =>
  withStartLock(join(cluster.home, 'starting.lock'), async () => {
    if (!(await runningAt(cluster))) await startCluster(cluster)
  })

/** Connects, and marks the server as in use. Nothing where it is starting, shutting down or gone. */
async function enter(cluster: Cluster): Promise<{ url: string; guard: pg.Client } | undefined> {
  const server = await runningAt(cluster)
  if (!server) return undefined
  const address = `postgresql://${USER}:${server.password}@127.0.0.1:${server.port}`
  const guard = new pg.Client(`${address}/postgres`)
  guard.on('error', () => {}) // whoever queries through the pool hears of a server that went away
  try {
    await guard.connect()
    await guard.query('select pg_advisory_lock_shared($1)', [IN_USE])
    await ensureDatabase(guard)
    return { url: `${address}/${DATABASE}`, guard }
  } catch (error) {
    await guard.end().catch(() => {})
    if (isAway(error)) return undefined
    throw error
  }
}

async function ensureDatabase(guard: pg.Client): Promise<void> {
  const { rowCount } = await guard.query('select from pg_database where datname = $1', [DATABASE])
  if (rowCount) return
  await guard.query(`create database ${DATABASE}`).catch((error) => {
    if (!MADE_BY_ANOTHER.has(error.code)) throw error
  })
}

const MADE_BY_ANOTHER = new Set(['42P04', '23505'])

/** Keeps the mark, and starts the server again should it die, until the function returned is called. */
function stayIn(cluster: Cluster, first: pg.Client): () => Promise<void> {
  let guard: pg.Client | undefined
  let leaving = false
  let returning: Promise<void> | undefined
  const watch = (current: pg.Client) => {
    guard = current
    current.once('end', () => {
      guard = undefined
      returning = comeBack()
    })
  }
  const comeBack = async () => {
    while (!leaving && !guard) {
      const entered = await startAndEnter(cluster).catch(() => undefined) // whoever queries says what is wrong
      if (entered) watch(entered.guard)
      else await sleep(500)
    }
  }
  watch(first)
  return async () => {
    leaving = true
    await returning
    await guard?.end().catch(() => {})
    await stopIfLast(cluster)
  }
}

async function stopIfLast(cluster: Cluster): Promise<void> {
  const entered = await enter(cluster)
  if (!entered) return
  const { guard } = entered
  try {
    await guard.query('select pg_advisory_unlock_shared($1)', [IN_USE])
    const { rows } = await guard.query(ALONE, [IN_USE])
    if (rows[0]?.alone) await stopCluster(cluster)
  } catch (error) {
    if (!isAway(error)) throw error
  } finally {
    await guard.end().catch(() => {})
  }
}

/** A process whose mark was lost a moment ago may be there all the same, with other connections. */
const ALONE = `
  select pg_try_advisory_lock($1) and not exists (
    select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
  ) as alone`

/** Whether the error says that no server is there to talk to, rather than that it did not like what it heard. */
function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return AWAY.has(code ?? '') || /connection terminated|not queryable/i.test(message ?? '')
}

const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'])
