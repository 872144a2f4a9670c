import type { Bot } from '../bot.ts'
import type { Db, UserKey, UserSettings } from '../database/tables.ts'

export const findUserSettings = (db: Db, { team_id, user_id }: UserKey) =>
  db
    .selectFrom('user_settings')
    .selectAll()
    .where((eb) => eb.and({ team_id, user_id }))
    .executeTakeFirst()

export function saveUserSettings(
  { db, runtime }: Bot,
  { team_id, user_id }: UserKey,
  settings: Partial<Pick<UserSettings, 'project_id' | 'zone' | 'home_hash'>>,
): Promise<unknown> {
  const saved = { ...settings, saved_at: runtime.now() }
  return db
    .insertInto('user_settings')
    .values({ team_id, user_id, ...saved })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet(saved))
    .execute()
}

const RENEWAL_INTERVAL_MS = 30 * 24 * 60 * 60_000

/** Keeps settings that are in use from being deleted. */
export async function renewUserSettings(bot: Bot, { team_id, user_id, saved_at }: UserSettings) {
  if (bot.runtime.now().getTime() - saved_at.getTime() < RENEWAL_INTERVAL_MS) return
  await saveUserSettings(bot, { team_id, user_id }, {})
}

export const deleteUserSettings = (db: Db, savedBefore: Date): Promise<unknown> =>
  db.deleteFrom('user_settings').where('saved_at', '<', savedBefore).execute()
