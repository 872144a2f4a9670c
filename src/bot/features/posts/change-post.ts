import type { CallOptions } from '../../../api/client.ts'
import type { Post, PostBody } from '../../../api/records.ts'
import { type ApiFailure, type ApiResult, INCOMPLETE } from '../../../api/result.ts'
import { addMs } from '../../../runtime.ts'
import type { Db, UserKey } from '../../database/tables.ts'
import { findItemInProject } from '../../outbox/find-items-store.ts'
import { deleteHeldItem, updateHeldItem } from '../../outbox/held-items.ts'
import type { OutboxItem, OutboxState } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  askForApproval,
  asksForApproval,
  findApproval,
  isVersionApproved,
  needsApproval,
  noteChange,
  TO_APPROVE,
  updateApproval,
  versionOf,
} from '../approvals/approval-store.ts'
import { expectChange, updateMessages } from './post-message-store.ts'
import type { PostReference } from './post-reference.ts'
import { isPublishing } from './post-results.ts'
import { HELD, isWaiting } from './post-states.ts'
import { toPost } from './project-posts.ts'
import { releaseSlotsOf, reserveForChange, type SeenPost } from './reserve-slot.ts'
import { describeContent, dropHeldChanges, goOutTime, handOverTime, NOT_APPROVED } from './waiting-post.ts'

/** The result of reading or changing a post, in the scheduling service or held in Upnext. */
export type PostResult<T> =
  | { kind: 'ok'; data: T }
  | { kind: 'gone' }
  | TooLate
  /** Someone else has changed the post since the version that the user saw. */
  | { kind: 'changed' }
  /** Another post is about to go out at this time. */
  | { kind: 'slot taken' }
  /** The project's posts wait in Upnext until they are approved, and this post is in the service already. */
  | { kind: 'needs approval' }
  | { kind: 'failed'; failure: ApiFailure }

type TooLate = { kind: 'too late'; message: string } & (
  | { reason: 'published' }
  /** The last version of the post in Upnext, which keeps it for a month. */
  | { reason: 'handed over' | 'sent' | 'perhaps not sent' | 'not sent'; post: Post | undefined }
)

export type PostVersion = { post: Post; etag: string }

type Scope = { bot: Bot; team_id: string }

type Changer = { bot: Bot; actor: UserKey }

/** Reads a post that is about to be changed. Refuses a published one. */
export async function readPost(
  { bot, team_id }: Scope,
  reference: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const result = await viewPost({ bot, team_id }, reference, options)
  if (result.kind !== 'ok') return result
  const { post } = result.data
  if (isPublishing(post)) return PUBLISHING
  return post.Status === 'PUBLISHED' ? PUBLISHED : result
}

const MAX_PAGES_SEARCHED = 10

/** Like `readPost`, but also returns published posts. If the service has no request for a single post, searches its list. */
export async function viewPost(
  { bot, team_id }: Scope,
  reference: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const { project_id, post_id, is_held } = reference
  if (!is_held && bot.extensions.current.canChangePosts)
    return toPostResult(await bot.api.posts.get(project_id, post_id, options))
  if (!is_held) return searchPost(bot, reference, options)
  const item = await findItemInProject(bot.db, { team_id, project_id, id: post_id })
  if (!item) return { kind: 'gone' }
  if (item.state === 'held') return { kind: 'ok', data: toVersion(item) }
  const post = item.body ? { ...toPost(item), Status: 'SCHEDULED' } : undefined
  return { kind: 'too late', post, ...(item.needs_answer ? UNCLEAR : LEFT[item.state]) }
}

const toVersion = (item: OutboxItem): PostVersion => ({ post: toPost(item), etag: String(item.version) })

const DAY_MS = 24 * 60 * 60_000

/** Most lookups are for upcoming posts, so the rest of a long list is read only if needed. */
async function searchPost(
  { api, runtime }: Bot,
  { project_id, post_id }: PostReference,
  options?: CallOptions,
): Promise<PostResult<PostVersion>> {
  const recent = new Date(runtime.now().getTime() - DAY_MS).toISOString()
  let hasMore = false
  for (const filter of [{ schedule_date_from: recent }, {}]) {
    const listed = await api.posts.listAll(project_id, filter, { maxPages: MAX_PAGES_SEARCHED, ...options })
    if (listed.kind !== 'ok') return { kind: 'failed', failure: listed }
    const post = listed.data.items.find(({ Id }) => Id === post_id)
    if (post) return { kind: 'ok', data: { post, etag: '' } }
    hasMore = listed.data.hasMore
  }
  return hasMore ? { kind: 'failed', failure: INCOMPLETE } : { kind: 'gone' }
}

