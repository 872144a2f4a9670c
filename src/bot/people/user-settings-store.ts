import type { Db, UserKey, UserSettings } from '../database/tables.ts'

export const findUserSettings = (db: Db, { team_id, user_id }: UserKey) =>
  db
    .selectFrom('user_settings')
    .selectAll()
    .where((eb) => eb.and({ team_id, user_id }))
    .executeTakeFirst()

export const saveUserSettings = (db: Db, { team_id, user_id }: UserKey, settings: Partial<UserSettings>) =>
  db
    .insertInto('user_settings')
    .values({ team_id, user_id, ...settings })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet(settings))
    .execute()
