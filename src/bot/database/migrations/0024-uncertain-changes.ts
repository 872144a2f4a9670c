import { type Kysely, sql } from 'kysely'

/** Remembers until when a change without a result may still take effect. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table upnext.post_message add column uncertain_until timestamptz').execute(db)
}
