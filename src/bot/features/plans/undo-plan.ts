import type { WebClient } from '@slack/web-api'
import type { PostBody } from '../../../api/records.ts'
import { addMs } from '../../../runtime.ts'
import { listBatch } from '../../outbox/find-items-store.ts'
import { isDone, isOnItsWay, type OutboxItem } from '../../outbox/tables.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Request } from '../../slack/feature.ts'
import { textReply } from '../../slack/message-blocks.ts'
import { deletePost } from '../posts/change/change-post.ts'
import { isSameVersion } from '../posts/change/save-changes.ts'
import { readPost } from '../posts/find/read-post.ts'
import { toPostBody } from '../posts/form/post-input.ts'
import { schedulePost } from '../posts/schedule-post.ts'
import { beginUndo, findOwnPlan } from './plan-store.ts'
import type { Plan } from './tables.ts'

export const UNDO_ACTION = 'plan:undo'

/** How long a plan can be undone after it was sent. */
export const UNDO_WINDOW_MINUTES = 10
export const UNDO_WINDOW_MS = UNDO_WINDOW_MINUTES * 60_000
/** The plan's job may take the button away a little late. */
const UNDO_GRACE_MS = 2 * 60_000

/** Handles the Undo button of a plan that was sent. The plan's job cancels the posts. */
export async function undoPlan(request: Request): Promise<void> {
  const { bot, actor, text: id } = request
  const own = await findOwnPlan(bot.db, actor, id)
  const now = bot.runtime.now()
  // A message may still have the button while approved posts are on their way.
  const isOver =
    own?.state === 'sent' && addMs(own.sent_at ?? own.created_at, UNDO_WINDOW_MS + UNDO_GRACE_MS) <= now
  const plan = own && !isOver && (await beginUndo(bot.db, id, now))
  if (!plan) {
    const isUndoing = (await findOwnPlan(bot.db, actor, id))?.state === 'undoing'
    const message = isUndoing
      ? 'These posts are already being cancelled.'
      : "It's too late to undo this. Cancel individual posts with `/upnext cancel`."
    return request.reply(textReply(message))
  }
  await recordAction(request, { action: UNDO_ACTION, project_id: plan.project_id, target: id })
}

/** Not every service can cancel posts, but Upnext can always drop the posts that it still holds. */
export const canUndo = ({ extensions }: Bot, items: OutboxItem[]): boolean =>
  items.filter(createsPost).some(({ state }) => state === 'held' || extensions.current.canChangePosts)

const createsPost = (item: OutboxItem): boolean =>
  (isDone(item) || isOnItsWay(item)) && item.form === schedulePost.verb

type Cancellation = 'cancelled' | 'kept' | 'failed'

/** Cancels the plan's posts that haven't changed since they were created. Counts the results. */
export async function cancelPosts(worker: UndoContext, plan: Plan): Promise<Record<Cancellation, number>> {
  const counts = { cancelled: 0, kept: 0, failed: 0 }
  for (const item of (await listBatch(worker.bot.db, plan.id)).filter(createsPost))
    counts[await cancelItem(worker, plan, item)]++
  return counts
}

type UndoContext = { bot: Bot; client: WebClient }

async function cancelItem({ bot, client }: UndoContext, plan: Plan, item: OutboxItem): Promise<Cancellation> {
  const { team_id, user_id, project_id, body } = item
  const is_held = item.state === 'held'
  const post_id = is_held ? item.id : item.record_id
  if (!post_id || !body || !(is_held || bot.extensions.current.canChangePosts)) return 'kept'
  const reference = { project_id, post_id, ...(is_held && { is_held }) }
  const found = await readPost({ bot, team_id }, reference)
  // An earlier run may have cancelled the post.
  if (found.kind === 'gone') return 'cancelled'
  if (found.kind !== 'ok') return found.kind === 'failed' ? 'failed' : 'kept'
  const { post } = found.data
  // A change of a held post is stored in its item, so only the plan still has the original.
  const wasHeld = item.held_until !== null
  const planned = wasHeld ? plan.rows.flatMap((row) => row.body ?? []) : [body as PostBody]
  const isUnchanged = planned.some((one) => {
    const original = toPostBody(bot, one)
    const Status = wasHeld && post.Status !== 'DRAFT' ? post.Status : original.Status
    return isSameVersion({ ...original, ...(Status && { Status }) }, post)
  })
  if (!isUnchanged) return 'kept'
  const actor = { team_id, user_id, channel_id: undefined, client, request_id: item.id }
  const version = { ...reference, etag: found.data.etag }
  const deleted = await deletePost({ bot, actor }, version, { request_id: item.id })
  if (deleted.kind !== 'ok') return deleted.kind === 'failed' ? 'failed' : 'kept'
  await recordAction({ bot, actor }, { action: 'cancel:confirm', project_id, target: post_id })
  return 'cancelled'
}
