import { type Kysely, sql } from 'kysely'

/** Remembers when a lookup first didn't find a record, because a service may list it later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.outbox_item add column absent_since timestamptz`.execute(db)
}
