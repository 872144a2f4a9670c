import { addMs } from '../../../runtime.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { isSharedChannel } from '../../slack/is-shared-channel.ts'
import { textReply } from '../../slack/message-blocks.ts'
import { messageOf } from '../../slack/notify.ts'
import {
  ASKED_AGAIN,
  claimReminders,
  listApprovalMessages,
  type UndecidedPost,
} from '../approvals/approval-store.ts'
import type { Approval } from '../approvals/tables.ts'
import { ADMIN_WINDOW_MS, type LoadedRule } from './approvers.ts'
import { awaitsDecisionBy, findPeopleToAsk, listPendingDeciders } from './find-people-to-ask.ts'
import { decisionDeadline, reminderList } from './request-message.ts'

const HOUR_MS = 60 * 60_000

/** Approvers of an undecided post are reminded this long before it goes out. */
export const REMINDER_LEADS_MS = [24 * HOUR_MS, 2 * HOUR_MS, ADMIN_WINDOW_MS]

/**
 * A reminder also names posts whose own reminder is due soon, within this share of its lead time, so that people get one
 * message.
 */
const EARLY_FRACTION = 0.25

/** Reminds approvers of a project's posts that still need their decision. */
export async function remindIfDue(
  worker: WorkerContext,
  project: Pick<Approval, 'team_id' | 'project_id'>,
  rule: LoadedRule | undefined,
  now: Date,
): Promise<void> {
  const { askedPosts } = await findPeopleToAsk(worker, await claimDuePosts(worker, project, now), rule, now)
  const channel = askedPosts.length ? rule?.channel_id : undefined
  if (channel && !(await isSharedChannel(worker.bot, worker.client, channel)))
    await sendReminder(worker, channel, askedPosts)
  for (const user_id of listPendingDeciders(askedPosts)) {
    const undecided = askedPosts.filter((post) => awaitsDecisionBy(post, user_id))
    await sendReminder(worker, user_id, undecided)
  }
}

const isAskedAgain = ({ approval }: UndecidedPost): boolean => approval.reminders === ASKED_AGAIN

/** Claims the posts that are due for a reminder, so that no other instance reminds people of them. */
async function claimDuePosts(
  { bot: { db } }: WorkerContext,
  project: Pick<Approval, 'team_id' | 'project_id'>,
  now: Date,
): Promise<UndecidedPost[]> {
  const countDue = ({ item }: UndecidedPost, early: number) =>
    REMINDER_LEADS_MS.filter((ms) => addMs(decisionDeadline(item), -ms * (1 + early)) <= now).length
  const due: UndecidedPost[] = []
  await claimReminders(db, project, (waiting) => {
    const late = waiting.filter((post) => post.approval.reminders < countDue(post, 0))
    // Approvers who were asked within the last hour need no reminder.
    const isNew = (post: UndecidedPost) => addMs(post.approval.asked_at, HOUR_MS) > now && !isAskedAgain(post)
    if (late.some((post) => !isNew(post)))
      due.push(
        ...waiting.filter((post) => !isNew(post) && post.approval.reminders < countDue(post, EARLY_FRACTION)),
      )
    const counted = [...new Set([...late, ...due])]
    return counted.map((post) => ({
      item_id: post.approval.item_id,
      reminders: countDue(post, EARLY_FRACTION),
    }))
  })
  return due
}

const ASKED_AGAIN_MESSAGE = 'A post has changed or was moved to an earlier time, and needs your approval.'

/**
 * Reminds someone of the posts that they were asked about: in the request's thread if there was one request, otherwise in a
 * new message.
 */
async function sendReminder(
  { bot, client }: WorkerContext,
  recipient: string,
  posts: UndecidedPost[],
): Promise<void> {
  const places = new Map<string, { channel: string; thread_ts: string }>()
  for (const group_id of new Set(posts.map(({ approval }) => approval.group_id))) {
    const messages = await listApprovalMessages(bot.db, group_id)
    const { channel_id, ts } = messages.find((one) => one.recipient === recipient) ?? {}
    if (channel_id && ts) places.set(group_id, { channel: channel_id, thread_ts: ts })
  }
  const requestedPosts = posts.filter(({ approval }) => places.has(approval.group_id))
  if (!requestedPosts.length) return
  const [place] = places.size === 1 ? places.values() : []
  const subject =
    requestedPosts.length > 1 ? `${requestedPosts.length} of these posts still need` : 'This still needs'
  const reply = place
    ? textReply(requestedPosts.every(isAskedAgain) ? ASKED_AGAIN_MESSAGE : `${subject} your approval.`)
    : reminderList(requestedPosts, { zone: 'UTC', now: bot.runtime.now(), isChannel: true })
  await client.chat
    .postMessage({ ...(place ?? { channel: recipient }), ...messageOf(reply) })
    .catch((err) => bot.log.warn({ err, recipient }, 'Failed to remind an approver'))
}
