import type { Post } from '../../../../api/records.ts'
import { addNotification } from '../../../outbox/add-notification.ts'
import type { Actor } from '../../../slack/actor.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText } from '../../../slack/message-blocks.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { formatSchedule, platformNames, quotePost } from '../display/post-blocks.ts'

type PostChange = {
  kind: 'changed' | 'cancelled'
  project: NamedProject
  /** The post after the change, or as it was before it was cancelled. */
  post: Post
  author: string | undefined
}

/** Notifies a post's author that someone else has changed or cancelled the post. */
export async function notifyAuthor(
  { db, runtime }: Bot,
  { team_id, user_id }: Actor,
  { kind, project, post, author }: PostChange,
): Promise<void> {
  if (!author || author === user_id) return
  const now = runtime.now()
  const schedule = formatSchedule(post, { zone: 'UTC', now, isChannel: true })
  const description = `${escapeFormatting(quotePost(post))} · ${schedule} · ${platformNames(post)}.`
  const draft = post.Status === 'DRAFT' ? " It's a draft, so it won't go out." : ''
  const consequence = kind === 'cancelled' ? " It won't go out." : draft
  const message = `<@${user_id}> ${kind} your post in ${escapeText(project.Name)}: ${description}${consequence}`
  await addNotification(db, runtime.newId(), { team_id, user_id: author, message }, now)
}
