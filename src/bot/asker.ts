import { findPersonZone } from '../store/person-zones.ts'
import type { Asker, Bot } from './bot.ts'

/** What matters here of a person: what Slack knows, and the zone that they chose here. */
export type Person = {
  zone: string
  /** Whether they chose it here. */
  hasOwnZone: boolean
  locale: string | undefined
  role: 'admin' | 'member' | 'guest'
}

/** Some people have no zone in Slack, guests among them. */
const NO_ZONE = 'UTC'

/** Afresh where something hangs on what they may. */
export async function findPerson(
  { admins, db, directory }: Bot,
  asker: Asker,
  options: { isAfresh?: boolean } = {},
): Promise<Person> {
  const { user_id } = asker
  const [user, chosen] = await Promise.all([directory.find(asker, options), findPersonZone(db, asker)])
  const isAdmin = user?.is_admin || user?.is_owner || admins.includes(user_id)
  const isGuest = user?.is_restricted || user?.is_ultra_restricted
  return {
    zone: chosen?.zone ?? user?.tz ?? NO_ZONE,
    hasOwnZone: Boolean(chosen),
    locale: user?.locale,
    role: isAdmin ? 'admin' : isGuest ? 'guest' : 'member',
  }
}

/** Not a conversation of people. */
export const isChannel = (id: string | undefined): id is string => /^[CG]/.test(id ?? '')

export type Right = 'look' | 'write' | 'administer'

/** Why a person may not do that; undefined where they may. One API token serves all, so the door is held here. */
export function refusalFor({ guestsMayWrite }: Bot, { role }: Person, right: Right): string | undefined {
  if (right === 'administer' && role !== 'admin')
    return 'That is for the owners and admins of this workspace. Ask one of them to do it for you.'
  if (right === 'write' && role === 'guest' && !guestsMayWrite)
    return 'Guests can look here, and not change anything. Ask a member of this workspace to do it for you.'
  return undefined
}
