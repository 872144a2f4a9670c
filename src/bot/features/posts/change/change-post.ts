import type { CallOptions } from '../../../../api/client.ts'
import type { PostBody } from '../../../../api/records.ts'
import { addMs } from '../../../../runtime.ts'
import type { Db, UserKey } from '../../../database/tables.ts'
import { deleteHeldItem, updateHeldItem } from '../../../outbox/held-items.ts'
import type { OutboxItem } from '../../../outbox/tables.ts'
import type { Bot } from '../../../slack/bot.ts'
import { escapeFormatting, escapeText, mentionUser } from '../../../slack/message-blocks.ts'
import {
  ASKED_AGAIN,
  approvalVersionOf,
  asksForApproval,
  findApproval,
  isVersionApproved,
  needsApproval,
  queueApprovalUpdate,
  requestApproval,
  TO_APPROVE,
  updateApproval,
} from '../../approvals/approval-store.ts'
import { quotePost } from '../display/post-blocks.ts'
import type { PostReference } from '../display/post-reference.ts'
import { HELD, handOverTime, isHeld, NOT_APPROVED, publicationTime } from '../display/post-states.ts'
import {
  type PostResult,
  type PostVersion,
  readChangeablePost,
  readPost,
  toPostResult,
  toPostVersion,
} from '../find/read-post.ts'
import { expectChange, queueMessageUpdates } from '../messages/post-message-store.ts'
import { releaseSlotsOf, reserveSlotForChange, type SeenPost } from '../slots/reserve-slot.ts'
import { describeContent, dropHeldChanges, explainReplacement, findUnseenChanges } from './held-changes.ts'

type ChangeContext = { bot: Bot; actor: UserKey }

type SeenVersion = PostReference & {
  /** The version that the user saw. */
  etag: string
  /** The changes waiting for approval that the user saw. */
  waiting_changes?: string[]
}

type UpdateOptions = CallOptions & {
  /** The warnings that the user has confirmed. */
  warnings?: string[]
}

export const updatePost = (
  context: ChangeContext,
  seen: SeenVersion & SeenPost,
  body: PostBody,
  { warnings = [], ...options }: UpdateOptions = {},
): Promise<PostResult<PostVersion>> =>
  changeAndMarkMessages(
    context,
    seen,
    'changed',
    async () => {
      const { bot, actor } = context
      const changes = await findUnseenChanges(bot.db, actor.team_id, seen)
      if (changes.length) return { kind: 'change waits', changes }
      const slotChange = { seen, body, warnings, item_id: options.request_id }
      if (!(await reserveSlotForChange(bot.db, actor.team_id, slotChange, bot.runtime.now())))
        return { kind: 'slot taken' }
      const result = await saveBody(context, seen, body, options)
      if (result.kind === 'ok')
        await dropHeldChanges(context, seen, explainReplacement('changed', actor, body))
      return result
    },
    body,
  )

async function saveBody(
  context: ChangeContext,
  seen: SeenVersion,
  body: PostBody,
  options: CallOptions,
): Promise<PostResult<PostVersion>> {
  const { project_id, post_id, is_held, etag } = seen
  if (is_held) return updateHeldPost(context, seen, body, options)
  const obstacle = await findChangeObstacle(context, seen, body, options)
  if (obstacle) return obstacle
  return toPostResult(await context.bot.api.posts.update(project_id, { post_id, etag }, body, options))
}

/**
 * Editing a post that waits for approval asks for approval again, unless only the post's time changes. An approved post
 * keeps its content until a change to it is approved.
 */
async function updateHeldPost(
  context: ChangeContext,
  seen: SeenVersion,
  body: PostBody,
  { request_id = '' }: CallOptions,
): Promise<PostResult<PostVersion>> {
  const { bot, actor } = context
  const { project_id, post_id, etag } = seen
  const held = { team_id: actor.team_id, project_id, id: post_id, version: Number(etag) }
  const now = bot.runtime.now()
  let isRefused = false
  // A held post stays held.
  const approvedBody = { ...body, Status: HELD }
  const update = async (transaction: Db, item: OutboxItem) => {
    const approval = await findApproval(transaction, post_id)
    const isApproved = approval?.state === 'approved'
    if (isApproved && (await isVersionApproved(transaction, { item_id: request_id, body })))
      await updateApproval(transaction, post_id, { version: approvalVersionOf(body) })
    const wanted = { item_id: post_id, body: isHeld(body) ? body : approvedBody }
    if (!(await needsApproval(transaction, held, wanted)))
      return { body: approvedBody, held_until: handOverTime(body) }
    isRefused = isApproved
    if (isRefused) return undefined
    const waitingBody = { ...body, Status: TO_APPROVE }
    const before = (item.body ?? {}) as PostBody
    const isSame = approvalVersionOf(before) === approvalVersionOf(body)
    const asked = { changed_by: actor.user_id, earlier_text: isSame ? null : describeContent(before) }
    // Reminders start again for a new time. Approvers hear of an earlier one immediately.
    if (body.ScheduleDate !== before.ScheduleDate) {
      const isEarlier = before.ScheduleDate && publicationTime(body) < publicationTime(before)
      await updateApproval(transaction, post_id, { reminders: isEarlier ? ASKED_AGAIN : 0 })
    }
    await requestApproval(transaction, { ...item, body: waitingBody }, asked, now)
    return { body: waitingBody, held_until: publicationTime(body), failure: NOT_APPROVED }
  }
  const updated = await updateHeldItem(bot.db, held, update, now)
  if (isRefused) return { kind: 'needs approval' }
  return updated ? { kind: 'ok', data: toPostVersion(updated) } : findConflictReason(context, seen)
}

