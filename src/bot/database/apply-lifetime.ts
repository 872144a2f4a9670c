import { sql } from 'kysely'
import { addMs } from '../../runtime.ts'
import { SCHEMA } from './queries.ts'
import type { Lifetime } from './table-rules.ts'
import type { Db, Tables } from './tables.ts'

type TableLifetime = Lifetime<keyof Tables> & { table: string }

/** Deletes the rows whose lifetime is over, or erases some of their columns. */
export function applyLifetime(db: Db, lifetime: TableLifetime, now: Date): Promise<unknown> {
  const { table, since, ms, erase, where = 'true' } = lifetime
  const rows = sql.table(`${SCHEMA}.${table}`)
  const isOver = sql`${sql.ref(since)} < ${addMs(now, -ms)} and ${sql.raw(where)}`
  const erasures = sql.join((erase ?? []).map((column) => sql`${sql.ref(column)} = null`))
  const change = erase ? sql`update ${rows} set ${erasures}` : sql`delete from ${rows}`
  return sql`${change} where ${isOver}`.execute(db)
}
