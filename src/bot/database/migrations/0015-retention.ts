import { type Kysely, sql } from 'kysely'

/** Adds what the cleanup needs to erase user ids, and the workspace of the user to outbox items. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.user_settings add column saved_at timestamptz not null default now()`.execute(
    db,
  )
  await sql`alter table upnext.channel_project alter column linked_by drop not null`.execute(db)
  await sql`alter table upnext.outbox_item add column user_team_id text`.execute(db)
}
