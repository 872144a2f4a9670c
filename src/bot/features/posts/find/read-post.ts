import type { CallOptions } from '../../../../api/client.ts'
import type { Post } from '../../../../api/records.ts'
import { type ApiFailure, type ApiResult, INCOMPLETE_FAILURE } from '../../../../api/result.ts'
import { DAY_MS } from '../../../database/table-rules.ts'
import { toAuditOutcome, toOutcome } from '../../../forms/outcome.ts'
import { findItem, type HeldChange } from '../../../outbox/find-items-store.ts'
import { isOnItsWay, type OutboxItem } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import type { AuditOutcome } from '../../../slack/tables.ts'
import type { PostReference } from '../display/post-reference.ts'
import { isPublishing } from '../display/post-results.ts'
import { HANDED_OVER, NOT_SENT } from '../display/post-states.ts'
import { toPost } from './project-posts.ts'

/** The result of reading or changing a post, in the scheduling service or held in Upnext. */
export type PostResult<T> =
  | { kind: 'ok'; data: T }
  | { kind: 'gone' }
  | { kind: 'too late'; reason: 'published'; message: string }
  | NotHeld
  /** The post has changed since the user saw it. */
  | { kind: 'changed' }
  /** Other changes wait for approval, and the user hasn't seen them. */
  | { kind: 'change waits'; changes: HeldChange[] }
  /** Another post has taken the slot. */
  | { kind: 'slot taken' }
  /** The change must be approved first, because the post is in the service or already approved. */
  | { kind: 'needs approval' }
  | { kind: 'failed'; failure: ApiFailure }

type NotHeld = {
  kind: 'too late'
  reason: 'handed over' | 'sent' | 'perhaps not sent' | 'not sent'
  message: string
  /** The last version of the post in Upnext, which keeps it for a month. */
  post: Post | undefined
}

export type PostVersion = { post: Post; etag: string }

type WorkspaceContext = { bot: Bot; team_id: string }

/** If a held post was handed over, replaces its id with its id in the service, where it can still be changed. */
export async function resolveReference(
  { bot, team_id }: WorkspaceContext,
  reference: PostReference,
): Promise<PostReference> {
  const { project_id, post_id: id, is_held } = reference
  if (!is_held || !bot.extensions.current.canChangePosts) return reference
  const item = await findItem(bot.db, { team_id, project_id, id })
  return item?.state === 'sent' && item.record_id ? { project_id, post_id: item.record_id } : reference
}

/** Reads a post that is about to be changed. Refuses a published one. */
export async function readChangeablePost(
  { bot, team_id }: WorkspaceContext,
  reference: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const result = await readPost({ bot, team_id }, reference, options)
  if (result.kind !== 'ok') return result
  const { post } = result.data
  if (isPublishing(post)) return PUBLISHING
  return post.Status === 'PUBLISHED' ? ALREADY_PUBLISHED : result
}

const MAX_PAGES_SEARCHED = 10
/** Until the service's description has been read, it counts as unreachable. */
const SERVICE_UNKNOWN: ApiFailure = { kind: 'unreachable', cause: 'connection' }

/**
 * Like `readChangeablePost`, but also returns published posts. If the service can't return a single post, searches its
 * list.
 */
export async function readPost(
  { bot, team_id }: WorkspaceContext,
  reference: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const { project_id, post_id, is_held } = reference
  // A post without an ETag, from a search, couldn't be saved once the service turns out to need one.
  if (!is_held && !bot.extensions.areKnown) return { kind: 'failed', failure: SERVICE_UNKNOWN }
  if (!is_held && bot.extensions.current.canChangePosts)
    return toPostResult(await bot.api.posts.get(project_id, post_id, options))
  if (!is_held) return searchPost(bot, reference, options)
  const item = await findItem(bot.db, { team_id, project_id, id: post_id })
  if (!item) return { kind: 'gone' }
  if (item.state === 'held') return { kind: 'ok', data: toPostVersion(item) }
  const explanation = explainTooLate(bot, item)
  return {
    kind: 'too late',
    post: item.body ? toLatePost(item, explanation.reason) : undefined,
    ...explanation,
  }
}

/** People may still open, share or copy the post, so its id and its status say where it is now. */
function toLatePost(item: OutboxItem, reason: NotHeld['reason']): Post {
  const { Id, ...post } = toPost(item)
  if (reason === 'sent')
    return { ...post, ...(item.record_id && { Id: item.record_id }), Status: 'SCHEDULED' }
  return { ...post, ...(Id && { Id }), Status: reason === 'handed over' ? HANDED_OVER : NOT_SENT }
}

export const toPostVersion = (item: OutboxItem): PostVersion => ({
  post: toPost(item),
  etag: String(item.version),
})

/** Most lookups are for upcoming posts, so the rest of a long list is read only if needed. */
async function searchPost(
  { api, runtime }: Bot,
  { project_id, post_id }: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const yesterday = new Date(runtime.now().getTime() - DAY_MS).toISOString()
  let hasMore = false
  for (const filter of [{ schedule_date_from: yesterday }, {}]) {
    const listed = await api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES_SEARCHED, ...options })
    if (listed.kind !== 'ok') return { kind: 'failed', failure: listed }
    const post = listed.data.items.find(({ Id }) => Id === post_id)
    if (post) return { kind: 'ok', data: { post, etag: '' } }
    hasMore = listed.data.hasMore
  }
  return hasMore ? { kind: 'failed', failure: INCOMPLETE_FAILURE } : { kind: 'gone' }
}

export const ALREADY_PUBLISHED = {
  kind: 'too late' as const,
  reason: 'published' as const,
  message: "This post is already published, so it can't be changed or cancelled.",
}
export const PUBLISHING = {
  ...ALREADY_PUBLISHED,
  message: "This post is being published, so it can't be changed or cancelled.",
}

/** Why a post can't be changed once it isn't held anymore. */
function explainTooLate({ extensions }: Bot, item: OutboxItem): Pick<NotHeld, 'reason' | 'message'> {
  if (item.needs_answer)
    return {
      reason: 'perhaps not sent',
      message: "It isn't clear whether this post reached the scheduling service. Its author has been asked.",
    }
  if (isOnItsWay(item))
    return {
      reason: 'handed over',
      message:
        "This post is already on its way to the scheduling service, so it can't be changed or cancelled anymore.",
    }
  if (item.state === 'sent')
    return {
      reason: 'sent',
      message: extensions.current.canChangePosts
        ? 'This post is in the scheduling service now. Change it with `/upnext edit`, or cancel it with `/upnext cancel`.'
        : "This post was sent to the scheduling service, so it can't be changed or cancelled anymore.",
    }
  return {
    reason: 'not sent',
    message: "This post couldn't be sent. Its author has been asked what to do with it.",
  }
}

export function auditOutcomeOf(result: PostResult<unknown>): AuditOutcome {
  if (result.kind === 'failed') return toAuditOutcome(toOutcome(result.failure))
  return result.kind === 'ok' ? 'done' : 'refused'
}

/** Converts the service's response about a single post. */
export function toPostResult<T>(result: ApiResult<T>): PostResult<T> {
  if (result.kind === 'ok') return result
  if (result.kind === 'rejected' && result.status === 409)
    return /being published/.test(result.message ?? '') ? PUBLISHING : ALREADY_PUBLISHED
  if (result.kind === 'rejected' && result.status === 412) return { kind: 'changed' }
  // If the message doesn't mention a post, the project or the page is missing.
  if (result.kind === 'not-found' && /\bpost\b/i.test(result.message ?? '')) return { kind: 'gone' }
  return { kind: 'failed', failure: result }
}
