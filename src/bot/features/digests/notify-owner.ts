import { ERASED } from '../../../database/personal-data.ts'
import type { Db } from '../../database/tables.ts'
import { addNotification, removeNotification } from '../../outbox/add-notification.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import type { Digest } from './tables.ts'

export type DigestNotification = {
  /** A newer notification with the same id replaces an undelivered one. */
  id: string
  digest: Pick<Digest, 'team_id' | 'owner_id' | 'project_name' | 'channel_id'>
  message: string
  /** If the owner has left, the admins get the message. */
  concernsAdmins?: boolean
  now: Date
}

export async function addDigestNotification(
  db: Db,
  { id, digest, message, concernsAdmins = false, now }: DigestNotification,
): Promise<void> {
  const { team_id, owner_id: user_id, project_name, channel_id } = digest
  if (user_id === ERASED && !concernsAdmins) return
  const text = `Your digest ${escapeText(project_name)} in <#${channel_id}>: ${message}`
  await addNotification(db, id, { team_id, user_id, message: text, concernsAdmins }, now)
}

/**
 * The id of the notification about a digest that Slack's errors or an uninstallation stopped. If the digest is resumed
 * or deleted before delivery, the notification is removed.
 */
export const stopNotificationId = ({ id }: Pick<Digest, 'id'>): string => `stopped ${id}`

export const removeStopNotification = (db: Db, digest_id: string): Promise<unknown> =>
  removeNotification(db, stopNotificationId({ id: digest_id }))
