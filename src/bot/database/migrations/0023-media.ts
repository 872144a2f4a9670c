import { type Kysely, sql } from 'kysely'

/** Keeps pictures and videos, so that every instance can serve them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.media_file (
    id uuid primary key default gen_random_uuid(),
    team_id text not null,
    content_type text not null,
    -- Null until the whole file is stored.
    hash text,
    size integer not null default 0,
    width integer,
    height integer,
    created_at timestamptz not null,
    unique (team_id, hash)
  )`,
  `create table upnext.media_chunk (
    file_id uuid not null references upnext.media_file on delete cascade,
    position integer not null,
    bytes bytea not null,
    primary key (file_id, position)
  )`,
  // Pictures and videos are compressed already.
  'alter table upnext.media_chunk alter column bytes set storage external',
  `create table upnext.media_upload (
    name text primary key,
    file_id uuid not null references upnext.media_file,
    team_id text not null,
    user_id text not null,
    file_name text not null,
    alt_text text,
    uploaded_at timestamptz not null
  )`,
  'create index on upnext.media_upload (file_id)',
  'create index on upnext.media_upload (team_id, user_id, uploaded_at)',
]