/** Returns why a post in the service can't be changed: its new content isn't approved, or it has changed or is gone. */
async function findChangeObstacle(
  { bot, actor: { team_id } }: ChangeContext,
  seen: SeenVersion,
  body: PostBody,
  { request_id: item_id }: CallOptions,
): Promise<PostResult<never> | undefined> {
  const project = { team_id, project_id: seen.project_id }
  if (!(await needsApproval(bot.db, project, { item_id, body }))) return undefined
  const current = await readChangeablePost({ bot, team_id }, seen)
  if (current.kind !== 'ok') return current
  const { post, etag } = current.data
  if (etag !== seen.etag) return { kind: 'changed' }
  const isMoved =
    !asksForApproval(body) && post.Status !== 'DRAFT' && approvalVersionOf(post) === approvalVersionOf(body)
  return isMoved ? undefined : { kind: 'needs approval' }
}

type DeleteOptions = CallOptions & {
  /** The person's first attempt had no clear result, so it may have deleted the post. */
  isRepeated?: boolean
}

export const deletePost = (
  context: ChangeContext,
  seen: SeenVersion,
  { isRepeated = false, ...options }: DeleteOptions = {},
): Promise<PostResult<undefined>> =>
  changeAndMarkMessages(context, seen, 'cancelled', async () => {
    const { bot, actor } = context
    const { project_id, post_id, is_held, etag } = seen
    if (!is_held) {
      const deleted = toPostResult(await bot.api.posts.delete(project_id, { post_id, etag }, options))
      const result: typeof deleted =
        deleted.kind === 'gone' && isRepeated ? { kind: 'ok', data: undefined } : deleted
      if (result.kind === 'ok') await dropAllChanges(context, seen)
      return result
    }
    const held = { team_id: actor.team_id, project_id, id: post_id, version: Number(etag) }
    const deleted = await deleteHeldItem(bot.db, held)
    if (deleted) {
      await queueApprovalUpdate(bot.db, { item_id: post_id, team_id: actor.team_id }, bot.runtime.now())
      await dropAllChanges(context, seen)
    }
    return deleted ? { kind: 'ok', data: undefined } : findConflictReason(context, seen)
  })

async function dropAllChanges(context: ChangeContext, cancelled: PostReference): Promise<void> {
  const changes = await findUnseenChanges(context.bot.db, context.actor.team_id, cancelled)
  const waiting_changes = changes.map(({ id }) => id)
  await dropHeldChanges(context, { ...cancelled, waiting_changes }, explainCancellation(context.actor))
}

const explainCancellation =
  ({ user_id }: UserKey) =>
  ({ body, project_name }: OutboxItem): string =>
    `${mentionUser(user_id)} cancelled a post in ${escapeText(project_name)} that you had asked to change to ${escapeFormatting(quotePost((body ?? {}) as PostBody))}. Your change was discarded.`

/** Longer than any change to a post takes. */
const CHECK_DELAY_MS = 60_000

/**
 * Changes a post and marks the messages that show it. Upnext compares these messages with the post later, even if this
 * process ends before the change has a result.
 */
async function changeAndMarkMessages<T>(
  { bot, actor }: ChangeContext,
  { project_id, post_id }: SeenVersion,
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
      await queueMessageUpdates(transaction, key, runtime.now(), { mark })
      const slotBody = body?.Status === 'DRAFT' ? undefined : body
      if (result.kind === 'ok') await releaseSlotsOf(transaction, team_id, { project_id, post_id }, slotBody)
    })
    .catch((err) => log.error({ err }, "Failed to update a post's messages and slots after a change"))
  return result
}

async function findConflictReason<T>(
  { bot, actor }: ChangeContext,
  seen: SeenVersion,
): Promise<PostResult<T>> {
  const current = await readPost({ bot, team_id: actor.team_id }, seen)
  return current.kind === 'ok' ? { kind: 'changed' } : current
}
