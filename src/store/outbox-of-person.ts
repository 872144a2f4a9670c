import { sql } from 'kysely'
import type { Db, OutboxItem } from './tables.ts'

type Person = { team_id: string; user_id: string }

/** What is not on its way this moment: that cannot be called back, and need not be sent again. */
const isThePersons = sql<boolean>`(state in ('refused', 'given up', 'waiting') or is_asked)`

/** The person's own, once more: where it failed, where they were asked, or while it waits. */
export async function retryItem(
  db: Db,
  { team_id, user_id, id }: Person & { id: string },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_item')
    .set({
      state: 'waiting',
      is_asked: false,
      is_untold: false,
      due_at: now,
      accepted_at: now,
      tries: 0,
      ended_at: null,
    })
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where(isThePersons)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The person's own, not wanted any more; what is on its way this moment cannot be called back. */
export async function removeItem(
  db: Db,
  { team_id, user_id, id }: Person & { id: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('outbox_item')
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where(isThePersons)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const findItem = (db: Db, { team_id, user_id, id }: Person & { id: string }) =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()

/** A person's own: what is open first, then the latest. */
export const listItems = (db: Db, { team_id, user_id }: Person, limit: number): Promise<OutboxItem[]> =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .orderBy((eb) => eb('state', '=', 'settled'))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
