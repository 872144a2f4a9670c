import type { Post } from '../../api/records.ts'
import type { Bot } from '../bot.ts'
import type { ShownPost, UserKey } from '../database/tables.ts'
import type { NamedProject } from '../projects/project-list.ts'
import { savePostMessage } from './post-message-store.ts'

/** Without the service's own record, which a message doesn't show. */
export function toShownPost({ raw: _raw, ...shown }: Post): ShownPost {
  return shown
}

export type PostSubject = { project: NamedProject; post: Post }

type PostedMessage = {
  channel: string | undefined
  ts: string | undefined
  subject: PostSubject
  comment?: string | undefined
}

/** The message is posted, so a failure only means that it isn't kept current. */
export async function rememberMessage(
  { db, log, runtime }: Bot,
  { team_id, user_id: posted_by }: UserKey,
  { channel: channel_id, ts, subject, comment = '' }: PostedMessage,
): Promise<void> {
  const { project, post } = subject
  if (!channel_id || !ts || !post.Id) return
  const message = {
    team_id,
    project_id: project.Id,
    project_name: project.Name,
    post_id: post.Id,
    post: toShownPost(post),
    channel_id,
    ts,
    posted_by,
    posted_at: runtime.now(),
    comment: comment || null,
  }
  await savePostMessage(db, message).catch((err) =>
    log.error({ err }, 'Remembering the message of a post failed'),
  )
}
