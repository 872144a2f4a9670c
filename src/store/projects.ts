import type { Db } from './tables.ts'

type Channel = { team_id: string; channel_id: string }
type Person = { team_id: string; user_id: string }

export const findChannelProject = (db: Db, { team_id, channel_id }: Channel) =>
  db
    .selectFrom('channel_project')
    .select(['project_id', 'set_by', 'set_at'])
    .where('team_id', '=', team_id)
    .where('channel_id', '=', channel_id)
    .executeTakeFirst()

export const setChannelProject = (
  db: Db,
  row: Channel & { project_id: string; set_by: string; set_at: Date },
): Promise<unknown> =>
  db
    .insertInto('channel_project')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'channel_id']).doUpdateSet({
        project_id: row.project_id,
        set_by: row.set_by,
        set_at: row.set_at,
      }),
    )
    .execute()

export const findPersonProject = (db: Db, { team_id, user_id }: Person) =>
  db
    .selectFrom('person_project')
    .select('project_id')
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()

export const setPersonProject = (
  db: Db,
  row: Person & { project_id: string; used_at: Date },
): Promise<unknown> =>
  db
    .insertInto('person_project')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'user_id'])
        .doUpdateSet({ project_id: row.project_id, used_at: row.used_at }),
    )
    .execute()
