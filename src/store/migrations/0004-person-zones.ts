import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.person_zone (
    team_id text not null,
    user_id text not null,
    zone text not null,
    primary key (team_id, user_id)
  )`.execute(db)
}
