import { rejectAfterDeadline } from '../../runtime.ts'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { checkWriters } from './check-writers.ts'
import { loadProfile, type ProfileOptions, type UserProfile } from './profile.ts'
import { isSlackFailure, newErrorId, SlackTimeoutError } from './slack-errors.ts'

/** `decide` is for people who are asked to approve a post. The code for the decision checks whether the user is one of them. */
export type Permission = 'view' | 'write' | 'admin' | 'decide'

/** The permission that a command, button, form or list requires of the user. */
export type Access = {
  permission: Permission
  /** Whether to ask Slack for the user's current role. Otherwise an answer up to 60 seconds old is enough. */
  isFresh: boolean
  /** The title of the modal that the command or button opens. */
  modalTitle?: string
}

export const VIEW_ACCESS: Access = { permission: 'view', isFresh: false }
export const WRITE_ACCESS: Access = { permission: 'write', isFresh: true }
export const ADMIN_ACCESS: Access = { permission: 'admin', isFresh: true }

/** Opening a form changes nothing yet, so a cached role is enough. The submission asks Slack for the current role. */
export const accessForModal = (permission: Permission, modalTitle: string): Access => ({
  permission,
  isFresh: false,
  modalTitle,
})

/** A user whose permission has been checked. */
export type AuthorizedActor = { bot: Bot; actor: Actor; profile: UserProfile }

export type Authorization =
  | { kind: 'allowed'; profile: UserProfile }
  | { kind: 'refused'; profile: UserProfile; message: string }
  /** Slack failed or didn't answer in time, so the permission couldn't be checked. */
  | { kind: 'unknown'; message: string }

type AuthorizeOptions = Pick<ProfileOptions, 'deadline'> & {
  /** The project that is about to be changed, if it is known. */
  project_id?: string | undefined
}

/** Decides whether a user may do something. All users share one API token, so the service can't decide this. */
export async function authorize(
  bot: Bot,
  actor: Actor,
  { permission, isFresh }: Access,
  { project_id, ...options }: AuthorizeOptions = {},
): Promise<Authorization> {
  try {
    const profile = await loadProfile(bot, actor, { ...options, isFresh })
    const message = findRefusal(bot, profile, permission)
    if (!message && permission === 'write' && project_id && profile.role !== 'admin') {
      const refusal = await rejectAfterDeadline(checkWriters(bot, actor, project_id), {
        deadline: options.deadline,
        runtime: bot.runtime,
        createError: () => new SlackTimeoutError("Slack didn't list the members of a user group in time."),
      })
      if (refusal) return { profile, ...refusal }
    }
    return message ? { kind: 'refused', profile, message } : { kind: 'allowed', profile }
  } catch (err) {
    if (!isSlackFailure(err)) throw err
    const id = newErrorId(bot.runtime)
    bot.log.warn({ err, id, user: actor.user_id }, "Slack didn't confirm a user's permission")
    const message = `Couldn't check with Slack whether you may do this, so nothing was done. Try again in a minute. (${id})`
    return { kind: 'unknown', message }
  }
}

export const canWrite = (bot: Bot, profile: Pick<UserProfile, 'role'>): boolean =>
  !findRefusal(bot, profile, 'write')

function findRefusal(
  bot: Bot,
  { role }: Pick<UserProfile, 'role'>,
  permission: Permission,
): string | undefined {
  if (role === 'inactive') return 'Upnext is only for people with an active account in this workspace.'
  if (permission === 'decide') return undefined
  if (role === 'external' && !(bot.externalUsersMayView && permission === 'view'))
    return bot.externalUsersMayView
      ? 'People from other organizations have view-only access. Ask a member of this workspace to do this for you.'
      : 'Upnext is only for members of this workspace. Ask one of them to do this for you.'
  if (permission === 'admin' && role !== 'admin')
    return 'Only workspace owners and admins can do this. Ask one of them for help.'
  if (permission === 'write' && role === 'guest' && !bot.guestsMayWrite)
    return 'Guests have view-only access. Ask a member of this workspace to do this for you.'
  return undefined
}
