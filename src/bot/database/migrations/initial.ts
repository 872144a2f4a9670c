import { type Migration, sql } from 'kysely'

// Migrations never change and import no application code, so databases are identical whenever they were created.

const runInOrder = (...statements: string[]): Migration => ({
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

export const initialMigrations = {
  '0001-projects': runInOrder(
    `create table upnext.channel_project (
      team_id text not null,
      channel_id text not null,
      project_id text not null,
      set_by text not null,
      set_at timestamptz not null,
      primary key (team_id, channel_id)
    )`,
    `create table upnext.person_project (
      team_id text not null,
      user_id text not null,
      project_id text not null,
      used_at timestamptz not null,
      primary key (team_id, user_id)
    )`,
  ),
  '0002-records-seen': runInOrder(
    `create table upnext.record_seen (
      team_id text not null,
      project_id text not null,
      kind text not null check (kind in ('user', 'prompt')),
      record_id text not null,
      name text not null,
      seen_at timestamptz not null,
      primary key (team_id, project_id, kind, record_id)
    )`,
  ),
  '0003-submissions': runInOrder(
    `create table upnext.submission (
      view_id text primary key,
      claimed_at timestamptz not null,
      is_settled boolean not null default false
    )`,
    `create index submission_claimed_at on upnext.submission (claimed_at)`,
  ),
  '0004-person-zones': runInOrder(
    `create table upnext.person_zone (
      team_id text not null,
      user_id text not null,
      zone text not null,
      primary key (team_id, user_id)
    )`,
  ),
  '0005-roles-and-homes': runInOrder(
    `alter table upnext.record_seen drop constraint record_seen_kind_check`,
    `alter table upnext.record_seen
      add check (kind in ('user', 'prompt', 'role', 'status'))`,
    `create table upnext.person_home (
      team_id text not null,
      user_id text not null,
      shown text not null,
      primary key (team_id, user_id)
    )`,
  ),
  '0006-outbox': runInOrder(
    `create table upnext.outbox_item (
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
    )`,
    // Every instance asks for due items each second. A user's items are sent in the order of `seq`.
    `create index on upnext.outbox_item (due_at) where state in ('waiting', 'unclear') or is_untold`,
    `create index on upnext.outbox_item (team_id, user_id, seq)`,
    // A record belongs to one item.
    `create unique index on upnext.outbox_item (project_id, verb, record_id) where record_id is not null`,
    `create index on upnext.outbox_item (ended_at) where entries is not null`,
  ),
  '0007-digests': runInOrder(
    `create table upnext.digest (
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
    )`,
    `create index on upnext.digest (next_at) where paused_for is null`,
    `create index on upnext.digest (team_id, channel_id)`,
    // One run for each digest and local day, whichever instance plans it.
    `create table upnext.digest_run (
      digest_id uuid not null references upnext.digest (id) on delete cascade,
      day text not null,
      due_at timestamptz not null,
      state text not null check (state in ('planned', 'intended', 'handed over', 'skipped', 'unclear')),
      post_at timestamptz,
      message_id text,
      intended_at timestamptz,
      leased_until timestamptz,
      primary key (digest_id, day)
    )`,
    `create index on upnext.digest_run (due_at) where state in ('planned', 'intended')`,
  ),
  '0008-digest-forms': runInOrder(
    `alter table upnext.digest
      add column includes text[] not null default '{coming,published,drafts,wrong,picture}',
      add column if_empty text not null default 'say' check (if_empty in ('say', 'skip')),
      add column is_untold boolean not null default false,
      add column tell_at timestamptz`,
    // Earlier versions allowed the same digest twice.
    `delete from upnext.digest one using upnext.digest other
      where one.team_id = other.team_id and one.channel_id = other.channel_id and one.project_id = other.project_id
        and one.rhythm = other.rhythm and (one.set_at, one.id) > (other.set_at, other.id)`,
    `create unique index digest_is_one on upnext.digest (team_id, channel_id, project_id, rhythm)`,
    `create index on upnext.digest (tell_at) where is_untold`,
    `alter table upnext.digest_run
      add column id uuid not null default gen_random_uuid() unique,
      add column channel_id text,
      add column again_at timestamptz,
      add column limited_until timestamptz,
      add column told_until timestamptz,
      add column problem text`,
    // To count how many messages of a workspace went to Slack in the last minute.
    `create index on upnext.digest_run (intended_at)`,
    // A row outlives its run and its digest.
    `create table upnext.digest_unwanted (
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
    )`,
    `create index on upnext.digest_unwanted (again_at)`,
    `create table upnext.digest_note (
      id uuid primary key default gen_random_uuid(),
      channel_id text not null,
      project_name text not null,
      set_by text not null,
      say text not null,
      noted_at timestamptz not null,
      tell_at timestamptz not null
    )`,
    `create index on upnext.digest_note (tell_at)`,
    `create table upnext.digest_content (
      id uuid primary key,
      content jsonb not null,
      kept_at timestamptz not null
    )`,
    `create index on upnext.digest_content (kept_at)`,
  ),
}
