import { type Kysely, sql } from 'kysely'

/** Remembers what users entered in open forms: Slack doesn't send it when a form is closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.open_form (
    view_id text primary key,
    team_id text not null,
    user_id text not null,
    form text not null,
    form_values jsonb not null,
    action_ts text not null,
    updated_at timestamptz,
    view_hash text,
    saved_at timestamptz not null
  )`,
  'create index on upnext.open_form (team_id, user_id, form, saved_at)',
  'create index on upnext.open_form (saved_at)',
]
