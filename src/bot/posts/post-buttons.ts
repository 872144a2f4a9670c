import type { KnownBlock } from '@slack/types'
import { z } from 'zod'
import type { Post } from '../../api/records.ts'
import type { Bot } from '../bot.ts'
import { buttonRow } from '../message-blocks.ts'
import type { UserProfile } from '../people/profile.ts'
import { canWrite } from '../permissions.ts'

export const EDIT_ACTION = 'edit:ask'
export const CANCEL_ACTION = 'cancel:ask'

/** The value of a button for a post. */
export const PostReference = z.object({ project_id: z.string(), post_id: z.string() })
export type PostReference = z.output<typeof PostReference>

/** The buttons for a post that this user may change. */
export function postButtons(
  bot: Bot,
  profile: UserProfile,
  project_id: string,
  { Id, Status }: Post,
): KnownBlock[] {
  const isOpen = Status === 'SCHEDULED' || Status === 'DRAFT'
  if (!Id || !isOpen || !bot.extensions.current.canChangePosts || !canWrite(bot, profile)) return []
  const value = JSON.stringify({ project_id, post_id: Id } satisfies PostReference)
  return buttonRow(
    { action_id: EDIT_ACTION, label: 'Edit', value },
    { action_id: CANCEL_ACTION, label: Status === 'DRAFT' ? 'Delete draft' : 'Cancel post', value },
  )
}
