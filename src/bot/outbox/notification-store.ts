import { sql } from 'kysely'
import { addMs } from '../../runtime.ts'
import type { Db } from '../database/tables.ts'
import type { Notification, OutboxItem } from './tables.ts'

/** Queues a notification about the outcome of an outbox item. A newer outcome replaces an undelivered one. */
export const addItemNotification = (db: Db, { id: item_id, team_id, user_id }: OutboxItem, now: Date) =>
  db
    .insertInto('notification')
    .values({ team_id, user_id, item_id, created_at: now, due_at: now })
    .onConflict((conflict) =>
      conflict
        .column('item_id')
        // With a new id, delivering the older result doesn't delete this one.
        .doUpdateSet(({ fn }) => ({ id: fn<string>('gen_random_uuid'), created_at: now, due_at: now })),
    )
    .execute()

type NewNotification = Pick<Notification, 'team_id' | 'user_id' | 'message' | 'digest_label'> & {
  now: Date
  /** Set if the message says that this digest stopped: it is deleted if the digest runs again first. */
  stopped_digest_id?: string | undefined
}

/** Queues a notification about a digest. */
export const addNotification = (
  db: Db,
  { now, stopped_digest_id, ...notification }: NewNotification,
): Promise<unknown> =>
  db
    .insertInto('notification')
    .values({ ...notification, digest_id: stopped_digest_id ?? null, created_at: now, due_at: now })
    .execute()

type Message = { team_id: string; user_ids: string[]; message: string; now: Date }

/** Queues the same message for several users. */
export async function addNotifications(db: Db, { team_id, user_ids, message, now }: Message) {
  const rows = user_ids.map((user_id) => ({ team_id, user_id, message, created_at: now, due_at: now }))
  if (rows.length) await db.insertInto('notification').values(rows).execute()
}

export async function listUsersToNotify(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('notification')
    .select('user_id')
    .distinct()
    .where('due_at', '<=', now)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Longer than a delivery takes, so that no other instance delivers the same notification meanwhile. */
const RETRY_MS = 60_000

/** Claims the user's oldest due notification, and all other due ones with the same message about other digests. */
export async function claimNextNotifications(db: Db, user_id: string, now: Date) {
  const retryAt = addMs(now, RETRY_MS)
  const { rows } = await sql<Notification>`
    update upnext.notification set due_at = ${retryAt}
    where user_id = ${user_id} and due_at <= ${now} and coalesce(message, id::text) = (
      select coalesce(message, id::text) from upnext.notification
      where user_id = ${user_id} and due_at <= ${now}
      order by created_at limit 1
    )
    returning *
  `.execute(db)
  return rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

export const deleteNotifications = (db: Db, ids: string[]) =>
  db.deleteFrom('notification').where('id', 'in', ids).execute()

export const deleteItemNotification = (db: Db, item_id: string) =>
  db.deleteFrom('notification').where('item_id', '=', item_id).execute()

/** For a digest that runs again before its owner was told that it had stopped. */
export const deleteStopNotifications = (db: Db, digest_id: string) =>
  db.deleteFrom('notification').where('digest_id', '=', digest_id).execute()
