import type { Overflow } from '@slack/types'
import type { Post } from '../../../../api/records.ts'
import type { Bot } from '../../../slack/bot.ts'
import {
  type Button,
  MAX_OPTION_VALUE_LENGTH,
  MENU_ACTION,
  toMenuOption,
  toMenuValue,
} from '../../../slack/message-blocks.ts'
import { canWrite } from '../../../slack/permissions.ts'
import type { UserProfile } from '../../../slack/profile.ts'
import { postReferenceOf } from './post-reference.ts'
import { isPublishing, problemResults } from './post-results.ts'
import { isHeld, SERVICE_STATE_CHOICES, stateOf } from './post-states.ts'

/** Whether the post can still be changed, by anyone with the permission. */
export const isChangeable = ({ extensions }: Pick<Bot, 'extensions'>, post: Post): boolean =>
  isHeld(post) ||
  (extensions.current.canChangePosts && CHANGEABLE_STATES.includes(post.Status ?? '') && !isPublishing(post))

/** A failed post is scheduled again when it is edited. */
const CHANGEABLE_STATES = [...SERVICE_STATE_CHOICES, 'FAILED']

export type MenuContext = {
  bot: Bot
  project_id: string
  /** Undefined in a channel: everyone sees the same menu there. */
  profile?: UserProfile | undefined
}

type Entry = { action_id: string; label: string }

/** Slack allows five entries. */
const MAX_ENTRIES = 5

/** The actions for a post. If there isn't room for all of them, previewing is left out first, and then sharing. */
export function postMenu(context: MenuContext, post: Post): Overflow | undefined {
  const { retry, changes, duplicate, others } = listEntries(context, post)
  const entries = [...retry, ...changes.slice(0, 2), ...duplicate]
  const last = changes.slice(2)
  const rest = others.slice(0, MAX_ENTRIES - entries.length - last.length)
  return toMenu(context, post, [...entries, ...rest, ...last])
}

/** The controls of a message about one post: buttons for actions that change it, and a menu for the others. */
export function postControls(
  context: MenuContext,
  post: Post,
): { buttons: Button[]; menu: Overflow | undefined } {
  const { retry, changes, duplicate, others } = listEntries(context, post)
  const value = JSON.stringify(postReferenceOf(context.project_id, post))
  return {
    buttons: value === undefined ? [] : changes.map((entry) => ({ ...entry, value })),
    menu: toMenu(context, post, [...retry, ...duplicate, ...others]),
  }
}

function toMenu({ project_id }: MenuContext, post: Post, entries: Entry[]): Overflow | undefined {
  const reference = postReferenceOf(project_id, post)
  if (!reference) return undefined
  const options = entries.flatMap(({ action_id, label }) => {
    const value = toMenuValue(action_id, JSON.stringify(reference))
    return value.length <= MAX_OPTION_VALUE_LENGTH ? [toMenuOption({ value, label })] : []
  })
  return options.length ? { type: 'overflow', action_id: MENU_ACTION, options } : undefined
}

function listEntries({ bot, profile }: MenuContext, post: Post) {
  const mayWrite = !profile || canWrite(bot, profile)
  const ifWriter = (entry: Entry) => (mayWrite ? [entry] : [])
  return {
    retry: problemResults(post).length ? ifWriter({ action_id: 'retry:ask', label: 'Try again' }) : [],
    changes: mayWrite && isChangeable(bot, post) ? entriesForChanges(post) : [],
    duplicate: ifWriter({ action_id: 'edit:duplicate', label: 'Duplicate' }),
    others: [
      ...ifWriter({ action_id: 'share:ask', label: 'Share' }),
      { action_id: 'preview:show', label: 'Preview' },
    ],
  }
}

function entriesForChanges({ Status }: Post): Entry[] {
  const isDraft = Status === 'DRAFT'
  return [
    { action_id: 'edit:ask', label: 'Edit' },
    { action_id: 'reschedule:ask', label: isDraft ? 'Schedule this draft' : 'Move' },
    { action_id: 'cancel:ask', label: isDraft ? 'Delete draft' : 'Cancel post' },
  ]
}

/** Explains to the author until when a post can be changed. Empty if it can be changed until it goes out. */
export function explainEditing({ extensions }: Pick<Bot, 'extensions'>, post: Post): string {
  const { editingNote } = stateOf(post)
  if (editingNote) return editingNote
  if (extensions.current.canChangePosts) return ''
  return post.Status === 'DRAFT'
    ? "Upnext can't change drafts in this scheduling service. Edit or schedule this one there."
    : "Upnext can't change posts in this scheduling service. Edit or cancel this one there."
}
