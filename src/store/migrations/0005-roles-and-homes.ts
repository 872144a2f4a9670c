import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
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
