import type { Post } from '../../../../api/records.ts'
import type { Bot } from '../../../slack/bot.ts'
import type { OnPosted } from '../../../slack/notify.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import type { ShownPost } from '../tables.ts'
import { savePostMessage } from './post-message-store.ts'

/** Removes the service's own record from a post, because messages don't show that record. */
export function toShownPost({ raw: _raw, ...shown }: Post): ShownPost {
  return shown
}

type ShownPostContext = { bot: Bot; project: NamedProject; comment?: string | undefined }

/**
 * Stores a posted message, so that it is updated when its post changes. A failure is only logged, because the message
 * is already posted.
 */
export const rememberMessage =
  (post: Post, { bot, project, comment }: ShownPostContext): OnPosted =>
  async ({ team_id, user_id: posted_by }, { channel: channel_id, ts }) => {
    if (!channel_id || !ts || !post.Id) return
    const { db, log, runtime } = bot
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
      log.error({ err }, 'Failed to store a message about a post'),
    )
  }
