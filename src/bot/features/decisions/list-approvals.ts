import type { KnownBlock } from '@slack/types'
import type { PostBody } from '../../../api/records.ts'
import { findItem } from '../../outbox/find-items-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import { recordAction } from '../../slack/audit.ts'
import type { Bot } from '../../slack/bot.ts'
import type { Request } from '../../slack/feature.ts'
import {
  buttonRow,
  context,
  escapeText,
  literalSection,
  section,
  textReply,
  truncate,
} from '../../slack/message-blocks.ts'
import type { AuthorizedActor } from '../../slack/permissions.ts'
import { listWaitingApprovals } from '../approvals/approval-store.ts'
import type { Approval } from '../approvals/tables.ts'
import { formatSchedule, platformNames } from '../posts/display/post-blocks.ts'
import { toPost } from '../posts/find/project-posts.ts'
import {
  currentDecisions,
  describeApprovers,
  explainRefusal,
  isApproved,
  type LoadedRule,
  loadRule,
  waitsForOthers,
} from './approvers.ts'
import {
  ASK_FOR_CHANGES_ACTION,
  changeableContentNotes,
  contentBlocks,
  decisionButtons,
  decisionDeadline,
  describeDecision,
  describePost,
  differenceBlocks,
  isNewPost,
  OPENED_ACTION,
  REOPEN_ACTION,
} from './request-message.ts'

const MAX_TEXT_LENGTH = 1000

export type WaitingPost = { approval: Approval; item: OutboxItem; rule: LoadedRule | undefined }

/** Finds the posts that the user may decide on, and the user's own posts that need changes or wait for others. */
export async function findWaitingPosts(user: AuthorizedActor) {
  const { bot, actor } = user
  const { team_id, user_id, client } = actor
  const waitingForOthers: WaitingPost[] = []
  const toChange: WaitingPost[] = []
  const toDecide: WaitingPost[] = []
  const rules = new Map<string, LoadedRule | undefined>()
  for (const approval of await listWaitingApprovals(bot.db, team_id)) {
    const { project_id } = approval
    const item = await findItem(bot.db, { id: approval.item_id })
    if (item?.state !== 'held') continue
    if (!rules.has(project_id)) rules.set(project_id, await loadRule({ bot, client }, approval))
    const rule = rules.get(project_id)
    const waiting = { approval, item, rule }
    const at = decisionDeadline(item)
    if (approval.state === 'changes wanted') {
      if (approval.author === user_id) toChange.push(waiting)
    } else if (!waitsForOthers(approval, rule, user_id) && !explainRefusal(user, approval, rule, at))
      toDecide.push(waiting)
    else if (approval.author === user_id) waitingForOthers.push(waiting)
  }
  const isComplete = [...rules.values()].every((rule) => !rule || rule.members)
  for (const posts of [waitingForOthers, toChange, toDecide]) posts.sort(byDeadline)
  return { waitingForOthers, toDecide, toChange, isComplete }
}

const byDeadline = (a: WaitingPost, b: WaitingPost): number =>
  +decisionDeadline(a.item) - +decisionDeadline(b.item)

