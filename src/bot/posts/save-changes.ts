import { isSamePost } from '../../api/compare-posts.ts'
import type { Post, PostBody } from '../../api/records.ts'
import type { SendContext } from '../form/form.ts'
import { type Outcome, refuseWithMessage, toOutcome } from '../form/outcome.ts'
import { truncate } from '../message-blocks.ts'
import { PUBLISHED, updatePost, viewPost } from './change-post.ts'
import { findPostAuthor, notifyAuthor } from './notify-author.ts'
import { formatSchedule, platformNames } from './post-blocks.ts'
import { ownZone } from './post-form.ts'

const MAX_OTHER_LENGTH = 300
const TRY_AGAIN = 'Someone else changed this post. Try again.'

/** Saves an edited post. If someone else changed the post meanwhile, shows their version and asks again. */
export async function saveChanges(
  body: PostBody,
  { bot, actor, openedPost, deadlineMs }: SendContext,
): Promise<Outcome<Post>> {
  if (!openedPost) throw new Error('The form was opened without a post.')
  const { request_id, team_id } = actor
  const endsAt = bot.runtime.now().getTime() + deadlineMs
  const result = await updatePost({ bot, actor }, openedPost, body, { deadlineMs, request_id })
  if (result.kind === 'ok') return { kind: 'done', result: result.data }
  if (result.kind === 'failed') return toOutcome<Post>(result.failure)
  if (result.kind === 'gone') return refuseWithMessage('Someone else cancelled this post.')
  const remainingMs = Math.max(1, endsAt - bot.runtime.now().getTime())
  const current = await viewPost({ bot, team_id }, openedPost, { deadlineMs: remainingMs })
  if (current.kind === 'gone') return refuseWithMessage('Someone else cancelled this post.')
  if (current.kind === 'too late') return refuseWithMessage(current.message)
  if (current.kind !== 'ok') return refuseWithMessage(result.kind === 'too late' ? result.message : TRY_AGAIN)
  const { post, etag } = current.data
  const isPublished = post.Status === 'PUBLISHED'
  // An earlier attempt whose answer was lost has saved these changes.
  if (isSamePost(body, isPublished ? { ...post, Status: body.Status ?? '' } : post))
    return { kind: 'done', result: post }
  if (isPublished) return refuseWithMessage(PUBLISHED.message)
  const viewer = { zone: ownZone(post), now: bot.runtime.now() }
  const other = `"${truncate(post.Content ?? '', MAX_OTHER_LENGTH)}", ${formatSchedule(post, viewer)}, ${platformNames(post)}`
  return {
    kind: 'refused',
    reason: {
      kind: 'conflict',
      message: `Someone else changed this post. It is now: ${other}.`,
      openedPost: { ...openedPost, etag },
    },
  }
}

/** Runs after Slack has its response. */
export async function announceSaved(
  post: Post,
  { bot, actor, project, openedPost }: Pick<SendContext, 'bot' | 'actor' | 'project' | 'openedPost'>,
): Promise<void> {
  if (!openedPost) return
  const author = await findPostAuthor(bot, actor.team_id, openedPost)
  await notifyAuthor(bot, actor, { kind: 'changed', project, post, author })
}
