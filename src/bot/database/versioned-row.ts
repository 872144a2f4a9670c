import type { Insertable, Selectable } from 'kysely'
import { lockUntilEnd } from '../../database/lock-until-end.ts'
import { deleteRows, selectRows } from './row-queries.ts'
import { shortHash } from './short-hash.ts'
import type { Db, ProjectKey, Tables } from './tables.ts'

/** The tables with at most one row for each project that people edit in a form. */
type ProjectTable = {
  [Name in keyof Tables]: Tables[Name] extends ProjectKey ? Name : never
}[keyof Tables]

type Key<Table extends ProjectTable> = Partial<Selectable<Tables[Table]>>

type VersionedRow<Table extends ProjectTable> = {
  row: Selectable<Tables[Table]> | undefined
  version: string
}

/** A project's row, and what identifies its content. */
export async function findVersioned<Table extends ProjectTable>(
  db: Db,
  table: Table,
  project: ProjectKey,
): Promise<VersionedRow<Table>> {
  const row = await selectRows(db, table, project as Key<Table>).executeTakeFirst()
  return { row, version: shortHash(JSON.stringify(row ?? null)) }
}

/**
 * Replaces the row that a person saw or, without a new row, deletes it. If someone else has changed it since, returns it as
 * it is now.
 */
export const replaceIfUnchanged = <Table extends ProjectTable>(
  db: Db,
  table: Table,
  project: ProjectKey,
  { seen, row }: { seen: string; row: Insertable<Tables[Table]> | undefined },
): Promise<VersionedRow<Table> | undefined> =>
  db.transaction().execute(async (transaction) => {
    await lockUntilEnd(transaction, lockOf(table, project))
    const current = await findVersioned(transaction, table, project)
    if (current.version !== seen) return current
    await deleteRows(transaction, table, project as Key<Table>).execute()
    if (row) await transaction.insertInto(table).values(row).execute()
    return undefined
  })

/** Replacements of a project's row, and other changes that depend on it, take this lock in turn. */
export const lockOf = (table: ProjectTable, { project_id }: ProjectKey): string => `${table} ${project_id}`
