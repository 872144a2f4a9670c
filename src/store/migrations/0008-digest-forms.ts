import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.digest
    add column includes text[] not null default '{coming,published,drafts,wrong,picture}',
    add column if_empty text not null default 'say' check (if_empty in ('say', 'skip')),
    add column is_untold boolean not null default false,
    add column tell_at timestamptz`.execute(db)
  // The same one could be set up twice.
  await sql`delete from upnext.digest one using upnext.digest other
    where one.team_id = other.team_id and one.channel_id = other.channel_id and one.project_id = other.project_id
      and one.rhythm = other.rhythm and (one.set_at, one.id) > (other.set_at, other.id)`.execute(db)
  await sql`create unique index digest_is_one on upnext.digest (team_id, channel_id, project_id, rhythm)`.execute(
    db,
  )
  await sql`create index on upnext.digest (tell_at) where is_untold`.execute(db)
  await sql`alter table upnext.digest_run
    add column id uuid not null default gen_random_uuid() unique,
    add column channel_id text,
    add column again_at timestamptz,
    add column limited_until timestamptz,
    add column told_until timestamptz,
    add column problem text`.execute(db)
  // How many of a workspace's were handed over in the last minute.
  await sql`create index on upnext.digest_run (intended_at)`.execute(db)
  // It outlives its run, and its digest.
  await sql`create table upnext.digest_unwanted (
    run_id uuid primary key,
    digest_id uuid not null,
    day text not null,
    channel_id text not null,
    project_name text not null,
    set_by text not null,
    message_id text,
    intended_at timestamptz not null,
    post_at timestamptz not null,
    again_at timestamptz not null
  )`.execute(db)
  await sql`create index on upnext.digest_unwanted (again_at)`.execute(db)
  // What somebody is to be told of a digest of theirs, until it has reached them.
  await sql`create table upnext.digest_note (
    id uuid primary key default gen_random_uuid(),
    channel_id text not null,
    project_name text not null,
    set_by text not null,
    say text not null,
    noted_at timestamptz not null,
    tell_at timestamptz not null
  )`.execute(db)
  await sql`create index on upnext.digest_note (tell_at)`.execute(db)
  await sql`create table upnext.digest_content (
    id uuid primary key,
    content jsonb not null,
    kept_at timestamptz not null
  )`.execute(db)
  await sql`create index on upnext.digest_content (kept_at)`.execute(db)
}
