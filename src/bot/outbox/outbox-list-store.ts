import { sql } from 'kysely'
import type { Db, OutboxItem, UserKey } from '../database/tables.ts'
import { deleteItemNotification } from '../notifications/notification-store.ts'

type ItemKey = UserKey & { id: string }

/** An item that is being sent right now can be neither retried nor taken back. */
const isChangeable = sql<boolean>`(state in ('refused', 'expired', 'queued') or needs_answer)`

/** Sends an item of the user again. False if it is on its way. */
export const retryItem = (db: Db, { team_id, user_id, id }: ItemKey, now: Date): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({
        state: 'queued',
        needs_answer: false,
        due_at: now,
        accepted_at: now,
        attempts: 0,
        finished_at: null,
      })
      .where((eb) => eb.and({ id, team_id, user_id }))
      .where(isChangeable)
      .executeTakeFirst()
    if (numUpdatedRows) await deleteItemNotification(transaction, id)
    return numUpdatedRows > 0n
  })

/** False if the item is on its way. */
export async function discardItem(db: Db, { team_id, user_id, id }: ItemKey): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox_item')
    .where((eb) => eb.and({ id, team_id, user_id }))
    .where(isChangeable)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const findItem = (db: Db, { team_id, user_id, id }: ItemKey): Promise<OutboxItem | undefined> =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where((eb) => eb.and({ id, team_id, user_id }))
    .executeTakeFirst()

export const findItemById = (db: Db, id: string): Promise<OutboxItem | undefined> =>
  db.selectFrom('outbox_item').selectAll().where('id', '=', id).executeTakeFirst()

/** Items that aren't sent yet come first, then the latest. */
export const listItems = (db: Db, { team_id, user_id }: UserKey, limit: number): Promise<OutboxItem[]> =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where((eb) => eb.and({ team_id, user_id }))
    .orderBy((eb) => eb('state', '=', 'sent'))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
