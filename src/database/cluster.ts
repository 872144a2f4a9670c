import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, chown, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exists } from './exists.ts'
import { type Account, mayReach, postgresAccount } from './postgres-account.ts'
import { type Binaries, findBinaries } from './postgres-binaries.ts'
import { isAlive } from './start-lock.ts'

const run = promisify(execFile)

/** A PostgreSQL cluster on this machine's disk, running or not. */
export type Cluster = {
  home: string
  data: string
  account: Account
  binaries: Binaries
  randomBytes: RandomBytes
}

export type RandomBytes = (size: number) => Buffer

export const USER = 'upnext'

/** Where root's clusters live when the account that must run PostgreSQL cannot reach the project's own folders. */
const SYSTEM_DIR = '/var/lib/upnext'

export async function openCluster(dataDir: string, randomBytes: RandomBytes): Promise<Cluster> {
  const account = await postgresAccount()
  const binaries = await findBinaries({ account, fallback: SYSTEM_DIR })
  const home = await reachableHome(dataDir, account)
  return { home, data: join(home, 'data'), account, binaries, randomBytes }
}

async function reachableHome(dataDir: string, account: Account): Promise<string> {
  const home = await prepareHome(join(dataDir, 'postgres'), account)
  if (await mayReach(account, home, 'write')) return home
  if (await exists(join(home, 'data')))
    throw new Error(
      `The account that runs PostgreSQL cannot reach ${home}. Give the folders above it mode 755, or set DATA_DIR.`,
    )
  await rmdir(home).catch(() => {})
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return prepareHome(join(SYSTEM_DIR, name), account)
}

async function prepareHome(home: string, account: Account): Promise<string> {
  for (let times = 1; ; times++) {
    await mkdir(home, { recursive: true, mode: 0o755 })
    try {
      if (account) await chown(home, account.uid, account.gid)
      return home
    } catch (error) {
      // Another process that starts here has found it out of reach, and taken it away again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || times === MOST_TIMES) throw error
    }
  }
}

const MOST_TIMES = 5

/** Where the server can be expected to answer, now or in a moment; nothing where none is running. */
export async function runningAt(cluster: Cluster): Promise<{ port: number; password: string } | undefined> {
  const written = await readPidFile(cluster)
  if (!written || !(await isPostgres(written.pid))) return undefined
  return { port: written.port, password: await readFile(passwordFile(cluster), 'utf8') }
}

export async function startCluster(cluster: Cluster): Promise<void> {
  await initialise(cluster)
  await removeStalePidFile(cluster)
  const startLog = join(cluster.home, 'start.log')
  await rm(startLog, { force: true })
  try {
    const options = `-p ${(await lastPort(cluster)) ?? (await freePort())}`
    await pgCtl(cluster, ['start', '--wait', '--timeout=60', '--log', startLog, '--options', options])
  } catch (cause) {
    const said = (await readFile(startLog, 'utf8').catch(() => '')).trim().split('\n').slice(-5).join('\n')
    throw new Error(`The PostgreSQL under ${cluster.home} did not start:\n${said}`, { cause })
  }
}

export async function stopCluster(cluster: Cluster): Promise<void> {
  await pgCtl(cluster, ['stop', '--mode=fast', '--wait', '--timeout=60'])
}

const pgCtl = (cluster: Cluster, args: string[]) =>
  run(cluster.binaries.pg_ctl, ['--pgdata', cluster.data, ...args], { ...cluster.account, cwd: cluster.home })

/** Made under another name and then renamed: a process that is killed half-way leaves nothing that looks finished. */
async function initialise(cluster: Cluster): Promise<void> {
  const { home, data, account, binaries, randomBytes } = cluster
  if (await exists(data)) return
  const partial = join(home, 'data.new')
  await rm(partial, { recursive: true, force: true })
  await writeFile(passwordFile(cluster), randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account) await chown(passwordFile(cluster), account.uid, account.gid)
  const flags = [
    `--pgdata=${partial}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile(cluster)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  await run(binaries.initdb, flags, { ...account, cwd: home })
  await appendFile(join(partial, 'postgresql.conf'), SETTINGS)
  await rename(partial, data)
}

const passwordFile = (cluster: Cluster) => join(cluster.home, 'password')

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
logging_collector = on
log_filename = 'postgres-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
`

/**
 * PostgreSQL recovers from its own stale postmaster.pid, unless the number in it belongs to a living process: after a
 * restart of the machine or the container that may be anybody.
 */
async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const written = await readPidFile(cluster)
  if (written && !(await isPostgres(written.pid)))
    await rm(join(cluster.data, 'postmaster.pid'), { force: true })
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ONLY_LINUX_CAN_TELL)
  return /^\d+ \(postgres\) [^ZX]/.test(stat) // a dead process that nobody has waited for is Z, a zombie
}

const ONLY_LINUX_CAN_TELL = '0 (postgres) S'

async function readPidFile(cluster: Cluster): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster.data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid && port ? { pid, port } : undefined
}

/** The port of the last time, if it is still free: a process that outlived the server looks for it there. */
async function lastPort(cluster: Cluster): Promise<number | undefined> {
  const written = await readFile(join(cluster.data, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"-p" "(\d+)"/.exec(written)?.[1])
  return port ? freePort(port).catch(() => undefined) : undefined
}

function freePort(wanted = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('No port is free.')),
      )
    })
  })
}
