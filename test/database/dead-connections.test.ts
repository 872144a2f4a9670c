import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { isTemporaryDatabaseError } from '../../src/database/connection-error.ts'
import { migrate } from '../../src/database/migrate.ts'
import { nameStatements } from '../../src/database/statement-names.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'
import { startProxy } from '../support/servers.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Opens a new database through a proxy. */
async function openThroughProxy({ settings = '', queryTimeoutMs = 1000 } = {}) {
  const proxy = await startProxy((await createDatabase()) + settings)
  cleanups.push(proxy.close)
  const { pool, close } = await openTestDatabase(proxy.url, { queryTimeoutMs })
  cleanups.push(close)
  const db = new Kysely({ dialect: new PostgresDialect({ pool: nameStatements(pool) }) })
  await pool.query('create table counter as select 0 as value')
  const incrementTwice = (inBetween = () => {}) =>
    db.transaction().execute(async (transaction) => {
      await sql`update counter set value = value + ${1}`.execute(transaction)
      inBetween()
      await sql`update counter set value = value + ${1}`.execute(transaction)
    })
  const readValue = async () => (await pool.query('select value from counter')).rows[0].value
  return { proxy, pool, incrementTwice, readValue }
}

it('replaces a connection that forwards nothing', async () => {
  const { proxy, readValue } = await openThroughProxy()
  proxy.forgetConnections()
  expect(isTemporaryDatabaseError(await readValue().catch((error) => error))).toBe(true)
  expect(await readValue()).toBe(0)
})

it('gives up a transaction on a connection that forwards nothing, and the server releases its locks', async () => {
  const { proxy, pool, incrementTwice, readValue } = await openThroughProxy({
    settings: '?idle_in_transaction_session_timeout=200',
  })
  expect(
    isTemporaryDatabaseError(await incrementTwice(proxy.forgetConnections).catch((error) => error)),
  ).toBe(true)
  await incrementTwice()
  expect(await readValue()).toBe(2)
  const withDefaults = await openTestDatabase(proxy.url.replace(/\?.*/, ''))
  cleanups.push(withDefaults.close)
  const { rows } = await withDefaults.pool.query('show idle_in_transaction_session_timeout')
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '30s' }])
  expect(pool.totalCount).toBe(1)
})

it('gives up a migration on a connection that forwards nothing, and the next one succeeds', async () => {
  const { proxy, pool } = await openThroughProxy({ queryTimeoutMs: 3000 })
  const statements = ['select pg_sleep(2.5)', 'create table late (id integer)']
  const schema = { name: 'slow', migrations: { '0001': statements } }
  const migrating = migrate({ pool }, schema).catch((error) => error)
  await vi.waitFor(async () => {
    const { rows } = await pool.query("select from pg_stat_activity where query = 'select pg_sleep(2.5)'")
    expect(rows).toHaveLength(1)
  })
  proxy.forgetConnections()
  expect(isTemporaryDatabaseError(await migrating)).toBe(true)
  const restarted = await openTestDatabase(proxy.url)
  cleanups.push(restarted.close)
  await migrate(restarted, schema)
  expect((await restarted.pool.query('select from late')).rows).toEqual([])
})
