import type { Updateable } from 'kysely'
import { addMs } from '../../runtime.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { OutboxItem } from './tables.ts'

/** Longer than an upload may take. An instance that holds a lease longer is assumed dead. */
export const UPLOAD_LEASE_MS = 3 * 60_000

const BATCH_SIZE = 20

const dueUploads = (db: Db, now: Date) =>
  db
    .selectFrom('outbox_item')
    .where('state', '=', 'uploading')
    .where('due_at', '<=', now)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', now)]))

/** Items whose file must be uploaded before they are sent: one of each user at a time, so that nobody waits for many. */
export async function listItemsToUpload(db: Db, now: Date): Promise<string[]> {
  const firstItems = dueUploads(db, now)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox_item as other')
            .select('other.id')
            .whereRef('other.team_id', '=', 'outbox_item.team_id')
            .whereRef('other.user_id', '=', 'outbox_item.user_id')
            .where('other.state', '=', 'uploading')
            .where('other.leased_until', '>=', now),
        ),
      ),
    )
    .distinctOn(['team_id', 'user_id'])
    .select(['id', 'due_at'])
    .orderBy('team_id')
    .orderBy('user_id')
    .orderBy('seq')
  const items = await db
    .selectFrom(firstItems.as('first'))
    .select('id')
    .orderBy('due_at')
    .limit(BATCH_SIZE)
    .execute()
  return items.map(({ id }) => id)
}

/** Undefined if another instance uploads the file, or the item was discarded. */
export const leaseUpload = (db: Db, id: string, now: Date): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set(({ eb }) => ({
      leased_until: addMs(now, UPLOAD_LEASE_MS),
      attempted_at: now,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('id', 'in', dueUploads(db, now).select('id'))
    .returningAll()
    .executeTakeFirst()

type Uploaded = Pick<Updateable<Tables['outbox_item']>, 'body' | 'form_values' | 'warnings'>

/** Sends the item from now on. False if it was discarded, or another instance has it now. */
export async function queueUploaded(
  db: Db,
  { id, leased_until }: OutboxItem,
  uploaded: Uploaded,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_item')
    .set({
      ...uploaded,
      state: 'queued',
      slack_file: null,
      failure: null,
      attempts: 0,
      due_at: now,
      leased_until: null,
    })
    .where((eb) => eb.and({ id, leased_until }))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const saveProgressMessage = (
  db: Db,
  { id }: OutboxItem,
  message: { progress_channel: string; progress_ts: string },
): Promise<unknown> => db.updateTable('outbox_item').set(message).where('id', '=', id).execute()