type Change = PostReference & {
  /** The version that the user saw. */
  etag: string
}

type UpdateOptions = CallOptions & {
  /** The warnings that the user has confirmed. */
  warnings?: string[]
}

export const updatePost = (
  changer: Changer,
  change: Change & SeenPost,
  body: PostBody,
  { warnings = [], ...options }: UpdateOptions = {},
): Promise<PostResult<PostVersion>> =>
  changeAndMarkMessages(
    changer,
    change,
    'changed',
    async () => {
      const { bot, actor } = changer
      const moved = { seen: change, body, warnings, item_id: options.request_id }
      if (!(await reserveForChange(bot.db, actor.team_id, moved, bot.runtime.now())))
        return { kind: 'slot taken' }
      const { project_id, post_id, is_held, etag } = change
      if (is_held) return updateHeldPost(changer, change, body, options)
      const obstacle = await findObstacle(changer, change, body, options)
      if (obstacle) return obstacle
      return toPostResult(await bot.api.posts.update(project_id, { post_id, etag }, body, options))
    },
    body,
  )

/**
 * Editing a post that waits for approval asks again, unless only its time changes. An approved post keeps its content,
 * except for an approved change.
 */
async function updateHeldPost(
  changer: Changer,
  change: Change,
  body: PostBody,
  { request_id = '' }: CallOptions,
): Promise<PostResult<PostVersion>> {
  const { bot, actor } = changer
  const { project_id, post_id, etag } = change
  const held = { team_id: actor.team_id, project_id, id: post_id, version: Number(etag) }
  const now = bot.runtime.now()
  let isRefused = false
  // A held post stays held.
  const kept = isWaiting(body) ? body : { ...body, Status: HELD }
  const update = async (transaction: Db, item: OutboxItem) => {
    const approval = await findApproval(transaction, post_id)
    const isApproved = approval?.state === 'approved'
    if (isApproved && (await isVersionApproved(transaction, { item_id: request_id, body })))
      await updateApproval(transaction, post_id, { version: versionOf(body) })
    if (!(await needsApproval(transaction, held, { item_id: post_id, body: kept })))
      return { body: kept, held_until: handOverTime(body) }
    isRefused = isApproved
    if (isRefused) return undefined
    const waiting = { ...body, Status: TO_APPROVE }
    const before = (item.body ?? {}) as PostBody
    const isSame = versionOf(before) === versionOf(body)
    const asked = { changed_by: actor.user_id, earlier_text: isSame ? null : describeContent(before) }
    await askForApproval(transaction, { ...item, body: waiting }, asked, now)
    // A new time has its own reminders.
    if (body.ScheduleDate !== before.ScheduleDate)
      await updateApproval(transaction, post_id, { reminders: 0 })
    return { body: waiting, held_until: goOutTime(body), failure: NOT_APPROVED }
  }
  const updated = await updateHeldItem(bot.db, held, update, now)
  if (isRefused) return { kind: 'needs approval' }
  return updated ? { kind: 'ok', data: toVersion(updated) } : explainConflict(changer, change)
}

/** Returns why a post in the service can't be changed: its new content isn't approved, or it has changed or is gone. */
async function findObstacle(
  { bot, actor: { team_id } }: Changer,
  change: Change,
  body: PostBody,
  { request_id: item_id }: CallOptions,
): Promise<PostResult<never> | undefined> {
  const project = { team_id, project_id: change.project_id }
  if (!(await needsApproval(bot.db, project, { item_id, body }))) return undefined
  const current = await readPost({ bot, team_id }, change)
  if (current.kind !== 'ok') return current
  const { post, etag } = current.data
  if (etag !== change.etag) return { kind: 'changed' }
  const isMoved = !asksForApproval(body) && post.Status !== 'DRAFT' && versionOf(post) === versionOf(body)
  return isMoved ? undefined : { kind: 'needs approval' }
}

