import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectBotDatabase } from '../../src/bot/connect-database.ts'
import type { Database } from '../../src/database/database.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { VERSION } from '../../src/version.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'

let database: Database
beforeEach(async () => {
  database = await openTestDatabase(await createDatabase())
})
afterEach(() => database.close())

/** Tables with migrations of these names. */
async function migrateBefore(schema: string, names: string[]): Promise<void> {
  const { pool } = database
  await pool.query(
    `create schema ${schema}; create table ${schema}.kysely_migration (name text, timestamp text)`,
  )
  for (const name of names)
    await pool.query(`insert into ${schema}.kysely_migration values ($1, '2026-11-01')`, [name])
}

const listTables = async (schema: string) =>
  (await database.pool.query('select tablename from pg_tables where schemaname = $1', [schema])).rows.map(
    ({ tablename }) => tablename,
  )

describe.each([
  ['bot', 'upnext', '0001-bot-tables', () => connectBotDatabase(database)],
  ['service', 'service', '0001-service-tables', () => openServiceDatabase(database)],
] as const)('the tables of the %s', (_part, schema, first, open) => {
  it('stay unchanged, and opening fails, if they are from before the first release', async () => {
    await migrateBefore(schema, ['0001-first-tables', '0002-old'])
    await expect(open()).rejects.toThrow(
      "This database can't be used, and nothing in it was changed: its tables are from a version before the first release. Use an empty database or another DATA_DIR.",
    )
    expect(await listTables(schema)).toEqual(['kysely_migration'])
  })

  it('stay unchanged, and opening fails, if a newer version has changed them', async () => {
    await migrateBefore(schema, [first, '9999-newer'])
    await expect(open()).rejects.toThrow('a newer version of Upnext has changed its tables (9999-newer)')
    expect(await listTables(schema)).toEqual(['kysely_migration'])
  })

  it('record which newer version has changed them', async () => {
    await open()
    await database.pool.query(`insert into ${schema}.kysely_migration values ('9999-newer', '2026-11-01')`)
    await expect(open()).rejects.toThrow(
      `Upnext ${VERSION} has changed its tables (9999-newer), and this is Upnext ${VERSION}.`,
    )
    await database.pool.query(`comment on schema ${schema} is '9.9.9'`)
    await expect(open()).rejects.toThrow('Upnext 9.9.9 has changed its tables (9999-newer)')
  })

  it('are created once', async () => {
    await open()
    const tables = await listTables(schema)
    await open()
    expect(await listTables(schema)).toEqual(tables)
  })
})

it('has no unlogged table except the one for the signatures of requests', async () => {
  await connectBotDatabase(database)
  await openServiceDatabase(database)
  const { rows } = await database.pool.query(
    "select relname from pg_class where relpersistence = 'u' and relkind = 'r'",
  )
  expect(rows).toEqual([{ relname: 'received_request' }])
})
