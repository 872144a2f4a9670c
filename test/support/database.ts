import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { declareKeys } from '../../src/database/declared-keys.ts'
import { createEncryption } from '../../src/database/encryption.ts'
import { systemRuntime as runtime } from '../../src/runtime.ts'
import { TEST_SECRET } from './test-secret.ts'

/**
 * A database that is set up once per test run and then copied, which is much faster than migrating each time.
 */
export type DatabaseTemplate = { name: string; setUp: (database: Database) => Promise<unknown> }

/** Creates a database that no other test uses, empty unless a template is given, and returns its URL. */
export async function createDatabase(template?: DatabaseTemplate): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  admin ??= connectAdmin()
  const client = await admin
  if (template) await ensureTemplateOnce(client, template)
  await createOwnedDatabase(client, name, template?.name)
  return databaseUrl(name)
}

/** Shared by all tests of a worker, because a new connection takes almost as long as a new database. */
let admin: Promise<pg.Client> | undefined

async function connectAdmin(): Promise<pg.Client> {
  const client = new pg.Client(inject('postgresSuperuser'))
  await client.connect()
  return client
}

/** With `file_copy`, PostgreSQL copies a database's files, which takes less than half as long. */
const createOwnedDatabase = (admin: pg.Client, name: string, template = 'template1') =>
  admin.query(
    `create database ${name} template ${template} strategy file_copy owner ${new URL(inject('postgresUrl')).username}`,
  )

/** The tests of a worker share one connection, so the advisory lock doesn't keep them apart. */
const templates = new Map<string, Promise<void>>()

function ensureTemplateOnce(admin: pg.Client, template: DatabaseTemplate): Promise<void> {
  const ready = templates.get(template.name) ?? ensureTemplate(admin, template)
  templates.set(template.name, ready)
  return ready
}

/** The copies of a template aren't copies of a database that sends anything. */
async function forgetIdentity({ pool }: Database): Promise<void> {
  const { rows } = await pool.query("select oid::regclass::text as name from pg_class where relname = 'job'")
  for (const { name } of rows) await pool.query(`comment on table ${name} is null`)
}

/** The advisory lock makes other workers wait until the template is complete. */
async function ensureTemplate(admin: pg.Client, { name, setUp }: DatabaseTemplate): Promise<void> {
  await admin.query('select pg_advisory_lock(hashtext($1))', [name])
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
  if (!rowCount) {
    await createOwnedDatabase(admin, `${name}_unfinished`)
    const database = await openTestDatabase(databaseUrl(`${name}_unfinished`))
    await setUp(database)
    await forgetIdentity(database)
    await database.close()
    await admin.query(`alter database ${name}_unfinished rename to ${name}`)
  }
  await admin.query('select pg_advisory_unlock(hashtext($1))', [name])
}

function databaseUrl(name: string): string {
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}

type OpenOptions = { onError?: (error: Error) => void; queryTimeoutMs?: number | undefined }

export const openTestDatabase = (url: string, options: OpenOptions = {}): Promise<Database> =>
  openDatabase({
    config: { DATABASE_URL: url, DATA_DIR: '', SECRET_KEY: [TEST_SECRET] },
    onError: () => {},
    runtime,
    ...options,
  })

/** Declares these keys, as an instance does. They count until the client ends. */
export async function declareSecrets(url: string, secrets: string[]): Promise<pg.Client> {
  const client = new pg.Client(url)
  await client.connect()
  await declareKeys(client, createEncryption(secrets, runtime.randomBytes))
  return client
}
