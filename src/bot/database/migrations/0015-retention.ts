import { type Kysely, sql } from 'kysely'

/** Everything that names a user can be deleted after a time without use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.user_settings add column saved_at timestamptz not null default now()`.execute(
    db,
  )
  await sql`alter table upnext.channel_project alter column linked_by drop not null`.execute(db)
}
