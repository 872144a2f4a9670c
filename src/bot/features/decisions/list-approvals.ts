import type { KnownBlock } from '@slack/types'
import type { PostBody } from '../../../api/records.ts'
import { findItemById } from '../../outbox/find-items.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Request } from '../../slack/feature.ts'
import {
  buttonRow,
  context,
  escapeText,
  plainText,
  section,
  textReply,
  truncate,
} from '../../slack/message-blocks.ts'
import type { AuthorizedActor } from '../../slack/permissions.ts'
import { listWaiting } from '../approvals/approval-store.ts'
import type { Approval } from '../approvals/tables.ts'
import { describeContent, goOutTime } from '../posts/change-post.ts'
import { formatSchedule, platformNames } from '../posts/post-blocks.ts'
import { toPost } from '../posts/project-posts.ts'
import { explainRefusal, type KnownRule, loadRule, nameApprovers } from './approvers.ts'
import {
  changeableParts,
  changeBlocks,
  decisionButtons,
  describeDecision,
  describePost,
  isNewPost,
  OPENED,
  USE_ACTION,
} from './request-message.ts'

/** A message holds 50 blocks. */
const MAX_POSTS = 8
const MAX_TEXT_LENGTH = 1000

export type WaitingPost = { approval: Approval; item: OutboxItem; rule: KnownRule | undefined }

/** The posts about which this person may decide, and their own posts that they should change or that wait for others. */
export async function findWaitingPosts({
  bot,
  actor: { team_id, user_id, client },
  profile,
}: AuthorizedActor): Promise<Record<'toDecide' | 'toChange' | 'mine', WaitingPost[]>> {
  const mine: WaitingPost[] = []
  const toChange: WaitingPost[] = []
  const toDecide: WaitingPost[] = []
  const rules = new Map<string, KnownRule | undefined>()
  for (const approval of await listWaiting(bot.db, team_id)) {
    const { project_id } = approval
    const item = await findItemById(bot.db, approval.item_id)
    if (item?.state !== 'held') continue
    if (!rules.has(project_id)) rules.set(project_id, (await loadRule({ bot, client }, approval)).rule)
    const rule = rules.get(project_id)
    const waiting = { approval, item, rule }
    const at = goOutTime((item.body ?? {}) as PostBody)
    if (approval.state === 'changes wanted') {
      if (approval.author === user_id) toChange.push(waiting)
    } else if (!explainRefusal({ bot, user_id, profile }, approval, rule, at)) toDecide.push(waiting)
    else if (approval.author === user_id) mine.push(waiting)
  }
  return { mine, toDecide, toChange }
}

export async function listApprovals(request: Request): Promise<void> {
  const { bot, profile, reply } = request
  const { mine, toDecide, toChange } = await findWaitingPosts(request)
  if (!mine.length && !toDecide.length && !toChange.length)
    return reply(textReply('No post waits for your approval.'))
  const viewer = { zone: profile.zone, now: bot.runtime.now() }
  const lineOf = ({ item }: WaitingPost) => {
    const post = toPost(item)
    return `*${formatSchedule(post, viewer)}* · ${platformNames(post)} · ${escapeText(item.project_name)}`
  }
  for (const { approval } of toDecide.slice(0, MAX_POSTS)) {
    const { project_id, item_id: target, version } = approval
    await recordAction(request, { action: OPENED, outcome: 'done', project_id, target, after: { version } })
  }
  const rows = toDecide.slice(0, MAX_POSTS).flatMap((waiting): KnownBlock[] => {
    const text = describeContent((waiting.item.body ?? {}) as PostBody)
    return [
      section(lineOf(waiting)),
      ...changeBlocks(waiting.approval, waiting.item),
      { type: 'section', text: { ...plainText(truncate(text, MAX_TEXT_LENGTH)), emoji: false } },
      ...changeableParts(waiting.item, bot.uploads),
      ...buttonRow(...decisionButtons(waiting.approval)),
    ]
  })
  const own = mine
    .slice(0, MAX_POSTS)
    .map((waiting) =>
      section(`${describePost(waiting.item)}\n${lineOf(waiting)} · waits for ${nameWaitedFor(waiting)}`),
    )
  const changes = toChange
    .slice(0, MAX_POSTS)
    .flatMap((waiting) => [
      section(`${describePost(waiting.item)}\n${lineOf(waiting)}`),
      ...changeRequest(waiting),
    ])
  const more = Math.max(0, toDecide.length - MAX_POSTS) + Math.max(0, mine.length - MAX_POSTS)
  const blocks: KnownBlock[] = [
    ...(changes.length ? [section('*Change these posts of yours*'), ...changes] : []),
    ...(rows.length ? [section('*These posts wait for your approval*'), ...rows] : []),
    ...(own.length ? [section('*Your posts that wait for others*'), ...own] : []),
    ...(more ? [context(`And ${more} more.`)] : []),
  ]
  await reply({ text: 'Posts that wait for approval', blocks })
}

/** The wish of an approver, with what the author can do. */
function changeRequest({ approval, item }: WaitingPost): KnownBlock[] {
  const last = approval.decisions.at(-1)
  const suggestion = last?.suggestion
  const id = approval.item_id
  const reference = { project_id: approval.project_id, post_id: id, is_held: true }
  const edit = { action_id: 'edit:ask', label: 'Edit', value: JSON.stringify(reference) }
  const value = JSON.stringify({ id, version: approval.version })
  const use = { action_id: USE_ACTION, label: 'Use the suggested text', value }
  return [
    context(`:pencil2: Changes wanted ${describeDecision(last)}`),
    ...(suggestion
      ? [
          {
            type: 'section' as const,
            text: { ...plainText(truncate(suggestion, MAX_TEXT_LENGTH)), emoji: false },
          },
        ]
      : []),
    ...(isNewPost(item) ? buttonRow(...(suggestion ? [use] : []), edit) : []),
  ]
}

const nameWaitedFor = ({ approval, rule }: WaitingPost): string => nameApprovers(rule, approval)
