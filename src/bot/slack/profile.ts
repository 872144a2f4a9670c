import { DatabaseTimeoutError } from '../../database/connection-error.ts'
import { rejectAfterDeadline } from '../../runtime.ts'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { type Role, roleOf } from './role.ts'
import { findSettingsInChannel, saveUserSettings } from './settings-store.ts'
import { SlackTimeoutError } from './slack-errors.ts'
import type { SettingsInChannel } from './tables.ts'

export type DefaultProjects = Record<'channelProject' | 'userProject', string | null | undefined>

/** A user's Slack profile and settings in Upnext. */
export type UserProfile = {
  /** The workspace that the user belongs to. */
  team_id: string
  zone: string
  hasOwnZone: boolean
  /** The channel's project, and the user's own project, which was chosen on the Home tab. */
  defaultProjects: DefaultProjects
  locale: string | undefined
  role: Role
}

/** Slack has no time zone for some users, such as guests. */
const DEFAULT_ZONE = 'UTC'

export type ProfileOptions = {
  isFresh?: boolean
  deadline?: Date | undefined
}

/** Rejects if Slack or the database doesn't answer. */
export async function loadProfile(
  bot: Bot,
  actor: Actor,
  { deadline, isFresh = false }: ProfileOptions = {},
): Promise<UserProfile> {
  const { admins, directory, runtime } = bot
  const limit = { deadline, runtime }
  const userAndWorkspace = Promise.all([
    directory.find(actor, { isFresh }),
    directory.findWorkspace(actor.client),
  ])
  const [[user, workspace], settings] = await Promise.all([
    rejectAfterDeadline(userAndWorkspace, {
      ...limit,
      createError: () => new SlackTimeoutError("Slack didn't return the user in time."),
    }),
    rejectAfterDeadline(loadAndRenewSettings(bot, actor), {
      ...limit,
      createError: () => new DatabaseTimeoutError("The database didn't return the settings in time."),
    }),
  ])
  const ownZone = settings?.zone
  return {
    team_id: user?.team_id ?? actor.team_id,
    zone: ownZone ?? user?.tz ?? DEFAULT_ZONE,
    hasOwnZone: Boolean(ownZone),
    defaultProjects: { channelProject: settings?.channel_project, userProject: settings?.user_project },
    locale: user?.locale,
    role: roleOf(user, workspace, admins),
  }
}

const RENEWAL_INTERVAL_MS = 30 * 24 * 60 * 60_000

/** Settings that aren't renewed for a year are deleted. */
async function loadAndRenewSettings(
  bot: Bot,
  { team_id, user_id, channel_id = '' }: Actor,
): Promise<SettingsInChannel | undefined> {
  const settings = await findSettingsInChannel(bot.db, { team_id, user_id, channel_id })
  if (settings?.saved_at && +bot.runtime.now() - +settings.saved_at >= RENEWAL_INTERVAL_MS)
    await saveUserSettings(bot, { team_id, user_id }, {})
  return settings
}
