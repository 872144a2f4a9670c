import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { Runtime } from '../runtime.ts'
import { canRead, ensureAccount, findBinDir, type OsAccount, runProgram } from './postgres-installation.ts'
import { isProcessAlive, readIfExists } from './start-lock.ts'

/**
 * A PostgreSQL cluster on this machine's disk, running or not. If Upnext runs as root, only `data` belongs to the
 * account that runs PostgreSQL. An account that owned the whole folder could replace a file with a link to one of
 * root's files, which root would then change.
 */
export type Cluster = Awaited<ReturnType<typeof openCluster>>

const SUPERUSER = 'upnext'

/** Holds the data, or a copy of PostgreSQL, if the account that runs PostgreSQL can't access the usual folder. */
const SYSTEM_DIR = '/var/lib/upnext'

export async function openCluster(dataDir: string, randomBytes: Runtime['randomBytes']) {
  const account = await ensureAccount()
  const binDir = await findBinDir(account, SYSTEM_DIR)
  const homeDir = await createAccessibleHome(dataDir, account)
  return { homeDir, dataDir: join(homeDir, 'data'), account, binDir, randomBytes }
}

async function createAccessibleHome(dataDir: string, account: OsAccount): Promise<string> {
  const home = await createHome(join(dataDir, 'postgres'), account)
  if (await canRead(account, home)) return home
  if (existsSync(join(home, 'data')))
    throw new Error(
      `The account that runs PostgreSQL can't access ${home}. Set the mode of its parent folders to 755, or change DATA_DIR.`,
    )
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return createHome(join(SYSTEM_DIR, name), account)
}

async function createHome(home: string, account: OsAccount): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o755 })
  // The process's umask may have taken away these rights.
  if (account) await chmod(home, 0o755)
  return home
}

/**
 * How to connect to the cluster's server as its superuser. Returns undefined if the server's process isn't alive. The
 * server may still be starting.
 */
export async function findServer(cluster: Cluster) {
  const postmaster = await readPidFile(cluster)
  if (!postmaster?.isAlive) return undefined
  return {
    host: '127.0.0.1',
    port: postmaster.port,
    user: SUPERUSER,
    password: await readFile(passwordFile(cluster), 'utf8'),
  }
}

export async function startCluster(cluster: Cluster): Promise<void> {
  await initializeCluster(cluster)
  // PostgreSQL recovers from its own stale postmaster.pid unless the pid in the file belongs to a running process.
  // After a restart of the machine or container, any process may have that pid.
  const postmaster = await readPidFile(cluster)
  if (postmaster && !postmaster.isAlive) await rm(pidFile(cluster), { force: true })
  const startLog = join(cluster.dataDir, 'start.log')
  await rm(startLog, { force: true })
  const options = `-p ${await choosePort(cluster)}`
  const args = ['start', '--wait', '--timeout=60', '--log', startLog, '--options', options]
  await runPgCtl(cluster, args).catch(async (cause) => {
    const lastLines = (await readAs(cluster, startLog)).trim().split('\n').slice(-5).join('\n')
    throw new Error(`The PostgreSQL server in ${cluster.homeDir} didn't start:\n${lastLines}`, { cause })
  })
}

export const stopCluster = (cluster: Cluster) =>
  runPgCtl(cluster, ['stop', '--mode=fast', '--wait', '--timeout=60'])

const runPgCtl = (cluster: Cluster, args: string[]) =>
  runAs(cluster, join(cluster.binDir, 'pg_ctl'), ['--pgdata', cluster.dataDir, ...args])

const readAs = (cluster: Cluster, path: string): Promise<string> =>
  cluster.account
    ? runAs(cluster, 'cat', [path]).then(
        ({ stdout }) => stdout,
        () => '',
      )
    : readIfExists(path)

/** The only variables that PostgreSQL gets: the others may be secrets, which the account could read. */
const PASSED_VARIABLES = ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TZ']

/** Runs a program as the account that runs PostgreSQL. */
function runAs({ account, homeDir }: Cluster, program: string, args: string[]) {
  const env = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]]))
  return runProgram(program, args, { ...account, cwd: homeDir, env })
}

/** Writes to a temporary folder and renames it, so that an interrupted start never leaves half a cluster. */
async function initializeCluster(cluster: Cluster): Promise<void> {
  const { homeDir, dataDir, account, binDir, randomBytes } = cluster
  if (existsSync(dataDir)) return
  const partial = join(homeDir, 'data.new')
  await removePartialCluster(cluster, partial)
  await mkdir(partial, { mode: 0o700 })
  if (account) await chown(partial, account.uid, account.gid)
  const password = randomBytes(24).toString('base64url')
  await createFile(passwordFile(cluster), password)
  const copyForInitdb = join(homeDir, 'password.new')
  await createFile(copyForInitdb, password)
  if (account) await chown(copyForInitdb, account.uid, account.gid)
  const flags = [
    `--pgdata=${partial}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${copyForInitdb}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...SERVER_SETTINGS.map((setting) => `--set=${setting}`),
  ]
  await runAs(cluster, join(binDir, 'initdb'), flags)
  await rm(copyForInitdb)
  await rename(partial, dataDir)
}

/** If Upnext runs as root, the account that owns the content deletes it, so links in there can't lead to root's files. */
async function removePartialCluster(cluster: Cluster, partial: string): Promise<void> {
  if (!cluster.account) return rm(partial, { recursive: true, force: true })
  // The account can't delete the folder itself.
  await runAs(cluster, 'rm', ['-rf', partial]).catch(() => {})
  if (existsSync(partial)) await rmdir(partial)
}

/** Replaces any file or link with this name. */
async function createFile(path: string, content: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, content, { mode: 0o600, flag: 'wx' })
}

const passwordFile = ({ homeDir }: Cluster) => join(homeDir, 'password')
const pidFile = ({ dataDir }: Cluster) => join(dataDir, 'postmaster.pid')

const SERVER_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'logging_collector=on',
  'log_filename=postgres-%a.log',
  'log_rotation_age=1d',
  'log_rotation_size=0',
  'log_truncate_on_rotation=on',
]

async function readPidFile(cluster: Cluster): Promise<{ port: number; isAlive: boolean } | undefined> {
  const lines = (await readIfExists(pidFile(cluster))).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid && port ? { port, isAlive: await isPostgresProcess(pid) } : undefined
}

async function isPostgresProcess(pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return false
  const stat = await readIfExists(`/proc/${pid}/stat`)
  // Only Linux has /proc. Elsewhere the pid alone decides. States Z and X are dead processes.
  return !stat || /^\d+ \(postgres\) [^ZX]/.test(stat)
}

/** Reuses the last port if it is free, because after a crash other processes still expect the server there. */
async function choosePort({ dataDir }: Cluster): Promise<number> {
  const options = await readIfExists(join(dataDir, 'postmaster.opts'))
  const lastPort = Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0)
  return findFreePort(lastPort).catch(() => findFreePort())
}

async function findFreePort(preferred = 0): Promise<number> {
  const probe = createServer().listen(preferred, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await once(probe.close(), 'close')
  return port
}
