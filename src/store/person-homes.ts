import type { Db, Tables } from './tables.ts'

type Person = { team_id: string; user_id: string }

export const findPersonHome = (db: Db, { team_id, user_id }: Person) =>
  db
    .selectFrom('person_home')
    .select('shown')
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()

export const setPersonHome = (db: Db, row: Tables['person_home']): Promise<unknown> =>
  db
    .insertInto('person_home')
    .values(row)
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doUpdateSet({ shown: row.shown }))
    .execute()
