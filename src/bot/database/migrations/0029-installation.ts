import { type Kysely, sql } from 'kysely'

/** The local Slack's demo workspace, to which a database never belongs. */
const DEMO_WORKSPACE = 'T000000001'

/** Adds the workspace to which the database belongs: the one whose data it has. With several, the next start decides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table upnext.installation (
    only_row boolean primary key default true check (only_row),
    team_id text not null
  )`.execute(db)
  await sql`insert into upnext.installation (team_id)
    select min(team_id) from (
      select team_id from upnext.digest
      union select team_id from upnext.outbox_item
      union select team_id from upnext.held_post
    ) as workspace
    where team_id <> ${DEMO_WORKSPACE}
    having count(*) = 1`.execute(db)
}
