import { addJobs, type Job, type NewJob, removeJobs } from '../../jobs/job-store.ts'
import type { Db, UserKey } from '../database/tables.ts'
import { NOTIFICATION } from '../slack/tables.ts'
import type { OutboxItem } from './tables.ts'

/** A message for a user, or the outcome of their outbox item. */
export type Notification = UserKey & {
  item_id?: string
  message?: string
  /** What the message is about, as markup. The same message about several things is sent once. */
  label?: string
}

export const readNotification = ({ data }: Job): Notification => data as Notification

const toJob = (id: string, notification: Notification): NewJob => ({
  kind: NOTIFICATION,
  id,
  key: `${notification.team_id} ${notification.user_id}`,
  owner: notification.team_id,
  data: notification,
})

/** A newer notification with the same id replaces an undelivered one. */
export const addNotification = (db: Db, id: string, notification: Notification, now: Date): Promise<void> =>
  addJobs(db, [toJob(id, notification)], now)

export const addItemNotification = (db: Db, { id, team_id, user_id }: OutboxItem, now: Date) =>
  addNotification(db, id, { team_id, user_id, item_id: id }, now)

export const removeNotification = (db: Db, id: string) => removeJobs(db, NOTIFICATION, [id])

export type Message = { user_ids: string[]; message: string; newId: () => string }

/** Notifies several users with the same message. */
export const addNotifications = (
  db: Db,
  { team_id, user_ids, message, newId }: Message & { team_id: string },
  now: Date,
) =>
  addJobs(
    db,
    user_ids.map((user_id) => toJob(newId(), { team_id, user_id, message })),
    now,
  )
