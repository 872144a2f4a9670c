import type { Post } from '../../../../api/records.ts'
import { ERASED } from '../../../../database/personal-data.ts'
import type { UserKey } from '../../../database/tables.ts'
import { addNotification } from '../../../outbox/add-notification.ts'
import { findPostAuthor } from '../../../outbox/find-items-store.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText, mentionUser } from '../../../slack/message-blocks.ts'
import type { NamedProject } from '../../../slack/project-list.ts'
import { formatSchedule, platformNames, quotePost } from '../display/post-blocks.ts'
import type { PostReference } from '../display/post-reference.ts'

type Change = {
  /** The words before "your post": "cancelled", or "disconnected Telegram: Acme, the account for". */
  change: string
  /** A sentence about the effect on each post: "It won't go out." */
  consequence?: string
  project: NamedProject
}

const MAX_LINES = 10

/** Sends one message to each author of posts that someone else has changed. */
export async function notifyAuthors(
  bot: Pick<Bot, 'db' | 'runtime'>,
  person: UserKey,
  { posts, ...change }: Change & { posts: { post: Post; reference: PostReference }[] },
): Promise<void> {
  const postsByAuthor = new Map<string, Post[]>()
  for (const { post, reference } of posts) {
    const author = await findPostAuthor(bot.db, person.team_id, reference)
    if (author) postsByAuthor.set(author, [...(postsByAuthor.get(author) ?? []), post])
  }
  for (const [author, posts] of postsByAuthor) await notifyAuthor(bot, person, { ...change, posts, author })
}

type PostsOfAuthor = {
  /** After the change, or as they were before they were cancelled. */
  posts: Post[]
  author: string | undefined
}

export async function notifyAuthor(
  { db, runtime }: Pick<Bot, 'db' | 'runtime'>,
  { team_id, user_id }: UserKey,
  { change, consequence, project, posts, author }: Change & PostsOfAuthor,
): Promise<void> {
  if (!author || author === user_id || author === ERASED) return
  const now = runtime.now()
  const lines = posts
    .slice(0, MAX_LINES)
    .map((post) => [describePost(post, now), consequence].filter(Boolean).join(' '))
  const where = `in ${escapeText(project.Name)}:`
  const hiddenCount = posts.length - lines.length
  const subject =
    posts.length === 1
      ? `your post ${where} ${lines.join()}`
      : [`${posts.length} of your posts ${where}`, ...lines.map((line) => `• ${line}`)].join('\n')
  const more = hiddenCount ? `\nAnd ${hiddenCount} more.` : ''
  const message = `${mentionUser(user_id)} ${change} ${subject}${more}`
  await addNotification(db, runtime.newId(), { team_id, user_id: author, message }, now)
}

function describePost(post: Post, now: Date): string {
  const schedule = formatSchedule(post, { zone: 'UTC', now, isChannel: true })
  const draftNote = post.Status === 'DRAFT' ? " It's a draft, so it won't go out." : ''
  return `${escapeFormatting(quotePost(post))} · ${schedule} · ${platformNames(post)}.${draftNote}`
}
