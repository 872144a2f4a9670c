import type { KnownBlock } from '@slack/types'
import type { Post } from '../../../api/records.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  type Button,
  buttonRow,
  context,
  escapeText,
  lineSections,
  mentionUser,
  type Reply,
  section,
  textReply,
} from '../../slack/message-blocks.ts'
import { formatPostCount, MAX_PREVIEW_LENGTH, postBlocks } from '../posts/display/post-blocks.ts'
import { isPublishing, problemResults, unconnectedResults } from '../posts/display/post-results.ts'
import { problemButtons, publishButton } from '../posts/retry-post.ts'
import { failureKey, isUnconnected } from './find-problems.ts'
import type { Alert } from './tables.ts'

export const DISMISS_ACTION = 'alerts:dismiss'
export const RETRY_ALL_ACTION = 'alerts:retry'

const MAX_LINES = 15

type RenderOptions = {
  bot: Bot
  /** The alert's post as it is now, if the alert has only one. */
  post: Post | undefined
  /** People from other organizations see only how many problems there are. */
  isShared: boolean
}

export function renderAlert(alert: Alert, { bot, post, isShared }: RenderOptions): Reply {
  const { id, problems, project_id, project_name } = alert
  const [first] = problems
  const isAboutPosts = first?.post_id !== undefined
  const count = problems.length > 1 ? ` (${problems.length} posts)` : ''
  const total = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const isPublished = first?.published_at !== undefined
  if (isShared && isPublished)
    return textReply(
      `:white_check_mark: ${formatPostCount(problems.length)} published in this channel's project.`,
    )
  if (isShared) return textReply(`:warning: ${total} in this channel's project.`)
  const subject = first?.subject ?? ''
  const title = `:${isPublished ? 'white_check_mark' : 'warning'}: *${escapeText(project_name)}${count}:* ${escapeText(subject)}`
  const text = `${project_name}${count}: ${subject}`
  const dismiss = { action_id: DISMISS_ACTION, label: 'Dismiss', value: id }
  const reference = post?.Id && { project_id, post_id: post.Id }
  const rows = reference && !isPublished ? problemButtons(reference, post) : []
  const unconnected = unconnectedResults(post ?? {}).filter(
    (result) => failureKey(post?.Id ?? '', result) === first?.key,
  )
  const publishRow = reference && unconnected.length ? [publishButton(reference, unconnected)] : undefined
  const [buttons = [], ...otherRows] = publishRow ? [publishRow] : rows
  if (problems.length > 1 && first?.can_retry) buttons.push(retryAllButton(alert))
  const viewer = { zone: 'UTC', now: bot.runtime.now(), isChannel: true }
  // The subject already names these problems, so the results would repeat them.
  const hasProblems = post !== undefined && (problemResults(post).length > 0 || isPublishing(post))
  const content: KnownBlock[] = post
    ? postBlocks(post, viewer, { maxLength: MAX_PREVIEW_LENGTH, hidesResults: hasProblems })
    : isAboutPosts
      ? lineSections(problems.slice(0, MAX_LINES).map(({ line }) => line))
      : [context('Admins can see all accounts with `/upnext accounts`.')]
  const hiddenCount = isAboutPosts ? problems.length - MAX_LINES : 0
  return {
    text: escapeText(text),
    blocks: [
      section(title),
      ...content,
      ...(first?.advice ? [context(escapeText(first.advice))] : []),
      ...(hiddenCount > 0 ? [context(`And ${hiddenCount} more.`)] : []),
      ...otherRows.flatMap((row) => buttonRow(...row)),
      ...buttonRow(...buttons, ...(isPublished ? [] : [dismiss])),
    ],
  }
}

function retryAllButton({ id: value, problems }: Alert): Button {
  const isByHand = problems.some(isUnconnected)
  const label = isByHand ? 'Publish all now' : 'Try all again'
  const warnings = [
    ...(problems.length > MAX_LINES
      ? [`This publishes all ${problems.length} posts, including those that aren't listed here.`]
      : []),
    ...(isByHand ? ['If someone has already published one of them by hand, it will appear twice.'] : []),
  ]
  const confirmation = warnings.length ? { confirmation: warnings.join(' ') } : {}
  return { action_id: RETRY_ALL_ACTION, value, label, ...confirmation }
}

type ClosedAlertOptions = Pick<RenderOptions, 'isShared'> & { hasFailedAgain?: boolean; dismissedBy?: string }

/** Renders the message that replaces an alert once it is dismissed or resolved, or its posts have failed again. */
export function renderClosedAlert(
  { problems, project_name }: Alert,
  { isShared, hasFailedAgain = false, dismissedBy }: ClosedAlertOptions,
): Reply {
  const [first] = problems
  const name = escapeText(project_name)
  const outcome = hasFailedAgain ? `Failed again in ${name}` : `:white_check_mark: Resolved in ${name}`
  const text = dismissedBy ? `Dismissed by ${mentionUser(dismissedBy)} in ${name}` : outcome
  if (isShared) return textReply(hasFailedAgain ? ':warning: Failed again.' : ':white_check_mark: Resolved.')
  if (!first) return textReply(text)
  const lines = first.post_id ? problems.slice(0, MAX_LINES).map(({ line }) => line) : []
  return {
    text,
    blocks: [section(`*${text}*`), context(escapeText(first.subject)), ...lineSections(lines)],
  }
}