export const deletePost = (
  changer: Changer,
  change: Change,
  options?: CallOptions,
): Promise<PostResult<undefined>> =>
  changeAndMarkMessages(changer, change, 'cancelled', async () => {
    const { bot, actor } = changer
    const { project_id, post_id, is_held, etag } = change
    if (!is_held) {
      const result = toPostResult(await bot.api.posts.delete(project_id, { post_id, etag }, options))
      if (result.kind === 'ok') await dropHeldChanges(bot.db, change, actor.team_id, bot.runtime.now())
      return result
    }
    const held = { team_id: actor.team_id, project_id, id: post_id, version: Number(etag) }
    const deleted = await deleteHeldItem(bot.db, held)
    if (deleted) {
      await noteChange(bot.db, { item_id: post_id, team_id: actor.team_id }, bot.runtime.now())
      await dropHeldChanges(bot.db, change, actor.team_id, bot.runtime.now())
    }
    return deleted ? { kind: 'ok', data: undefined } : explainConflict(changer, change)
  })

/** Longer than any change to a post takes. */
const CHECK_DELAY_MS = 60_000

/**
 * Changes a post and marks the messages that show it. Upnext compares these messages with the post later, even if this
 * process ends before it has a result.
 */
async function changeAndMarkMessages<T>(
  { bot, actor }: Changer,
  { project_id, post_id }: Change,
  last_change: 'changed' | 'cancelled',
  change: () => Promise<PostResult<T>>,
  body?: PostBody,
): Promise<PostResult<T>> {
  const { db, log, runtime } = bot
  const { team_id, user_id: changed_by } = actor
  const key = { team_id, project_id, post_id }
  await expectChange(db, key, addMs(runtime.now(), CHECK_DELAY_MS), runtime.now())
  const result = await change()
  // A change without a response may still take effect.
  if (result.kind === 'failed') return result
  const mark = result.kind === 'ok' ? { last_change, changed_by } : undefined
  await db
    .transaction()
    .execute(async (transaction) => {
      await updateMessages(transaction, key, runtime.now(), mark)
      if (result.kind === 'ok') await releaseSlotsOf(transaction, team_id, { project_id, post_id }, body)
    })
    .catch((err) => log.error({ err }, 'Failed to record a change for the messages and slots of a post'))
  return result
}

export const PUBLISHED = {
  kind: 'too late' as const,
  reason: 'published' as const,
  message: "This post is already published, so it can't be changed or cancelled.",
}
export const PUBLISHING = {
  ...PUBLISHED,
  message: "This post is being published, so it can't be changed or cancelled.",
}
const HANDED_OVER = {
  reason: 'handed over' as const,
  message:
    "This post is already on its way to the scheduling service, so it can't be changed or cancelled anymore.",
}
const SENT = {
  reason: 'sent' as const,
  message: "This post was sent to the scheduling service, so it can't be changed or cancelled anymore.",
}
const UNCLEAR = {
  reason: 'perhaps not sent' as const,
  message: "It isn't clear whether this post reached the scheduling service. Its author has been asked.",
}
const UNSENT = {
  reason: 'not sent' as const,
  message: "This post couldn't be sent. Its author has been asked what to do with it.",
}

/** Why a post can't be changed once it isn't held anymore, by the state of its item. */
const LEFT: Record<Exclude<OutboxState, 'held'>, typeof HANDED_OVER | typeof SENT | typeof UNSENT> = {
  uploading: HANDED_OVER,
  queued: HANDED_OVER,
  unconfirmed: HANDED_OVER,
  sent: SENT,
  refused: UNSENT,
  missed: UNSENT,
  expired: UNSENT,
}

async function explainConflict<T>({ bot, actor }: Changer, change: Change): Promise<PostResult<T>> {
  const current = await viewPost({ bot, team_id: actor.team_id }, change)
  return current.kind === 'ok' ? { kind: 'changed' } : current
}

function toPostResult<T>(result: ApiResult<T>): PostResult<T> {
  if (result.kind === 'ok') return result
  if (result.kind === 'rejected' && result.status === 409)
    return /being published/.test(result.message ?? '') ? PUBLISHING : PUBLISHED
  if (result.kind === 'rejected' && result.status === 412) return { kind: 'changed' }
  // If the message doesn't mention a post, the project or the page is missing.
  if (result.kind === 'not-found' && /\bpost\b/i.test(result.message ?? '')) return { kind: 'gone' }
  return { kind: 'failed', failure: result }
}
