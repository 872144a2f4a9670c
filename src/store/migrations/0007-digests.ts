import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.digest (
    id uuid primary key,
    team_id text not null,
    channel_id text not null,
    project_id text not null,
    project_name text not null,
    rhythm jsonb not null,
    set_by text not null,
    set_at timestamptz not null,
    paused_for text,
    next_at timestamptz not null
  )`.execute(db)
  await sql`create index on upnext.digest (next_at) where paused_for is null`.execute(db)
  await sql`create index on upnext.digest (team_id, channel_id)`.execute(db)
  // One for each digest and local day, whoever thinks of it.
  await sql`create table upnext.digest_run (
    digest_id uuid not null references upnext.digest (id) on delete cascade,
    day text not null,
    due_at timestamptz not null,
    state text not null check (state in ('planned', 'intended', 'handed over', 'skipped', 'unclear')),
    post_at timestamptz,
    message_id text,
    intended_at timestamptz,
    leased_until timestamptz,
    primary key (digest_id, day)
  )`.execute(db)
  await sql`create index on upnext.digest_run (due_at) where state in ('planned', 'intended')`.execute(db)
}
