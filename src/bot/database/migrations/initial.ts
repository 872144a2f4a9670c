import { type Kysely, type Migration, sql } from 'kysely'

// Migrations never change and import no application code, so databases are identical whenever they were created.

export const initialMigrations: Record<string, Migration> = {
  '0001-projects': { up: createProjects },
  '0002-records-seen': { up: createRecordsSeen },
  '0003-submissions': { up: createSubmissions },
  '0004-person-zones': { up: createPersonZones },
  '0005-roles-and-homes': { up: createRolesAndHomes },
  '0006-outbox': { up: createOutbox },
  '0007-digests': { up: createDigests },
  '0008-digest-forms': { up: createDigestForms },
}

async function createProjects(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.channel_project (
    team_id text not null,
    channel_id text not null,
    project_id text not null,
    set_by text not null,
    set_at timestamptz not null,
    primary key (team_id, channel_id)
  )`.execute(db)
  await sql`create table upnext.person_project (
    team_id text not null,
    user_id text not null,
    project_id text not null,
    used_at timestamptz not null,
    primary key (team_id, user_id)
  )`.execute(db)
}

async function createRecordsSeen(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.record_seen (
    team_id text not null,
    project_id text not null,
    kind text not null check (kind in ('user', 'prompt')),
    record_id text not null,
    name text not null,
    seen_at timestamptz not null,
    primary key (team_id, project_id, kind, record_id)
  )`.execute(db)
}

async function createSubmissions(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.submission (
    view_id text primary key,
    claimed_at timestamptz not null,
    is_settled boolean not null default false
  )`.execute(db)
  await sql`create index submission_claimed_at on upnext.submission (claimed_at)`.execute(db)
}

async function createPersonZones(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.person_zone (
    team_id text not null,
    user_id text not null,
    zone text not null,
    primary key (team_id, user_id)
  )`.execute(db)
}

async function createRolesAndHomes(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.record_seen drop constraint record_seen_kind_check`.execute(db)
  await sql`alter table upnext.record_seen
    add check (kind in ('user', 'prompt', 'role', 'status'))`.execute(db)
  await sql`create table upnext.person_home (
    team_id text not null,
    user_id text not null,
    shown text not null,
    primary key (team_id, user_id)
  )`.execute(db)
}

async function createOutbox(db: Kysely<unknown>): Promise<void> {
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
  // Every instance asks for due items each second. A user's items are sent in the order of `seq`.
  await sql`create index on upnext.outbox_item (due_at) where state in ('waiting', 'unclear') or is_untold`.execute(
    db,
  )
  await sql`create index on upnext.outbox_item (team_id, user_id, seq)`.execute(db)
  // A record belongs to one item.
  await sql`create unique index on upnext.outbox_item (project_id, verb, record_id) where record_id is not null`.execute(
    db,
  )
  await sql`create index on upnext.outbox_item (ended_at) where entries is not null`.execute(db)
}

async function createDigests(db: Kysely<unknown>): Promise<void> {
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
  // One run for each digest and local day, whichever instance plans it.
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

async function createDigestForms(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upnext.digest
    add column includes text[] not null default '{coming,published,drafts,wrong,picture}',
    add column if_empty text not null default 'say' check (if_empty in ('say', 'skip')),
    add column is_untold boolean not null default false,
    add column tell_at timestamptz`.execute(db)
  // Earlier versions allowed the same digest twice.
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
  // To count how many messages of a workspace went to Slack in the last minute.
  await sql`create index on upnext.digest_run (intended_at)`.execute(db)
  // A row outlives its run and its digest.
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
