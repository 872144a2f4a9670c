import type { Overflow } from '@slack/types'
import type { Post } from '../../../api/records.ts'
import type { Bot } from '../../slack/bot.ts'
import {
  MAX_OPTION_VALUE_LENGTH,
  MENU_ACTION,
  toMenuEntry,
  toMenuOption,
} from '../../slack/message-blocks.ts'
import { canWrite } from '../../slack/permissions.ts'
import type { UserProfile } from '../../slack/profile.ts'
import { referenceTo } from './post-reference.ts'
import { failedResults, isPublishing, unknownResults } from './post-results.ts'
import { HAND_OVER_MINUTES, isWaiting, SERVICE_STATES } from './post-states.ts'

/** Whether the post can still be changed, by anyone with the permission. */
export const isChangeable = ({ extensions }: Pick<Bot, 'extensions'>, post: Post): boolean =>
  isWaiting(post) ||
  (extensions.current.canChangePosts && CHANGEABLE_STATES.includes(post.Status ?? '') && !isPublishing(post))

/** A failed post is scheduled again when it is edited. */
const CHANGEABLE_STATES = [...SERVICE_STATES, 'FAILED']

export type MenuContext = {
  bot: Bot
  project_id: string
  /** Undefined in a channel: everyone sees the same menu there. */
  profile?: UserProfile | undefined
}

/** The actions for a post. Each entry starts the action that it names. */
export function postMenu({ bot, project_id, profile }: MenuContext, post: Post): Overflow | undefined {
  const reference = referenceTo(project_id, post)
  if (!reference) return undefined
  const mayWrite = !profile || canWrite(bot, profile)
  const canChange = mayWrite && isChangeable(bot, post)
  const [edit, ...otherChanges] = canChange ? changeEntries(post) : []
  const duplicate = mayWrite && !canChange ? [{ action_id: 'edit:duplicate', label: 'Duplicate' }] : []
  const share = mayWrite ? [{ action_id: 'share:ask', label: 'Share' }] : []
  const hasProblem = failedResults(post).length + unknownResults(post).length > 0
  const retry = mayWrite && hasProblem ? [{ action_id: 'retry:ask', label: 'Try again' }] : []
  // Slack allows five entries.
  const preview = hasProblem ? [] : [{ action_id: 'preview:show', label: 'Preview' }]
  const entries = [...retry, ...(edit ? [edit] : duplicate), ...preview, ...share, ...otherChanges]
  const options = entries.flatMap(({ action_id, label }) => {
    const value = toMenuEntry(action_id, JSON.stringify(reference))
    return value.length <= MAX_OPTION_VALUE_LENGTH ? [toMenuOption({ value, label })] : []
  })
  return options.length ? { type: 'overflow', action_id: MENU_ACTION, options } : undefined
}

function changeEntries({ Status }: Post) {
  const isDraft = Status === 'DRAFT'
  return [
    { action_id: 'edit:ask', label: 'Edit' },
    { action_id: 'reschedule:ask', label: isDraft ? 'Schedule this draft' : 'Reschedule' },
    { action_id: 'cancel:ask', label: isDraft ? 'Delete draft' : 'Cancel post' },
  ]
}

/** For the author: whether their post can still be changed. */
export function describeChangeability({ extensions }: Pick<Bot, 'extensions'>, post: Post): string {
  if (isWaiting(post))
    return `Held until ${HAND_OVER_MINUTES} minutes before it goes out. You can edit or cancel it until then.`
  const isDraft = post.Status === 'DRAFT'
  if (extensions.current.canChangePosts)
    return isDraft ? 'You can edit, schedule or delete it.' : 'You can edit or cancel it until it goes out.'
  return isDraft
    ? "It can't be edited or scheduled from Slack: this scheduling service doesn't support it."
    : "It can't be edited or cancelled from Slack: this scheduling service doesn't support it."
}
