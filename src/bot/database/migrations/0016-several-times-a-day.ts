import { type Kysely, sql } from 'kysely'

/** Gives each recurrence a list of times. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update upnext.digest
    set recurrence = (recurrence - 'clock') || jsonb_build_object('clocks', jsonb_build_array(recurrence -> 'clock'))
    where recurrence ? 'clock'`.execute(db)
}
