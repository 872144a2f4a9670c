import type { CallOptions } from '../../../../api/client.ts'
import { replyWithFailure } from '../../../slack/errors.ts'
import type { Request } from '../../../slack/feature.ts'
import { textReply } from '../../../slack/message-blocks.ts'
import { uploadNameOf } from '../../media/media-store.ts'
import type { OpenedPost, PostReference } from '../display/post-reference.ts'
import { type PostVersion, readChangeablePost, readPost } from './read-post.ts'

/** The version that the user sees in the form. */
export function toOpenedPost(
  { bot }: Pick<Request, 'bot'>,
  reference: PostReference,
  { post, etag }: PostVersion,
): OpenedPost {
  const { ScheduleDate, Timezone, Status, Platforms, Media = '' } = post
  const upload = uploadNameOf(Media) === undefined ? {} : { Media }
  const seen_at = bot.runtime.now().toISOString()
  return {
    ...reference,
    record_id: reference.post_id,
    etag,
    seen_at,
    ScheduleDate,
    Timezone,
    Status,
    Platforms,
    ...upload,
  }
}

/** The note says why a post can't be changed anymore. */
type LoadedPost = PostVersion & { note?: string }

type LoadOptions = CallOptions & { mayBePublished?: boolean }

/** Loads the post of a button or menu entry. If that isn't possible, replies with the reason and returns undefined. */
export async function loadPost(
  request: Request,
  reference: PostReference,
  { mayBePublished = false, ...options }: LoadOptions = {},
): Promise<LoadedPost | undefined> {
  const { bot, actor, reply } = request
  const read = mayBePublished ? readPost : readChangeablePost
  const result = await read({ bot, team_id: actor.team_id }, reference, options)
  if (result.kind === 'ok') return result.data
  if (mayBePublished && result.kind === 'too late' && result.reason !== 'published' && result.post)
    return { post: result.post, etag: '', note: result.message }
  if (result.kind === 'failed') await replyWithFailure(request, result.failure)
  else await reply(textReply(result.kind === 'too late' ? result.message : 'This post no longer exists.'))
  return undefined
}
