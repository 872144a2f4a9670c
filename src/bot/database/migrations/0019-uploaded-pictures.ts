import { type Kysely, sql } from 'kysely'

/** Remembers which pictures Slack has, so that the same picture isn't uploaded again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.uploaded_picture (
    team_id text not null,
    hash text not null,
    file_id text not null,
    ready_at timestamptz not null,
    primary key (team_id, hash)
  )`.execute(db)
}
