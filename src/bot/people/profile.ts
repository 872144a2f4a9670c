import type { Actor } from '../actor.ts'
import type { Bot } from '../bot.ts'
import { findUserSettings } from './user-settings-store.ts'

/** What the bot needs to know about a user: their Slack profile, and the time zone they chose in Upnext. */
export type UserProfile = {
  zone: string
  hasOwnZone: boolean
  locale: string | undefined
  role: 'admin' | 'member' | 'guest'
}

/** Slack has no time zone for some users, such as guests. */
const DEFAULT_ZONE = 'UTC'

export async function loadProfile(bot: Bot, actor: Actor, { isFresh = false } = {}): Promise<UserProfile> {
  const { admins, db, directory } = bot
  const lookup = directory.find(actor, { isFresh })
  const [user, settings] = await Promise.all([lookup, findUserSettings(db, actor)])
  const ownZone = settings?.zone
  const isAdmin = user?.is_admin || user?.is_owner || admins.includes(actor.user_id)
  const isGuest = user?.is_restricted || user?.is_ultra_restricted
  return {
    zone: ownZone ?? user?.tz ?? DEFAULT_ZONE,
    hasOwnZone: Boolean(ownZone),
    locale: user?.locale,
    role: isAdmin ? 'admin' : isGuest ? 'guest' : 'member',
  }
}
