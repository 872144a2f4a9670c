import { sql } from 'kysely'
import { ERASED } from '../../database/personal-data.ts'
import { addMs } from '../../runtime.ts'
import type { Db, Digest, Notification, OutboxItem } from '../database/tables.ts'
import { escapeText } from '../message-blocks.ts'

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

export type DigestNotification = {
  digest: Pick<Digest, 'team_id' | 'owner_id' | 'project_name' | 'channel_id'>
  message: string
  now: Date
  /** Set if the message says that this digest stopped: it is deleted if the digest runs again first. */
  stopped_digest_id?: string
}

/** Queues a notification to the owner about their digest. */
export async function addDigestNotification(
  db: Db,
  { digest, message, now, stopped_digest_id }: DigestNotification,
): Promise<void> {
  const { team_id, owner_id: user_id, project_name, channel_id } = digest
  if (user_id === ERASED) return
  const digest_label = `${escapeText(project_name)} in <#${channel_id}>`
  await db
    .insertInto('notification')
    .values({
      team_id,
      user_id,
      digest_id: stopped_digest_id,
      digest_label,
      message,
      created_at: now,
      due_at: now,
    })
    .execute()
}

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

/** Deletes notifications that couldn't be delivered, for example because the app was uninstalled. */
export const deleteOldNotifications = (db: Db, createdBefore: Date): Promise<unknown> =>
  db.deleteFrom('notification').where('created_at', '<', createdBefore).execute()

export const deleteItemNotification = (db: Db, item_id: string) =>
  db.deleteFrom('notification').where('item_id', '=', item_id).execute()

/** For a digest that runs again before its owner was told that it had stopped. */
export const deleteStopNotifications = (db: Db, digest_id: string) =>
  db.deleteFrom('notification').where('digest_id', '=', digest_id).execute()
