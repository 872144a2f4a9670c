import { type Kysely, sql } from 'kysely'

/** Adds the workspace to which the database belongs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.installation (
    only_row boolean primary key default true check (only_row),
    team_id text not null
  )`.execute(db)
}
