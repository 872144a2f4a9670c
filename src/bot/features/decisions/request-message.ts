import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { PostBody } from '../../../api/records.ts'
import { textBeforeMore } from '../../../platforms/text-before-more.ts'
import { shortHash } from '../../database/short-hash.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  type Button,
  buttonRow,
  context,
  escapeFormatting,
  escapeText,
  lineSections,
  literalSection,
  mentionUser,
  type Reply,
  section,
  thumbnail,
  truncate,
  type Viewer,
} from '../../slack/message-blocks.ts'
import { COMMAND_PREFIX } from '../../slack/router.ts'
import { type ApprovalPost, isUndecided, type UndecidedPost } from '../approvals/approval-store.ts'
import type { Approval, Decision } from '../approvals/tables.ts'
import { MEDIA_PATH } from '../media/serve-media.ts'
import { describeContent } from '../posts/change/held-changes.ts'
import {
  formatPostCount,
  formatSchedule,
  platformNames,
  postBlocks,
  quotePost,
  skipToDifference,
} from '../posts/display/post-blocks.ts'
import { MAX_TEXT_LENGTH as MAX_PREVIEW_LENGTH, previewBlocks } from '../posts/display/preview.ts'
import { toPost } from '../posts/find/project-posts.ts'
import { hasUnknownText, textParts } from '../posts/form/post-input.ts'
import { currentDecisions } from './approvers.ts'

export const APPROVE_ACTION = 'approval:approve'
export const APPROVE_ALL_ACTION = 'approval:approve-all'
/** Messages in Slack and audit entries contain this id, so it can't be renamed. */
export const ASK_FOR_CHANGES_ACTION = 'approval:refuse'
/** Recorded in the audit trail when someone is shown a version. */
export const OPENED_ACTION = 'approval:opened'
export const REOPEN_ACTION = 'approval:use'

/** The value of a button: the post, and the version and the time that the person sees. */
export const VersionReference = z.object({ id: z.uuid(), version: z.string(), at: z.string().optional() })
export type VersionReference = z.output<typeof VersionReference>

const MAX_TEXT_LENGTH = 1000

/** Whether an item is a new post. Other items are changes to existing posts that wait for approval. */
export const isNewPost = ({ form }: OutboxItem): boolean => form === 'schedule'

/** When the post goes out. For a change, the earlier of the post's times before and after the change. */
export const decisionDeadline = ({ held_until }: OutboxItem): Date => held_until ?? new Date(0)

/** Asks for a decision about a post, or shows the result. */
export function singleMessage(
  { approval, item }: ApprovalPost,
  uploads: Bot['uploads'],
  viewer: Viewer,
): Reply {
  const project = escapeText(item?.project_name ?? 'a project')
  const result = describeResult(approval, item)
  const approvedSoFar = approvedBy(approval)
  const post = item && toPost(item)
  const what = item && !isNewPost(item) ? 'to change a post in' : 'in'
  const title = result ?? `${mentionUser(approval.author)} asks for your approval ${what} ${project}`
  const text = post ? `${title}: ${formatSchedule(post, viewer)}, ${platformNames(post)}` : title
  if (!item || !post) return { text, blocks: [section(`*${title}*`)] }
  if (result) return { text, blocks: [section(`*${title}*`), ...postBlocks(post, viewer)] }
  return {
    text,
    blocks: [
      section(`*${title}*`),
      ...differenceBlocks(approval, item),
      ...previewBlocks(post, viewer),
      ...wholePostBlocks(item),
      ...changeableContentNotes(item, uploads),
      ...(approvedSoFar ? [context(approvedSoFar)] : []),
      ...buttonRow(...decisionButtons(approval, item)),
    ],
  }
}

/** A preview cuts off long text and titles, and has no videos or descriptions. An approval covers the whole post. */
function wholePostBlocks({ body }: OutboxItem): KnownBlock[] {
  const post = (body ?? {}) as PostBody
  const hasMore = textParts(post).some(
    ({ Content, Platforms }) =>
      Content.length > MAX_PREVIEW_LENGTH ||
      Platforms.some((platform) => textBeforeMore(platform, Content).hasMore),
  )
  const isMediaHidden = post.Media && !thumbnail(post.Media, '').accessory
  const hasTitles = Object.keys(post.Titles ?? {}).length > 0
  const isWhole = !hasMore && !hasTitles && !isMediaHidden && !post.MediaDescription
  return isWhole ? [] : [section('*The whole post*'), ...contentBlocks(post)]
}

