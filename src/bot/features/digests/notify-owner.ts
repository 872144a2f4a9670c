import { ERASED } from '../../../database/personal-data.ts'
import type { Db } from '../../database/tables.ts'
import { addNotification } from '../../outbox/notification-store.ts'
import { escapeText } from '../../slack/message-blocks.ts'
import type { Digest } from './tables.ts'

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
  { digest, ...notification }: DigestNotification,
): Promise<void> {
  const { team_id, owner_id: user_id, project_name, channel_id } = digest
  if (user_id === ERASED) return
  const digest_label = `${escapeText(project_name)} in <#${channel_id}>`
  await addNotification(db, { ...notification, team_id, user_id, digest_label })
}
