import { type Kysely, sql } from 'kysely'

/**
 * Each request waits until it is recorded here, so this table isn't written to disk at once. A crash of the database
 * empties it: a request of the last five minutes could then be repeated by someone who recorded it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.received_request set unlogged`.execute(db)
}
