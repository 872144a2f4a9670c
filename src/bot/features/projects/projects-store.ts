import type { Insertable } from 'kysely'
import { saveRow, selectRows } from '../../database/queries.ts'
import type { Db, Tables } from '../../database/tables.ts'
import type { Choice } from '../../slack/message-blocks.ts'
import type { KnownRecordKey } from './tables.ts'

export const saveKnownRecord = (db: Db, record: Insertable<Tables['known_record']>): Promise<unknown> =>
  saveRow(db, 'known_record', ['team_id', 'project_id', 'kind', 'record_id'], record)

const MAX_KNOWN_RECORDS = 500

/** Lists the known records of a kind, the most recently seen first. */
export async function listKnownRecords(
  db: Db,
  { team_id, project_id, kind }: KnownRecordKey,
): Promise<Choice[]> {
  const records = await selectRows(db, 'known_record', { team_id, project_id, kind })
    .orderBy('last_seen_at', 'desc')
    .limit(MAX_KNOWN_RECORDS)
    .execute()
  return records.map(({ record_id, name, email }) => ({
    value: record_id,
    label: [name, email].filter(Boolean).join(' · ') || record_id,
  }))
}
