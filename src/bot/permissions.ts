import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { loadProfile, type UserProfile } from './people/profile.ts'

export type Permission = 'view' | 'write' | 'admin'

/** What a command, button, form or list requires of the user. */
export type Access = {
  permission: Permission
  /** Asks Slack for the user's current role. Otherwise an answer of up to 60 seconds ago is enough. */
  isFresh: boolean
  /** The title of the modal that the command or button opens. */
  modalTitle?: string
}

export const VIEW_ACCESS: Access = { permission: 'view', isFresh: false }
export const WRITE_ACCESS: Access = { permission: 'write', isFresh: true }
export const ADMIN_ACCESS: Access = { permission: 'admin', isFresh: true }

/** Opening a form changes nothing yet; its submission asks Slack again. */
export const accessForModal = (permission: Permission, modalTitle: string): Access => ({
  permission,
  isFresh: false,
  modalTitle,
})

/** A user whose permission has been checked. */
export type AuthorizedActor = { bot: Bot; actor: Actor; profile: UserProfile }

type Authorization = { profile: UserProfile; refusal: string | undefined }

/** The only place that decides what a user may do. One API token serves everyone, so the service cannot decide it. */
export async function authorize(bot: Bot, actor: Actor, access: Access): Promise<Authorization> {
  const profile = await loadProfile(bot, actor, { isFresh: access.isFresh })
  return { profile, refusal: refusalFor(bot, profile, access.permission) }
}

export const canWrite = (bot: Bot, profile: UserProfile): boolean => !refusalFor(bot, profile, 'write')

function refusalFor(bot: Bot, { role }: UserProfile, permission: Permission): string | undefined {
  if (permission === 'admin' && role !== 'admin')
    return 'Only workspace owners and admins can do this. Ask one of them for help.'
  if (permission === 'write' && role === 'guest' && !bot.guestsMayWrite)
    return 'Guests have view-only access. Ask a member of this workspace to do this for you.'
  return undefined
}
