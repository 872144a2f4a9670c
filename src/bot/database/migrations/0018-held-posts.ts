import { type Kysely, sql } from 'kysely'

/** Adds posts that wait in Upnext because their service can't change posts, and the channels where that is the default. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.held_post (
    id uuid primary key,
    view_id text not null unique,
    team_id text not null,
    user_id text not null,
    user_team_id text not null,
    channel_id text,
    project_id text not null,
    project_name text not null,
    body jsonb not null,
    scheduled_at timestamptz not null,
    hand_over_at timestamptz not null,
    version integer not null default 1,
    held_at timestamptz not null
  )`,
  'create index on upnext.held_post (team_id, project_id, scheduled_at)',
  'create index on upnext.held_post (hand_over_at)',
  'alter table upnext.outbox_item drop constraint outbox_item_state_check',
  `alter table upnext.outbox_item
    add check (state in ('queued', 'unconfirmed', 'sent', 'refused', 'missed', 'expired'))`,
  'alter table upnext.outbox_item add column was_held boolean not null default false',
  `create table upnext.holding_channel (
    team_id text not null,
    channel_id text not null,
    primary key (team_id, channel_id)
  )`,
]
