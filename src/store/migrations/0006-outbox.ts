import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.outbox_item (
    id uuid primary key,
    seq bigint generated always as identity,
    view_id text not null unique,
    team_id text not null,
    user_id text not null,
    channel_id text,
    verb text not null,
    project_id text not null,
    project_name text not null,
    entries jsonb,
    body jsonb,
    is_telling boolean not null,
    state text not null check (state in ('waiting', 'unclear', 'settled', 'refused', 'given up')),
    is_asked boolean not null default false,
    accepted_at timestamptz not null,
    called_at timestamptz,
    due_at timestamptz,
    leased_until timestamptz,
    tries integer not null default 0,
    record_id text,
    is_found boolean not null default false,
    failure jsonb,
    data jsonb,
    is_untold boolean not null default false,
    ended_at timestamptz
  )`.execute(db)
  // What is to be done next is looked for every other second; of one person, in the order in which it came.
  await sql`create index on upnext.outbox_item (due_at) where state in ('waiting', 'unclear') or is_untold`.execute(
    db,
  )
  await sql`create index on upnext.outbox_item (team_id, user_id, seq)`.execute(db)
  // What was made is one item's.
  await sql`create unique index on upnext.outbox_item (project_id, verb, record_id) where record_id is not null`.execute(
    db,
  )
  await sql`create index on upnext.outbox_item (ended_at) where entries is not null`.execute(db)
}
