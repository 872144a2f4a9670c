import { type Kysely, sql } from 'kysely'

/** Remembers forms whose warnings the user is asked to confirm. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.open_form add column submitted_view jsonb`.execute(db)
}
