import { isDeepStrictEqual } from 'node:util'
import type { Insertable, Selectable } from 'kysely'
import { lockForTransaction } from '../../database/lock-for-transaction.ts'
import { deleteRows, selectRows } from './queries.ts'
import { shortHash } from './short-hash.ts'
import type { Db, ProjectKey, Tables } from './tables.ts'

type ProjectTable = {
  [Name in keyof Tables]: Tables[Name] extends ProjectKey ? Name : never
}[keyof Tables]

type VersionedRow<Table extends ProjectTable> = {
  row: Selectable<Tables[Table]> | undefined
  version: string
}

const keyOf = <Table extends ProjectTable>({ team_id, project_id }: ProjectKey) =>
  ({ team_id, project_id }) as Partial<Selectable<Tables[Table]>>

/** Finds a project's only row in a table, and the version of its content. */
export async function findVersioned<Table extends ProjectTable>(
  db: Db,
  table: Table,
  project: ProjectKey,
): Promise<VersionedRow<Table>> {
  const row = await selectRows(db, table, keyOf<Table>(project)).executeTakeFirst()
  return { row, version: shortHash(JSON.stringify(row ?? null)) }
}

/**
 * Replaces the row that a person saw or, without a new row, deletes it. If someone else has changed it since, returns their
 * row instead.
 */
export const replaceIfUnchanged = <Table extends ProjectTable>(
  db: Db,
  table: Table,
  project: ProjectKey,
  { seen, row }: { seen: string; row: Insertable<Tables[Table]> | undefined },
): Promise<VersionedRow<Table> | undefined> =>
  db.transaction().execute(async (transaction) => {
    await lockForTransaction(transaction, `${table} ${project.project_id}`)
    const current = await findVersioned(transaction, table, project)
    // After an interrupted submission, the row is already there.
    if (isDeepStrictEqual(current.row, row)) return undefined
    if (current.version !== seen) return current
    await deleteRows(transaction, table, keyOf<Table>(project)).execute()
    if (row) await transaction.insertInto(table).values(row).execute()
    return undefined
  })
