import { sql } from 'kysely'
import type { Db, SeenKind } from './tables.ts'

type Place = { team_id: string; project_id: string; kind: SeenKind }

export type RecordSeen = Place & { record_id: string; name: string; seen_at: Date }

/** The service has no list of these: what went through this bot is remembered. */
export const saveRecordSeen = (
  db: Db,
  { team_id, project_id, kind, record_id, name, seen_at }: RecordSeen,
): Promise<unknown> =>
  db
    .insertInto('record_seen')
    .values({ team_id, project_id, kind, record_id, name, seen_at })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'project_id', 'kind', 'record_id']).doUpdateSet({ name, seen_at }),
    )
    .execute()

/** People keep their names, and those who have none their ids: their e-mails go. */
export const forgetEmails = (db: Db, before: Date): Promise<unknown> =>
  db
    .updateTable('record_seen')
    .set({ name: sql`case when name like '% · %' then split_part(name, ' · ', 1) else record_id end` })
    .where('kind', '=', 'user')
    .where('seen_at', '<', before)
    .where('name', 'like', '%@%')
    .execute()

const MOST = 500

/** The latest first. */
export const listRecordsSeen = (db: Db, { team_id, project_id, kind }: Place) =>
  db
    .selectFrom('record_seen')
    .select(['record_id', 'name'])
    .where('team_id', '=', team_id)
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .orderBy('seen_at', 'desc')
    .limit(MOST)
    .execute()
