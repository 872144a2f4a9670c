import type { Db } from './tables.ts'

type Person = { team_id: string; user_id: string }

export const findPersonZone = (db: Db, { team_id, user_id }: Person) =>
  db
    .selectFrom('person_zone')
    .select('zone')
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()

export const setPersonZone = (db: Db, { team_id, user_id }: Person, zone: string): Promise<unknown> =>
  db
    .insertInto('person_zone')
    .values({ team_id, user_id, zone })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ zone }))
    .execute()

export const forgetPersonZone = (db: Db, { team_id, user_id }: Person): Promise<unknown> =>
  db.deleteFrom('person_zone').where('team_id', '=', team_id).where('user_id', '=', user_id).execute()