/** This many characters always fit into a plain text object, in which Slack allows 3,000 UTF-16 units. */
const TEXT_CHUNK = /[\s\S]{1,1500}/gu

/** Everything that the decision is about, as text. */
export const contentBlocks = (body: PostBody): KnownBlock[] =>
  (describeContent(body).match(TEXT_CHUNK) ?? []).map(literalSection)

/** Notes on content that the person can't see, or that may still change after the decision. */
export function changeableContentNotes(
  { body }: OutboxItem,
  { current: { baseUrl } }: Bot['uploads'],
): KnownBlock[] {
  const post = (body ?? {}) as PostBody
  const { Media } = post
  const isForeign = Media && !(baseUrl && Media.startsWith(baseUrl + MEDIA_PATH))
  return [
    ...(isForeign
      ? [
          context(
            ':link: You approve only the link to the image or video. The file behind it may still change.',
          ),
        ]
      : []),
    ...(hasUnknownText(post) ? [context(`:warning: ${UNKNOWN_TEXT_MESSAGE}`)] : []),
  ]
}

/** Approvers can approve only text that they can see. */
export const UNKNOWN_TEXT_MESSAGE =
  "This post can't be approved, because its text comes from a template or a prompt. Ask the author to enter the text."

const MAX_LINES = 20
/** Longer posts are approved one by one. */
const MAX_LINE_LENGTH = 300
/** Slack limits the length of a message. */
const MAX_EARLIER_LENGTH = 100

const REVIEW_BUTTON: Button = { action_id: `${COMMAND_PREFIX}approve`, label: 'Review one by one' }

/** A message with a button that opens the list, for posts that are too long for a message. */
export const shortMessage = ({ text }: Reply): Reply => ({
  text,
  blocks: [section(`*${text}*`), ...buttonRow({ ...REVIEW_BUTTON, label: 'Show post' })],
})

/** "2 posts and 1 change" */
function formatRequestCount(posts: ApprovalPost[]): string {
  const changes = posts.filter(({ item }) => item && !isNewPost(item)).length
  const newPosts = posts.length - changes
  const count = changes === 1 ? '1 change' : `${changes} changes`
  return [newPosts ? formatPostCount(newPosts) : '', changes ? count : ''].filter(Boolean).join(' and ')
}

/** Several posts that were submitted together. */
export function groupMessage(posts: ApprovalPost[], viewer: Viewer): Reply {
  const [first] = posts
  const asked = posts.filter(isUndecided)
  const author = mentionUser(first?.approval.author ?? '')
  const project = escapeText(posts.find(({ item }) => item)?.item?.project_name ?? 'a project')
  const title = asked.length
    ? `${author} asks for your approval of ${formatRequestCount(asked)} in ${project}`
    : `${author} asked for your approval of ${formatRequestCount(posts)} in ${project}`
  const isAllShown =
    posts.length <= MAX_LINES &&
    asked.every(({ item }) => contentLine(item).length <= MAX_LINE_LENGTH && !hasUnknownText(item.body ?? {}))
  const approveAll: Button = {
    action_id: APPROVE_ALL_ACTION,
    label: asked.length > 1 ? `Approve all ${asked.length}` : 'Approve',
    value: JSON.stringify({ id: first?.approval.group_id ?? '', version: versionOfGroup(posts) }),
    isPrimary: true,
  }
  return {
    text: title,
    blocks: [
      section(`*${title}*`),
      ...lineBlocks(posts, viewer),
      ...(asked.length ? buttonRow(...(isAllShown ? [approveAll] : []), REVIEW_BUTTON) : []),
    ],
  }
}

function lineBlocks(posts: ApprovalPost[], viewer: Viewer): KnownBlock[] {
  const lines = posts.slice(0, MAX_LINES).map((post) => lineOf(post, viewer))
  const hiddenCount = posts.length - lines.length
  return [...lineSections(lines), ...(hiddenCount > 0 ? [context(`And ${hiddenCount} more.`)] : [])]
}

const contentLine = ({ body }: OutboxItem): string =>
  escapeFormatting(describeContent((body ?? {}) as PostBody).replaceAll('\n', ' · '))

