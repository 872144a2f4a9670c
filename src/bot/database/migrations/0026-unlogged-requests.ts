import { type Kysely, sql } from 'kysely'

/**
 * Handling a request waits for the insert of its signature, so the insert skips the write-ahead log. A crash or failover
 * of the database empties the table: an attacker with a copy of a request could then repeat it until it is five minutes
 * old.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.received_request set unlogged`.execute(db)
}