export async function listApprovals(request: Request): Promise<void> {
  const { bot, viewer, reply } = request
  const { waitingForOthers, toDecide, toChange, isComplete } = await findWaitingPosts(request)
  if (!waitingForOthers.length && !toDecide.length && !toChange.length)
    return reply(textReply(isComplete ? 'No posts are waiting for your approval.' : INCOMPLETE_MESSAGE))
  const lineOf = ({ item }: WaitingPost) => {
    const post = toPost(item)
    return `*${formatSchedule(post, viewer)}* · ${platformNames(post)} · ${escapeText(item.project_name)}`
  }
  const ownPostSection = (waiting: WaitingPost, note: string) =>
    section(`${describePost(waiting.item)}\n${lineOf(waiting)}${note}`)
  const sections = [
    {
      title: '*Waiting for your approval*',
      posts: toDecide.map((waiting) => decisionBlocks(waiting, lineOf(waiting), bot.uploads)),
    },
    {
      title: '*Your posts with requested changes*',
      posts: toChange.map((waiting) => [ownPostSection(waiting, ''), ...changeRequestBlocks(waiting)]),
    },
    {
      title: '*Your posts waiting for others*',
      posts: waitingForOthers.map((waiting) => {
        const { rule, approval } = waiting
        const decisions = isApproved(approval, rule) ? [] : currentDecisions(approval)
        const people = describeApprovers(rule, approval, decisions)
        return [ownPostSection(waiting, ` · waiting for ${people}`)]
      }),
    },
  ]
  const budget = { blocks: MAX_BLOCKS, length: MAX_LENGTH }
  const shown = sections.map(({ title, posts }) => ({ title, posts: takeFitting(posts, budget) }))
  const hiddenCount =
    sections.flatMap(({ posts }) => posts).length - shown.flatMap(({ posts }) => posts).length
  const [decisions] = shown
  for (const { approval } of toDecide.slice(0, decisions?.posts.length)) {
    const { project_id, item_id: target, version } = approval
    await recordAction(request, { action: OPENED_ACTION, project_id, target, after: { version } })
  }
  const blocks: KnownBlock[] = [
    ...shown.flatMap(({ title, posts }) => (posts.length ? [section(title), ...posts.flat()] : [])),
    ...(hiddenCount ? [context(`And ${hiddenCount} more. The posts that go out first are shown.`)] : []),
    ...(isComplete ? [] : [context(INCOMPLETE_MESSAGE)]),
  ]
  await reply({ text: 'Posts waiting for approval', blocks })
}

const INCOMPLETE_MESSAGE =
  "Upnext couldn't load the members of a user group, so posts may be missing here. If this persists, ask an admin to check `/upnext approval`."

/** Slack allows 50 blocks and about 13,000 characters in a message. */
const MAX_BLOCKS = 40
const MAX_LENGTH = 12_500

function takeFitting(posts: KnownBlock[][], budget: { blocks: number; length: number }): KnownBlock[][] {
  const fitting: KnownBlock[][] = []
  for (const blocks of posts) {
    budget.blocks -= blocks.length
    budget.length -= JSON.stringify(blocks).length
    if (budget.blocks < 0 || budget.length < 0) break
    fitting.push(blocks)
  }
  return fitting
}

/** A post with everything that the decision is about. */
function decisionBlocks(
  { approval, item }: WaitingPost,
  line: string,
  uploads: Bot['uploads'],
): KnownBlock[] {
  const buttons = decisionButtons(approval, item)
  const blocks = [
    section(line),
    ...differenceBlocks(approval, item),
    ...contentBlocks((item.body ?? {}) as PostBody),
    ...changeableContentNotes(item, uploads),
    ...buttonRow(...buttons),
  ]
  const isShown = blocks.length <= MAX_BLOCKS && JSON.stringify(blocks).length <= MAX_LENGTH
  const askForChanges = buttons.filter(({ action_id }) => action_id === ASK_FOR_CHANGES_ACTION)
  return isShown ? blocks : [section(line), context(TOO_LONG), ...buttonRow(...askForChanges)]
}

const TOO_LONG =
  "This post is too long to be shown here, so it can't be approved. Ask the author to shorten it."

/** An approver's request for changes, with buttons for the author. */
function changeRequestBlocks({ approval, item }: WaitingPost): KnownBlock[] {
  const last = approval.decisions.at(-1)
  const suggestion = last?.suggestion
  const id = approval.item_id
  const reference = { project_id: approval.project_id, post_id: id, is_held: true }
  const edit = { action_id: 'edit:ask', label: 'Edit', value: JSON.stringify(reference) }
  const value = JSON.stringify({ id, version: approval.version })
  const use = {
    action_id: REOPEN_ACTION,
    label: suggestion ? 'Use the suggested text' : 'Edit',
    value,
  }
  return [
    context(`:pencil2: Changes requested ${describeDecision(last)}`),
    ...(suggestion ? [literalSection(truncate(suggestion, MAX_TEXT_LENGTH))] : []),
    ...buttonRow(...(suggestion || !isNewPost(item) ? [use] : []), ...(isNewPost(item) ? [edit] : [])),
  ]
}
