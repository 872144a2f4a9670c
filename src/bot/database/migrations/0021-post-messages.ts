import { type Kysely, sql } from 'kysely'

/** Remembers which messages show a post, so that they can be kept current. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.post_message (
    team_id text not null,
    project_id text not null,
    post_id text not null,
    channel_id text not null,
    ts text not null,
    posted_by text not null,
    comment text,
    posted_at timestamptz not null,
    primary key (channel_id, ts)
  )`,
  'create index on upnext.post_message (team_id, project_id, post_id)',
  'create index on upnext.post_message (posted_at)',
]
