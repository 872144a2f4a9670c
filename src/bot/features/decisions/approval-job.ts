import { createHash } from 'node:crypto'
import type { JobHandler } from '../../../jobs/job-queue.ts'
import type { NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import type { WorkerContext } from '../../slack/feature.ts'
import { findSharing } from '../../slack/is-shared-channel.ts'
import { type Reply, textReply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'
import {
  isAccessLost,
  isSlackFailure,
  isSlackInternalError,
  slackErrorCode,
} from '../../slack/slack-errors.ts'
import {
  APPROVAL_JOB,
  type ApprovalPost,
  endUndecidedApprovals,
  isUndecided,
  listApprovalMessages,
  listGroup,
  saveApprovalMessage,
} from '../approvals/approval-store.ts'
import type { Approval, ApprovalMessage } from '../approvals/tables.ts'
import { loadRule } from './approvers.ts'
import { findPeopleToAsk, listPendingDeciders } from './find-people-to-ask.ts'
import { REMINDER_LEADS_MS, remindIfDue } from './remind-approvers.ts'
import { decisionDeadline, groupMessage, shortMessage, singleMessage } from './request-message.ts'

const RETRY_MS = 30_000
/** Without the `usergroups:read` scope, Slack never lists a group's members, so retries are less frequent. */
const GROUP_RETRY_MS = 5 * 60_000

/** Asks approvers to decide, keeps the messages about posts current, and sends reminders before the posts are due. */
export const approvalHandler = (worker: WorkerContext): JobHandler => ({
  kind: APPROVAL_JOB,
  isRecurring: true,
  name: 'ask for approval',
  async run({ id: group_id, owner }) {
    const { db } = worker.bot
    await endUndecidedApprovals(db, group_id, worker.bot.runtime.now())
    return updateMessages(worker, await listGroup(db, { team_id: owner ?? '', group_id }))
  },
})

async function updateMessages(worker: WorkerContext, posts: ApprovalPost[]): Promise<NextRun | undefined> {
  const { bot } = worker
  const now = bot.runtime.now()
  const [first] = posts
  if (!first) return undefined
  const { approval } = first
  const rule = await loadRule({ ...worker, isFresh: true }, approval)
  const messages = await listApprovalMessages(bot.db, approval.group_id)
  // Reminders are sent before new requests, with the same `now`, so that a new approver doesn't get both.
  await remindIfDue(worker, approval, rule, now)
  const { askedPosts, isComplete } = await findPeopleToAsk(worker, posts.filter(isUndecided), rule, now)
  // People from other organizations may have joined the channel after it was picked.
  const channel = rule?.channel_id
  const isInChannel = messages.some(({ recipient }) => recipient === channel)
  const isShared =
    channel && (askedPosts.length || isInChannel) ? await findSharing(bot, worker.client, channel) : false
  const channels = askedPosts.length && channel && isShared === false ? [channel] : []
  const currentRecipients = [...askedPosts.flatMap(({ deciders }) => deciders), ...channels]
  // People in all time zones read the same message, so it shows times as in a channel.
  const viewer = { zone: 'UTC', now, isChannel: true }
  const reply = posts.length > 1 ? groupMessage(posts, viewer) : singleMessage(first, bot.uploads, viewer)
  let isShown = isShared !== undefined
  const recipients = [
    ...messages.map((message) => message.recipient),
    ...listPendingDeciders(askedPosts),
    ...channels,
  ]
  for (const recipient of new Set(recipients)) {
    if (recipient === channel && isShared === undefined) continue
    const message = messages.find((one) => one.recipient === recipient)
    // Once everything is decided, only the people who could decide until then are shown the result.
    const isFormerRecipient = askedPosts.length
      ? !currentRecipients.includes(recipient)
      : message?.shown === hashOf(NO_LONGER_NEEDED)
    const isHidden = recipient === channel && isShared
    const shown = isHidden ? NOT_IN_SHARED_CHANNEL : isFormerRecipient ? NO_LONGER_NEEDED : reply
    const delivery = { recipient, message, reply: shown }
    isShown = (await showMessage(worker, approval, delivery)) && isShown
  }
  if (!isShown || !isComplete) return { due_at: addMs(now, RETRY_MS) }
  if (askedPosts.length && rule && !rule.members) return { due_at: addMs(now, GROUP_RETRY_MS) }
  const next = askedPosts.flatMap(({ item }) => {
    const at = decisionDeadline(item)
    return [...REMINDER_LEADS_MS.map((ms) => +addMs(at, -ms)), +at].filter((time) => time > +now)
  })
  return next.length ? { due_at: new Date(Math.min(...next)) } : undefined
}

/** For people and channels that were asked before the rule or the post changed. */
const NO_LONGER_NEEDED = textReply('This no longer needs your approval.')
const NOT_IN_SHARED_CHANNEL = textReply(
  'People from other organizations see this channel, so requests for approval are only sent to the approvers.',
)

type Delivery = { recipient: string; message: ApprovalMessage | undefined; reply: Reply }

/** Posts or updates one message. Returns false if a retry is needed. */
async function showMessage(
  { bot, client }: WorkerContext,
  { team_id, group_id }: Approval,
  { recipient, message, reply }: Delivery,
): Promise<boolean> {
  const shown = hashOf(reply)
  if (message?.shown === shown) return true
  try {
    const shownIn = { channel: message?.channel_id ?? null, ts: message?.ts ?? null }
    const place = await postOrUpdate(client, recipient, shownIn, reply).catch((error) => {
      // The preview of many long posts may be more than a message holds.
      if (!TOO_LONG_CODES.includes(slackErrorCode(error) ?? '')) throw error
      return postOrUpdate(client, recipient, shownIn, shortMessage(reply))
    })
    const saved = { channel_id: place.channel, ts: place.ts, shown }
    const updated_at = bot.runtime.now()
    await saveApprovalMessage(bot.db, { team_id, group_id, recipient, ...saved, updated_at })
    return true
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    bot.log.warn({ err, recipient }, 'Failed to show a request for approval')
    // Trying again doesn't help with an error such as "user_not_found".
    return !isAccessLost(err) && slackErrorCode(err) !== undefined && !isSlackInternalError(err)
  }
}

const hashOf = (reply: Reply): string => createHash('sha256').update(JSON.stringify(reply)).digest('hex')

const TOO_LONG_CODES = ['msg_blocks_too_long', 'invalid_blocks', 'msg_too_long']
