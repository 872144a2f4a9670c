import { sql } from 'kysely'
import { deleteJobsOf } from '../../../jobs/job-store.ts'
import { deleteRows, SCHEMA, updateRows } from '../../database/queries.ts'
import type { Db } from '../../database/tables.ts'
import { deleteExpiredEntries } from '../audit-store.ts'

/** Makes the database belong to this workspace, unless it belongs to another workspace that still uses the app. */
export const claimDatabase = (db: Db, team_id: string): Promise<unknown> =>
  db
    .insertInto('installation')
    .values({ team_id })
    .onConflict((conflict) =>
      conflict
        .column('only_row')
        .doUpdateSet({ team_id })
        .where('installation.team_id', 'in', (eb) => eb.selectFrom('uninstallation').select('team_id')),
    )
    .execute()

/** The workspace to which the database belongs. Returns undefined if that workspace has uninstalled the app. */
export async function findInstalledWorkspace(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('installation')
    .select('team_id')
    .where('team_id', 'not in', (eb) => eb.selectFrom('uninstallation').select('uninstallation.team_id'))
    .executeTakeFirst()
  return row?.team_id
}

/** From now on, the workspace's data is only kept for a reinstallation. */
export const recordUninstallation = (db: Db, team_id: string): Promise<unknown> =>
  db
    .insertInto('uninstallation')
    .values({ team_id })
    // Slack sends two events for one uninstallation.
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Returns false if the app wasn't uninstalled. */
export async function forgetUninstallation(db: Db, team_id: string): Promise<boolean> {
  const { numDeletedRows } = await deleteRows(db, 'uninstallation', { team_id }).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function isAnyWorkspaceUninstalled(db: Db): Promise<boolean> {
  const first = await db.selectFrom('uninstallation').select('team_id').limit(1).executeTakeFirst()
  return first !== undefined
}

/** Uses the database's clock, like the function that deletes expired audit entries. */
export async function listWorkspacesToDelete(db: Db, afterDays: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uninstallation')
    .select('team_id')
    .where('uninstalled_at', '<=', sql<Date>`now() - make_interval(days => ${afterDays})`)
    .execute()
  return rows.map(({ team_id }) => team_id)
}

/** Deletes the rows of a workspace in these tables, unless the app has been installed again. */
export const deleteWorkspace = (db: Db, team_id: string, tables: string[]): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await updateRows(transaction, 'uninstallation', { team_id })
      .set({ is_confirmed: true })
      .executeTakeFirst()
    if (!numUpdatedRows) return
    for (const table of tables)
      await sql`delete from ${sql.table(`${SCHEMA}.${table}`)} where team_id = ${team_id}`.execute(
        transaction,
      )
    await deleteJobsOf(transaction, team_id)
    await deleteExpiredEntries(transaction)
    await forgetUninstallation(transaction, team_id)
  })
