import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.submission (
    view_id text primary key,
    claimed_at timestamptz not null,
    is_settled boolean not null default false
  )`.execute(db)
  await sql`create index submission_claimed_at on upnext.submission (claimed_at)`.execute(db)
}
