import type { Db, UserKey } from '../database/tables.ts'

export async function findTimeZone(db: Db, { team_id, user_id }: UserKey): Promise<string | undefined> {
  const row = await db
    .selectFrom('user_time_zone')
    .select('zone')
    .where((eb) => eb.and({ team_id, user_id }))
    .executeTakeFirst()
  return row?.zone
}

export const setTimeZone = (db: Db, { team_id, user_id }: UserKey, zone: string): Promise<unknown> =>
  db
    .insertInto('user_time_zone')
    .values({ team_id, user_id, zone })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ zone }))
    .execute()

export const deleteTimeZone = (db: Db, { team_id, user_id }: UserKey): Promise<unknown> =>
  db.deleteFrom('user_time_zone').where('team_id', '=', team_id).where('user_id', '=', user_id).execute()
