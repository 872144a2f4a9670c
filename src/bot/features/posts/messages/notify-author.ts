import type { Post } from '../../../../api/records.ts'
import { ERASED } from '../../../../database/personal-data.ts'
import type { UserKey } from '../../../database/tables.ts'
import { addNotification } from '../../../outbox/add-notification.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText, mentionUser } from '../../../slack/message-blocks.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { formatSchedule, platformNames, quotePost } from '../display/post-blocks.ts'

type PostChange = {
  kind: 'changed' | 'cancelled'
  project: NamedProject
  /** The posts of one author, after the change or as they were before they were cancelled. */
  posts: Post[]
  author: string | undefined
}

const MAX_LINES = 10

/** Notifies the author of posts that someone else has changed or cancelled them. */
export async function notifyAuthor(
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { team_id, user_id }: UserKey,
  { kind, project, posts, author }: PostChange,
): Promise<void> {
  if (!author || author === user_id || author === ERASED) return
  const now = runtime.now()
  const consequence = kind === 'cancelled' ? " It won't go out." : ''
  const lines = posts.slice(0, MAX_LINES).map((post) => `${describePost(post, now)}${consequence}`)
  const where = `in ${escapeText(project.Name)}:`
  const hiddenCount = posts.length - lines.length
  const subject =
    posts.length === 1
      ? `your post ${where} ${lines.join()}`
      : [`${posts.length} of your posts ${where}`, ...lines.map((line) => `• ${line}`)].join('\n')
  const more = hiddenCount ? `\nAnd ${hiddenCount} more.` : ''
  const message = `${mentionUser(user_id)} ${kind} ${subject}${more}`
  await addNotification(db, runtime.newId(), { team_id, user_id: author, message }, now)
}

function describePost(post: Post, now: Date): string {
  const schedule = formatSchedule(post, { zone: 'UTC', now, isChannel: true })
  const draftNote = post.Status === 'DRAFT' ? " It's a draft, so it won't go out." : ''
  return `${escapeFormatting(quotePost(post))} · ${schedule} · ${platformNames(post)}.${draftNote}`
}
