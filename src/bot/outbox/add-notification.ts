import { addJobs, deleteJobs, type Job } from '../../jobs/job-store.ts'
import type { Db, UserKey } from '../database/tables.ts'
import { NOTIFICATION } from '../slack/tables.ts'
import type { OutboxItem } from './tables.ts'

/** A message for a user, or the outcome of their outbox item. If both fields are set, the message is about the item. */
type Notification = UserKey & {
  item_id?: string
  message?: string
  /** If the user has left, the admins get the message. */
  concernsAdmins?: boolean
}

export const readNotification = ({ data }: Job): Notification => data as Notification

/** A newer notification with the same id replaces an undelivered one. */
export function addNotification(db: Db, id: string, data: Notification, now: Date): Promise<void> {
  const { team_id, user_id } = data
  return addJobs(db, [{ kind: NOTIFICATION, id, key: `${team_id} ${user_id}`, owner: team_id, data }], now)
}

/** Items of a plan are reported with the plan, except those that were held or retried. A retry clears the `batch_id`. */
export async function addItemNotification(
  db: Db,
  { id, team_id, user_id, view_id, batch_id, held_until }: OutboxItem,
  now: Date,
): Promise<void> {
  // An item of a plan has no view, so its own id is its `view_id`.
  const isFromForm = view_id !== id
  if (isFromForm || batch_id === null || held_until !== null)
    await addNotification(db, id, { team_id, user_id, item_id: id }, now)
}

export const removeNotification = (db: Db, id: string) => deleteJobs(db, NOTIFICATION, [id])
