import pg from 'pg'
import type { Database } from '../../src/database/database.ts'
import { createDatabase, type DatabaseTemplate, openTestDatabase } from './database.ts'

export type BorrowedDatabase = { url: string; database: Database }

type Copy = BorrowedDatabase & {
  /** Restores the rows of the template. Returns false if that isn't enough for another test. */
  reset: () => Promise<boolean>
}

/** The copies that no test of this worker has at the moment, by template. */
const unused = new Map<string, Copy[]>()

/**
 * Lends a test a copy of the template whose connections are already open. `close` gives the copy back: its rows are reset,
 * and the next test of this worker gets it. PostgreSQL starts a process for each connection, so a workspace with a new
 * database takes four times as much processor time.
 */
export async function borrowDatabase(template: DatabaseTemplate): Promise<BorrowedDatabase> {
  const copies = unused.get(template.name) ?? []
  unused.set(template.name, copies)
  const copy = copies.pop() ?? (await openCopy(template))
  let isReturned = false
  // Some tests stop a service twice.
  const close = async () => {
    if (isReturned) return
    isReturned = true
    let isReset = false
    try {
      isReset = await copy.reset()
    } finally {
      if (isReset) copies.push(copy)
      else await copy.database.close()
    }
  }
  const pool = guardPool(copy.database.pool, () => isReturned)
  return { url: copy.url, database: { ...copy.database, pool, close } }
}

/** What a test forgot to stop must not read or change the database of the next test. */
function guardPool(pool: pg.Pool, isReturned: () => boolean): pg.Pool {
  type Callback = Parameters<pg.Pool['connect']>[0]
  const connect = (callback?: Callback) => {
    if (!isReturned()) return callback ? pool.connect(callback) : pool.connect()
    const error = new Error('This test has given its database back.')
    return callback ? callback(error, undefined, () => {}) : Promise.reject(error)
  }
  // Its queries go through `connect`, too.
  return Object.create(pool, { connect: { value: connect } })
}

async function openCopy(template: DatabaseTemplate): Promise<Copy> {
  const url = await createDatabase(template)
  const database = await openTestDatabase(url)
  const { pool } = database
  const reset = await composeReset(pool)
  const readState = async () => (await pool.query(STATE)).rows[0]
  const original = await readState()
  return {
    url,
    database,
    async reset() {
      if (pool.idleCount < pool.totalCount) return false
      const { fingerprint, bytes, connections, transactions } = await readState()
      const isLikeBefore = fingerprint === original.fingerprint && bytes < original.bytes + MAX_GROWTH_BYTES
      if (!isLikeBefore || connections > pool.totalCount || transactions > 0) return false
      await pool.query(reset)
      return true
    },
  }
}

/** Nothing removes deleted rows, and some tests depend on speed. */
const MAX_GROWTH_BYTES = 8e6

const CATALOGS = [
  ...['pg_class', 'pg_attribute', 'pg_trigger', 'pg_proc', 'pg_description'],
  // All databases share it.
  'pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
]
const countChanges = CATALOGS.map(
  (catalog) => `(select concat(count(*), '/', sum(xmin::text::bigint)) from ${catalog})`,
)

/** The fingerprint of the schema and its settings differs even after a change that was taken back. */
const STATE = `select concat_ws(' ', ${countChanges.join(', ')}) as fingerprint,
  pg_database_size(current_database())::int as bytes,
  count(*)::int as connections,
  (count(*) filter (where state like 'idle in transaction%' or xact_start < query_start))::int as transactions
from pg_stat_activity where datname = current_database()`

/** Composes the SQL that restores the rows that the tables have now. Sequences go on. */
async function composeReset(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query(
    `select oid::regclass::text as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')`,
  )
  const statements = ['set local session_replication_role = replica']
  for (const { name } of tables) {
    const { rows } = await pool.query(`select json_agg(t)::text as content from ${name} t`)
    statements.push(`delete from ${name}`)
    if (rows[0].content)
      statements.push(
        `insert into ${name} overriding system value
         select * from json_populate_recordset(null::${name}, ${pg.escapeLiteral(rows[0].content)})`,
      )
  }
  return statements.join(';\n')
}
