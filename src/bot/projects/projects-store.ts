import type { Insertable } from 'kysely'
import type { ChannelKey, Db, KnownRecordKey, Tables } from '../database/tables.ts'
import type { Choice } from '../form/form-value.ts'

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

/** Forgets who linked each channel. The channel keeps its project. */
export const eraseLinkAuthors = (db: Db, linkedBefore: Date): Promise<unknown> =>
  db
    .updateTable('channel_project')
    .set({ linked_by: null })
    .where('linked_at', '<', linkedBefore)
    .where('linked_by', 'is not', null)
    .execute()

export const saveKnownRecord = (db: Db, record: Insertable<Tables['known_record']>): Promise<unknown> =>
  db
    .insertInto('known_record')
    .values(record)
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'project_id', 'kind', 'record_id']).doUpdateSet(record),
    )
    .execute()

const MAX_KNOWN_RECORDS = 500

/** The latest come first. */
export async function listKnownRecords(
  db: Db,
  { team_id, project_id, kind }: KnownRecordKey,
): Promise<Choice[]> {
  const records = await db
    .selectFrom('known_record')
    .select(['record_id', 'name', 'email'])
    .where((eb) => eb.and({ team_id, project_id, kind }))
    .orderBy('last_seen_at', 'desc')
    .limit(MAX_KNOWN_RECORDS)
    .execute()
  return records.map(({ record_id, name, email }) => ({
    value: record_id,
    label: [name, email].filter(Boolean).join(' · ') || record_id,
  }))
}

/** A user without a name is then listed by id. */
export const eraseEmails = (db: Db, lastSeenBefore: Date): Promise<unknown> =>
  db
    .updateTable('known_record')
    .set({ email: null })
    .where('email', 'is not', null)
    .where('last_seen_at', '<', lastSeenBefore)
    .execute()

export const deleteKnownRecords = (db: Db, lastSeenBefore: Date): Promise<unknown> =>
  db.deleteFrom('known_record').where('last_seen_at', '<', lastSeenBefore).execute()
