import { sql } from 'kysely'
import type { ChannelKey, Db, KnownRecordKey, Tables } from '../database/tables.ts'

export const findChannelProject = (db: Db, { team_id, channel_id }: ChannelKey) =>
  db
    .selectFrom('channel_project')
    .select(['project_id', 'linked_by'])
    .where((eb) => eb.and({ team_id, channel_id }))
    .executeTakeFirst()

export const linkChannelProject = (db: Db, link: Tables['channel_project']): Promise<unknown> =>
  db
    .insertInto('channel_project')
    .values(link)
    .onConflict((conflict) => conflict.columns(['team_id', 'channel_id']).doUpdateSet(link))
    .execute()

export const saveKnownRecord = (db: Db, record: Tables['known_record']): Promise<unknown> =>
  db
    .insertInto('known_record')
    .values(record)
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'project_id', 'kind', 'record_id']).doUpdateSet(record),
    )
    .execute()

const MAX_KNOWN_RECORDS = 500

/** The latest come first. */
export const listKnownRecords = (db: Db, { team_id, project_id, kind }: KnownRecordKey) =>
  db
    .selectFrom('known_record')
    .select(['record_id as value', 'name as label'])
    .where((eb) => eb.and({ team_id, project_id, kind }))
    .orderBy('last_seen_at', 'desc')
    .limit(MAX_KNOWN_RECORDS)
    .execute()

/** Removes email addresses from the names of known users. A user without a name is then listed by id. */
export const eraseEmails = (db: Db, lastSeenBefore: Date): Promise<unknown> =>
  db
    .updateTable('known_record')
    .set({ name: sql`case when name like '% · %' then split_part(name, ' · ', 1) else record_id end` })
    .where('kind', '=', 'user')
    .where('last_seen_at', '<', lastSeenBefore)
    .where('name', 'like', '%@%')
    .execute()
