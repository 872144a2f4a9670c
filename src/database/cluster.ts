import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, chown, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Account,
  type Binaries,
  canAccess,
  findBinaries,
  findPostgresAccount,
  pathExists,
} from './postgres-installation.ts'
import { isProcessAlive } from './start-lock.ts'

const runProgram = promisify(execFile)

/** A PostgreSQL cluster on this machine's disk, running or not. */
export type Cluster = {
  homeDir: string
  dataDir: string
  account: Account
  binaries: Binaries
  randomBytes: RandomBytes
}

export type RandomBytes = (size: number) => Buffer

export const SUPERUSER = 'upnext'

/**
 * Stores the data when the account that PostgreSQL uses instead of root can't access the configured folder.
 */
const SYSTEM_DIR = '/var/lib/upnext'

const MAX_HOME_ATTEMPTS = 5

export async function openCluster(dataDir: string, randomBytes: RandomBytes): Promise<Cluster> {
  const account = await findPostgresAccount()
  const binaries = await findBinaries(account, SYSTEM_DIR)
  const homeDir = await createAccessibleHome(dataDir, account)
  return { homeDir, dataDir: join(homeDir, 'data'), account, binaries, randomBytes }
}

async function createAccessibleHome(dataDir: string, account: Account): Promise<string> {
  const home = await createHome(join(dataDir, 'postgres'), account)
  if (await canAccess(account, home, 'write')) return home
  if (await pathExists(join(home, 'data')))
    throw new Error(
      `The account that runs PostgreSQL can't access ${home}. Set the mode of its parent folders to 755, or change DATA_DIR.`,
    )
  await rmdir(home).catch(() => {})
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  return createHome(join(SYSTEM_DIR, name), account)
}

async function createHome(home: string, account: Account): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    await mkdir(home, { recursive: true, mode: 0o755 })
    try {
      if (account) await chown(home, account.uid, account.gid)
      return home
    } catch (error) {
      // Another starting process found the folder inaccessible and removed it between the two calls.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === MAX_HOME_ATTEMPTS) throw error
    }
  }
}

/** The port and password of the cluster's server if its process is alive. It may still be starting. */
export async function findRunningServer(
  cluster: Cluster,
): Promise<{ port: number; password: string } | undefined> {
  const postmaster = await readPidFile(cluster)
  if (!postmaster || !(await isPostgresProcess(postmaster.pid))) return undefined
  return { port: postmaster.port, password: await readFile(passwordFile(cluster), 'utf8') }
}

export async function startCluster(cluster: Cluster): Promise<void> {
  await initializeCluster(cluster)
  await removeStalePidFile(cluster)
  const startLog = join(cluster.homeDir, 'start.log')
  await rm(startLog, { force: true })
  try {
    const options = `-p ${(await findPreviousPort(cluster)) ?? (await findFreePort())}`
    await runPgCtl(cluster, ['start', '--wait', '--timeout=60', '--log', startLog, '--options', options])
  } catch (cause) {
    const output = await readFile(startLog, 'utf8').catch(() => '')
    const lastLines = output.trim().split('\n').slice(-5).join('\n')
    throw new Error(`The PostgreSQL in ${cluster.homeDir} didn't start:\n${lastLines}`, { cause })
  }
}

export async function stopCluster(cluster: Cluster): Promise<void> {
  await runPgCtl(cluster, ['stop', '--mode=fast', '--wait', '--timeout=60'])
}

const runPgCtl = ({ binaries, dataDir, account, homeDir }: Cluster, args: string[]) =>
  runProgram(binaries.pg_ctl, ['--pgdata', dataDir, ...args], { ...account, cwd: homeDir })

/** Writes to a temporary folder and renames it, so that an interrupted start never leaves half a cluster. */
async function initializeCluster(cluster: Cluster): Promise<void> {
  const { homeDir, dataDir, account, binaries, randomBytes } = cluster
  if (await pathExists(dataDir)) return
  const partial = join(homeDir, 'data.new')
  await rm(partial, { recursive: true, force: true })
  await writeFile(passwordFile(cluster), randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (account) await chown(passwordFile(cluster), account.uid, account.gid)
  const flags = [
    `--pgdata=${partial}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile(cluster)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ]
  await runProgram(binaries.initdb, flags, { ...account, cwd: homeDir })
  await appendFile(join(partial, 'postgresql.conf'), SERVER_SETTINGS)
  await rename(partial, dataDir)
}

const passwordFile = (cluster: Cluster) => join(cluster.homeDir, 'password')

const SERVER_SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
logging_collector = on
log_filename = 'postgres-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
`

/**
 * PostgreSQL recovers from its own stale postmaster.pid unless the pid in the file belongs to a running
 * process, and after a restart of the machine or container that can be any process.
 */
async function removeStalePidFile(cluster: Cluster): Promise<void> {
  const postmaster = await readPidFile(cluster)
  if (postmaster && !(await isPostgresProcess(postmaster.pid)))
    await rm(join(cluster.dataDir, 'postmaster.pid'), { force: true })
}

async function isPostgresProcess(pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return false
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // Only Linux has /proc. Elsewhere the pid alone decides. States Z and X are dead processes.
  return stat === undefined || /^\d+ \(postgres\) [^ZX]/.test(stat)
}

async function readPidFile(cluster: Cluster): Promise<{ pid: number; port: number } | undefined> {
  const lines = (await readFile(join(cluster.dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid && port ? { pid, port } : undefined
}

/**
 * Reuses the last port if it is free, because after a crash other processes still expect the server there.
 */
async function findPreviousPort(cluster: Cluster): Promise<number | undefined> {
  const options = await readFile(join(cluster.dataDir, 'postmaster.opts'), 'utf8').catch(() => '')
  const port = Number(/"-p" "(\d+)"/.exec(options)?.[1])
  return port ? findFreePort(port).catch(() => undefined) : undefined
}

function findFreePort(preferred = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(preferred, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('No port is free.')),
      )
    })
  })
}
