import { type Kysely, sql } from 'kysely'

/** Lets forms wait in the outbox until their file is uploaded, and forms that change a post wait there, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'alter table upnext.outbox_item drop constraint outbox_item_state_check',
  `alter table upnext.outbox_item
    add check (state in ('uploading', 'queued', 'unconfirmed', 'sent', 'refused', 'missed', 'expired'))`,
  `alter table upnext.outbox_item
    add column slack_file jsonb,
    add column opened_post jsonb,
    add column progress_channel text,
    add column progress_ts text,
    add column warnings text`,
  `create index on upnext.outbox_item (due_at) where state = 'uploading'`,
  'alter table upnext.media_file add column seconds double precision, add column thumbnail bytea',
  `alter table upnext.media_upload
    add column slack_file_id text,
    add column last_used_at timestamptz`,
  `create table upnext.media_check (
    team_id text primary key,
    checked_at timestamptz not null
  )`,
]
