import { sql } from 'kysely'
import { deleteExpiredEntries } from '../audit/audit-store.ts'
import type { Db } from '../database/tables.ts'

/** From now on, the workspace's data is only kept for a reinstallation. All times are the database's, as in the audit trail. */
export const scheduleDeletion = (db: Db, team_id: string, afterDays: number): Promise<unknown> =>
  db
    .insertInto('uninstallation')
    .values({ team_id, delete_at: sql<Date>`now() + make_interval(days => ${afterDays})` })
    // Slack sends two events for one uninstallation.
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** False if no deletion was scheduled. */
export async function cancelDeletion(db: Db, team_id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('uninstallation')
    .where('team_id', '=', team_id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listWorkspacesToDelete(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('uninstallation')
    .select('team_id')
    .where('delete_at', '<=', sql<Date>`now()`)
    .execute()
  return rows.map(({ team_id }) => team_id)
}

/** Deletes everything that the bot stores about a workspace, unless its deletion was cancelled meanwhile. */
export const deleteWorkspace = (db: Db, team_id: string): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('uninstallation')
      .set({ is_confirmed: true })
      .where('team_id', '=', team_id)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    for (const table of TABLES) await transaction.deleteFrom(table).where('team_id', '=', team_id).execute()
    await deleteExpiredEntries(transaction)
    await cancelDeletion(transaction, team_id)
  })

/** A table comes before those that it refers to. */
const TABLES = [
  'notification',
  'outbox_item',
  'digest_cancellation',
  'digest_content',
  'digest',
  'known_record',
  'channel_project',
  'user_settings',
] as const
