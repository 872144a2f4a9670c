import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { connectBotDatabase } from '../../src/bot/connect-database.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { openSharedServer } from '../../src/database/shared-server.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { SERVICE_TEMPLATE } from '../support/service.ts'
import { createTempFolder } from '../support/temp-folder.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const createFolder = async () => {
  const folder = await createTempFolder('upnext-database-')
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const openEmbedded = async (folder: string): Promise<Database> => {
  const config = { DATA_DIR: folder, SECRET_KEY: [] }
  const database = await openDatabase({ config, onError: () => {}, runtime: systemRuntime })
  cleanups.push(database.close)
  return database
}

/** Creates the tables of both parts. */
const createTables = async (database: Database) => {
  await SERVICE_TEMPLATE.setUp(database)
  await connectBotDatabase(database)
}

const readOwners = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query(`
    select distinct pg_get_userbyid(owner) as owner from (
      select relowner from pg_class where relnamespace in (select oid from pg_namespace where nspname !~ '^pg_|^info')
      union all select proowner from pg_proc where pronamespace in (select oid from pg_namespace where nspname !~ '^pg_|^info')
      union all select typowner from pg_type where typnamespace in (select oid from pg_namespace where nspname !~ '^pg_|^info')
      union all select nspowner from pg_namespace where nspname !~ '^pg_|^info|^public$'
      union all select datdba from pg_database where datname = current_database()
    ) owners (owner)`)
  return rows.map(({ owner }) => owner)
}

describe('the embedded server', () => {
  it('stops with its last user, even if a connection ends a little later', async () => {
    const folder = await createFolder()
    const server = await openSharedServer(folder, systemRuntime.randomBytes)
    const lateClient = new pg.Client({ connectionString: server.url })
    lateClient.on('error', () => {})
    await lateClient.connect()
    const closing = server.close()
    setTimeout(() => lateClient.end(), 300)
    await closing
    expect(existsSync(join(server.homeDir, 'data', 'postmaster.pid'))).toBe(false)
  })

  it.runIf(process.platform === 'linux')('gets no secrets of the program in its environment', async () => {
    const folder = await createFolder()
    process.env.TEST_SECRET = 'a secret of the program'
    cleanups.push(async () => delete process.env.TEST_SECRET)
    const server = await openSharedServer(folder, systemRuntime.randomBytes)
    cleanups.push(server.close)
    const [pid] = (await readFile(join(server.homeDir, 'data', 'postmaster.pid'), 'utf8')).split('\n')
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    expect(environment).toContain('PATH=')
    expect(environment).not.toContain('a secret of the program')
  })
})

describe('the role of the application', () => {
  it('owns its tables, but is not a superuser', async () => {
    const database = await openEmbedded(await createFolder())
    const { pool } = database
    await createTables(database)
    expect(await readOwners(pool)).toEqual(['upnext_app'])
    const { rows } = await pool.query('select * from pg_roles where rolname = current_user')
    expect(rows[0]).toMatchObject({ rolsuper: false, rolcreaterole: false, rolcreatedb: false })
    await expect(pool.query("select pg_read_file('/etc/passwd')")).rejects.toThrow('permission denied')
    await expect(pool.query("copy (select 1) to program 'true'")).rejects.toThrow('permission denied')
  })
})

describe.runIf(process.getuid?.() === 0)('a start as root', () => {
  const ownerOf = async (path: string) => (await stat(path)).uid
  const secret = async () => {
    const path = join(await createFolder(), 'secret')
    await writeFile(path, 'a secret of root', { mode: 0o600 })
    return path
  }
  const expectUntouched = async (path: string) => {
    expect([await readFile(path, 'utf8'), await ownerOf(path)]).toEqual(['a secret of root', 0])
  }

  it('lets the account that runs PostgreSQL own only the data folder', async () => {
    const folder = await createFolder()
    await openEmbedded(folder)
    const home = join(folder, 'postgres')
    expect([await ownerOf(home), await ownerOf(join(home, 'password'))]).toEqual([0, 0])
    expect((await stat(join(home, 'password'))).mode & 0o777).toBe(0o600)
    expect(await ownerOf(join(home, 'data'))).not.toBe(0)
  })

  it.each(['password', 'password.new', `starting.lock.${process.pid}`, 'start.log'])(
    'does not follow a symlink at %s to a file that root owns',
    async (name) => {
      const folder = await createFolder()
      const target = await secret()
      await mkdir(join(folder, 'postgres'))
      await symlink(target, join(folder, 'postgres', name))
      await openEmbedded(folder)
      await expectUntouched(target)
    },
  )
})
