import type { Insertable } from 'kysely'
import { lockUntilEnd } from '../../database/lock-until-end.ts'
import type { Db, ProjectKey, Tables } from './tables.ts'

/** The tables whose rows belong to a project. */
type ProjectTable = {
  [Name in keyof Tables]: Tables[Name] extends ProjectKey ? Name : never
}[keyof Tables]

type Replacement<Table extends ProjectTable, Value> = {
  table: Table
  project: ProjectKey
  /** Replacements with the same lock run one after another. */
  lock: string
  /** The version that the person saw when they opened the form. */
  seen: string
  next: Value
  /** The row for the next value. Undefined only deletes the current row. */
  row: Insertable<Tables[Table]> | undefined
  find: (transaction: Db) => Promise<Value>
  versionOf: (value: Value) => string
}

/** Replaces the version that a person saw. Returns false if someone else has changed it since. */
export const replaceIfUnchanged = <Table extends ProjectTable, Value>(
  db: Db,
  { table, project, lock, seen, next, row, find, versionOf }: Replacement<Table, Value>,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await lockUntilEnd(transaction, lock)
    const current = versionOf(await find(transaction))
    // After a double click, the version has already been replaced.
    if (current === versionOf(next)) return true
    if (current !== seen) return false
    const { team_id, project_id } = project
    await transaction
      .deleteFrom<ProjectTable>(table)
      .where((eb) => eb.and({ team_id, project_id }))
      .execute()
    if (row) await transaction.insertInto(table).values(row).execute()
    return true
  })