function lineOf({ approval, item }: ApprovalPost, viewer: Viewer): string {
  if (!item) return `• ${CANCELLED}`
  const result = describeResult(approval, item)
  const text = truncate(contentLine(item), MAX_LINE_LENGTH)
  const change = isNewPost(item) ? '' : ' · change'
  const { earlier_text } = approval
  const isChanged = !result && earlier_text !== null && earlier_text !== describeContent(item.body ?? {})
  const earlier = escapeFormatting(earlier_text?.replaceAll('\n', ' · ') ?? '')
  const before = isChanged ? `Before: ${truncate(earlier, MAX_EARLIER_LENGTH)}` : ''
  const notes = [before, result ?? approvedBy(approval)].filter(Boolean).map((note) => `\n   ${note}`)
  return `• *${formatSchedule(toPost(item), viewer)}*${change}: ${text}${notes.join('')}`
}

/** Posts of a project from several requests that still wait for a decision. */
export function reminderList(posts: UndecidedPost[], viewer: Viewer): Reply {
  const sorted = posts.toSorted((a, b) => +decisionDeadline(a.item) - +decisionDeadline(b.item))
  const text = `${formatRequestCount(posts)} in ${escapeText(sorted[0]?.item.project_name ?? '')} still need your approval`
  return {
    text,
    blocks: [section(`*${text}*`), ...lineBlocks(sorted, viewer), ...buttonRow(REVIEW_BUTTON)],
  }
}

/**
 * An approval covers a post's content, so the post can still be moved. A person who approves it must have seen its
 * current time.
 */
export const scheduleOf = ({ body }: Pick<OutboxItem, 'body'>): string =>
  (body as PostBody | null)?.ScheduleDate ?? ''

/** Identifies the posts that a person approves together, their versions and their times. */
export const versionOfGroup = (posts: ApprovalPost[]): string =>
  shortHash(
    JSON.stringify(
      posts
        .filter(isUndecided)
        .map(({ approval, item }) => [approval.item_id, approval.version, scheduleOf(item)]),
    ),
  )

export function decisionButtons({ item_id: id, version }: Approval, item: OutboxItem): Button[] {
  const value = JSON.stringify({ id, version, at: scheduleOf(item) } satisfies VersionReference)
  const approve = { action_id: APPROVE_ACTION, label: 'Approve', value, isPrimary: true }
  return [
    ...(hasUnknownText(item.body ?? {}) ? [] : [approve]),
    { action_id: ASK_FOR_CHANGES_ACTION, label: 'Ask for changes', value },
  ]
}

/** The content before the last change, and after it. */
export function differenceBlocks({ earlier_text, changed_by }: Approval, { body }: OutboxItem): KnownBlock[] {
  const text = describeContent((body ?? {}) as PostBody)
  if (earlier_text === null || earlier_text === text) return []
  const [before, after] = [
    skipToDifference(earlier_text, text, MAX_TEXT_LENGTH),
    skipToDifference(text, earlier_text, MAX_TEXT_LENGTH),
  ].map((one) => escapeFormatting(truncate(one, MAX_TEXT_LENGTH)))
  return [section(`${mentionUser(changed_by)} changed this post.\n*Before:* ${before}\n*Now:* ${after}`)]
}

function approvedBy(approval: Approval): string {
  const approved = currentDecisions(approval).filter(({ kind }) => kind === 'approved')
  return approved.length
    ? `Approved by ${approved.map(({ user_id }) => mentionUser(user_id)).join(', ')} so far.`
    : ''
}

/** Who decided and when, or why there is nothing to decide anymore. */
export function describeResult(approval: Approval, item: OutboxItem | undefined): string | undefined {
  const last = approval.decisions.at(-1)
  if (approval.state === 'approved')
    return `:white_check_mark: Approved ${describeDecision(last)}${item ? '' : ' · later cancelled'}`
  if (approval.state === 'changes wanted') return `:pencil2: Changes requested ${describeDecision(last)}`
  if (item?.state === 'held') return undefined
  if (!item) return CANCELLED
  return isNewPost(item) ? ":warning: This post wasn't approved in time." : CHANGE_TOO_LATE
}

const CHANGE_TOO_LATE = ":warning: This change wasn't approved in time, so the post stayed as it was."
const CANCELLED = 'This post was cancelled, or a newer change has replaced this request.'

export function describeDecision(decision: Decision | undefined): string {
  if (!decision) return ''
  const seconds = Math.floor(new Date(decision.at).getTime() / 1000)
  const at = `<!date^${seconds}^{date_short_pretty} at {time}|${decision.at}>`
  const reason = decision.reason ? `: ${escapeFormatting(decision.reason.replaceAll('\n', ' '))}` : ''
  return `by ${mentionUser(decision.user_id)}, ${at}${reason}`
}

export const describePost = (item: OutboxItem): string =>
  `${escapeFormatting(quotePost((item.body ?? {}) as PostBody))} in ${escapeText(item.project_name)}`
