import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { ensureAccount } from '../../src/database/postgres-installation.ts'
import { findFreePort } from './servers.ts'
import { createTempFolder } from './temp-folder.ts'

const ROOT = '/usr/lib/postgresql'

/** The programs of the newest PostgreSQL of the system. Unlike the embedded one, it has pg_dump. */
export const postgresPrograms: string | undefined = existsSync(ROOT)
  ? (await readdir(ROOT))
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(ROOT, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_dump')))
  : undefined

export const WITHOUT_POSTGRES =
  "The test of a backup is skipped because the system's PostgreSQL is missing. Install it (apt-get install postgresql) and run the tests again."

/** Starts the system's PostgreSQL. */
export async function startPostgres() {
  const bin = postgresPrograms ?? ''
  const account = await ensureAccount()
  const folder = await createTempFolder('upnext-postgres-')
  const port = String(await findFreePort())
  if (account) await promisify(execFile)('chown', ['postgres', folder])
  await promisify(execFile)(join(bin, 'initdb'), ['--auth=trust', '--username=upnext', '--no-sync', folder], {
    ...account,
    cwd: '/',
  })
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', folder, '-p', port, '-h', '127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
    { ...account, cwd: '/', stdio: 'ignore' },
  )
  const url = (name: string) => `postgresql://upnext@127.0.0.1:${port}/${name}`
  const query = async (sql: string, database = 'postgres') => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const isUp = () =>
    query('select 1').then(
      () => true,
      () => false,
    )
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error("The system's PostgreSQL doesn't start.")
    await setTimeout(50)
  }
  return {
    url,
    query,
    /** Runs one of PostgreSQL's programs. */
    run: (program: string, ...args: string[]) => promisify(execFile)(join(bin, program), args),
    async close() {
      server.kill('SIGINT')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
