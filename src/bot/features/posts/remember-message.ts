import type { Post } from '../../../api/records.ts'
import type { UserKey } from '../../database/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import type { OnPosted, PostedMessage } from '../../slack/notify.ts'
import type { NamedProject } from '../../slack/project-list.ts'
import { savePostMessage } from './post-message-store.ts'
import type { ShownPost } from './tables.ts'

/** Without the service's own record, which a message doesn't show. */
export function toShownPost({ raw: _raw, ...shown }: Post): ShownPost {
  return shown
}

type ShownPostContext = { bot: Bot; project: NamedProject; comment?: string | undefined }

/** Keeps messages that show the post current. */
export const keepCurrent =
  (post: Post, { bot, project, comment }: ShownPostContext): OnPosted =>
  (user, message) =>
    rememberMessage(bot, user, { ...message, project, post, comment })

type PostMessage = PostedMessage & Omit<ShownPostContext, 'bot'> & { post: Post }

/** The message is posted, so a failure only means that it isn't kept current. */
async function rememberMessage(
  { db, log, runtime }: Bot,
  { team_id, user_id: posted_by }: UserKey,
  { channel: channel_id, ts, project, post, comment = '' }: PostMessage,
): Promise<void> {
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
