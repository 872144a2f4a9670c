import { sql } from 'kysely'
import { prepareOne } from '../database/prepare.ts'
import { saveRow, selectRows } from '../database/row-queries.ts'
import type { Db, UserKey } from '../database/tables.ts'
import type { Bot } from './bot.ts'
import type { SettingsInChannel, UserSettings } from './tables.ts'

/** `channel_id` is empty if the request doesn't name a channel, as on the Home tab. */
export type SettingsKey = UserKey & { channel_id: string }

export const selectSettings = ({ team_id, user_id, channel_id }: SettingsKey) => sql<SettingsInChannel>`
    select settings.zone, settings.project_id as user_project, settings.saved_at,
      link.project_id as channel_project
    from (select) nothing
    left join upnext.user_settings settings on settings.team_id = ${team_id} and settings.user_id = ${user_id}
    left join upnext.channel_project link on link.team_id = ${team_id} and link.channel_id = ${channel_id}`

export const findSettingsInChannel = prepareOne((_db, key: SettingsKey) => selectSettings(key))

export const findUserSettings = (db: Db, { team_id, user_id }: UserKey) =>
  selectRows(db, 'user_settings', { team_id, user_id }).executeTakeFirst()

export function saveUserSettings(
  { db, runtime }: Bot,
  { team_id, user_id }: UserKey,
  settings: Partial<Pick<UserSettings, 'project_id' | 'zone' | 'home_hash'>>,
): Promise<unknown> {
  const row = { team_id, user_id, ...settings, saved_at: runtime.now() }
  return saveRow(db, 'user_settings', ['team_id', 'user_id'], row)
}

const RENEWAL_INTERVAL_MS = 30 * 24 * 60 * 60_000

/** Keeps settings that are in use from being deleted. */
export async function renewUserSettings(
  bot: Bot,
  { team_id, user_id }: UserKey,
  saved_at: Date,
): Promise<void> {
  if (bot.runtime.now().getTime() - saved_at.getTime() < RENEWAL_INTERVAL_MS) return
  await saveUserSettings(bot, { team_id, user_id }, {})
}
