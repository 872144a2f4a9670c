import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { SlackTimeoutError } from '../slack-errors.ts'
import { type Role, roleOf } from './role.ts'
import { findSettingsInChannel, renewUserSettings } from './user-settings-store.ts'

export type UsedProjects = Record<'channelProject' | 'userProject', string | null | undefined>

/** What the bot needs to know about a user: their Slack profile, and the time zone they chose in Upnext. */
export type UserProfile = {
  /** The workspace that the user belongs to. */
  team_id: string
  zone: string
  hasOwnZone: boolean
  /** The channel's project, and the one that they worked on last. */
  usedProjects: UsedProjects
  locale: string | undefined
  role: Role
}

/** Slack has no time zone for some users, such as guests. */
const DEFAULT_ZONE = 'UTC'

type LookupOptions = { isFresh?: boolean; deadlineMs?: number | undefined }

/** Rejects if Slack doesn't answer. */
export function loadProfile(
  bot: Bot,
  actor: Actor,
  { isFresh = false, deadlineMs }: LookupOptions = {},
): Promise<UserProfile> {
  const profile = askSlack(bot, actor, isFresh)
  if (deadlineMs === undefined) return profile
  return Promise.race([profile, bot.runtime.sleep(deadlineMs).then(rejectAsTooSlow)])
}

function rejectAsTooSlow(): never {
  throw new SlackTimeoutError("Slack didn't return the user in time.")
}

async function askSlack(bot: Bot, actor: Actor, isFresh: boolean): Promise<UserProfile> {
  const { admins, db, directory } = bot
  const [user, workspace, settings] = await Promise.all([
    directory.find(actor, { isFresh }),
    directory.findWorkspace(actor.client),
    findSettingsInChannel(db, { ...actor, channel_id: actor.channel_id ?? '' }),
  ])
  if (settings?.saved_at) await renewUserSettings(bot, actor, settings.saved_at)
  const ownZone = settings?.zone
  return {
    team_id: user?.team_id ?? actor.team_id,
    zone: ownZone ?? user?.tz ?? DEFAULT_ZONE,
    hasOwnZone: Boolean(ownZone),
    usedProjects: { channelProject: settings?.channel_project, userProject: settings?.user_project },
    locale: user?.locale,
    role: roleOf(user, workspace, admins),
  }
}
