import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
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
