import { sql } from 'kysely'
import { selectRows } from '../../database/queries.ts'
import type { Db } from '../../database/tables.ts'
import type { OutboxItem } from '../../outbox/tables.ts'

/** The instances that are connected to the database now, such as "upnext 0.2.0 host:42". */
export async function listInstances(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'upnext %:%'
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

const MAX_ITEMS = 500

/** Submissions that the service hasn't confirmed yet, the oldest first. */
export const listUnsentItems = (db: Db, team_id: string): Promise<OutboxItem[]> =>
  selectRows(db, 'outbox_item', { team_id })
    .where((eb) =>
      eb.or([
        eb('needs_answer', '=', true),
        eb.and([eb('state', 'in', ['uploading', 'queued', 'unconfirmed']), eb('finished_at', 'is', null)]),
      ]),
    )
    .orderBy('accepted_at')
    .limit(MAX_ITEMS)
    .execute()
