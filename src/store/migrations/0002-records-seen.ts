import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
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
