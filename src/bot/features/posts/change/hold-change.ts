import type { PostBody } from '../../../../api/records.ts'
import { lockForTransaction } from '../../../../database/lock-for-transaction.ts'
import { NOW_LEAD_MS } from '../../../../time/reading.ts'
import type { SendContext } from '../../../forms/form.ts'
import { type Outcome, refuseField, refuseWithMessage } from '../../../forms/outcome.ts'
import { insertHeldItem } from '../../../outbox/held-items.ts'
import { loadProfile } from '../../../slack/profile.ts'
import { asksForApproval, requestApproval } from '../../approvals/approval-store.ts'
import type { OpenedPost } from '../display/post-reference.ts'
import {
  handOverTime,
  NOT_APPROVED,
  publicationTime,
  stateOf,
  TOO_SOON_TO_APPROVE,
} from '../display/post-states.ts'
import { toPost } from '../find/project-posts.ts'
import { readPost } from '../find/read-post.ts'
import { toFormValues } from '../form/post-form.ts'
import { reserveSlotForChange } from '../slots/reserve-slot.ts'
import {
  askAboutChanges,
  describeContent,
  dropHeldChanges,
  explainReplacement,
  findUnseenChanges,
} from './held-changes.ts'

/**
 * Holds a change until someone approves it, because its post is already scheduled. Until then, the post stays as it is,
 * and goes out unchanged if its time comes first.
 */
export async function holdChange(
  body: PostBody,
  opened: OpenedPost,
  { bot, actor, project, batch_id = null, resultWarnings = [] }: SendContext<OpenedPost>,
): Promise<Outcome<never>> {
  const { db, runtime } = bot
  const { team_id, user_id } = actor
  const change: PostBody = asksForApproval(body) ? { ...body, Status: 'SCHEDULED' } : body
  const now = runtime.now()
  const current = await readPost({ bot, team_id }, opened)
  const earlierPost = current.kind === 'ok' ? current.data.post : undefined
  // A held post can only be changed until it is handed over.
  const latestChange = opened.is_held ? handOverTime : publicationTime
  const times = [body, ...(earlierPost && stateOf(earlierPost).willGoOut ? [earlierPost] : [])].map(
    (post) => +latestChange(post),
  )
  const held_until = new Date(Math.min(...times))
  const isTooSoon = (time: number) => time - +now <= NOW_LEAD_MS
  if (isTooSoon(+latestChange(body))) return refuseField('ScheduleDate', TOO_SOON_TO_APPROVE)
  if (isTooSoon(+held_until)) return refuseWithMessage(TOO_LATE_TO_APPROVE)
  const profile = await loadProfile(bot, actor)
  const id = runtime.newId()
  const item = {
    id,
    view_id: id,
    team_id,
    user_id,
    user_team_id: profile.team_id,
    channel_id: null,
    form: 'edit',
    project_id: project.Id,
    project_name: project.Name,
    notify_channel: false,
    body: change,
    form_values: toFormValues(toPost({ id, body })),
    opened_record: opened,
    accepted_at: now,
    held_until,
    failure: NOT_APPROVED,
    warnings: resultWarnings.join('\n') || null,
  }
  const unseen = await db.transaction().execute(async (transaction) => {
    await lockForTransaction(transaction, `change ${opened.post_id}`)
    // Someone may have made another change while this one was being checked.
    const changes = await findUnseenChanges(transaction, team_id, opened)
    if (changes.length) return changes
    const held = await insertHeldItem(transaction, item, now)
    const slotChange = { seen: opened, body: change, warnings: resultWarnings, item_id: id, isWaiting: true }
    await reserveSlotForChange(transaction, team_id, slotChange, now)
    const earlier_text = earlierPost ? describeContent(earlierPost) : null
    // The changes of a plan share one request for approval.
    const request = { ...held, batch_id }
    await requestApproval(transaction, request, { changed_by: user_id, earlier_text }, now)
    return []
  })
  if (unseen.length) return askAboutChanges(opened, unseen, body)
  await dropHeldChanges({ bot, actor }, opened, explainReplacement('asked to change', actor, change))
  return { kind: 'waiting', message: WAITING }
}

const TOO_LATE_TO_APPROVE = 'This post goes out before anyone can approve the change.'
const WAITING =
  'This change is waiting for approval. Until it is approved, the post stays as it is. See the change with `/upnext approve`.'
