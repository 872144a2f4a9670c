import { type Kysely, sql } from 'kysely'

/** Adds the workspace to the tables that lack it, so that a workspace's data can be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

/** Until now, an instance has had one workspace, so any row of the user tells which one. */
const workspaceOf = (user: string) => `coalesce(
  (select digest.team_id from upnext.digest where digest.owner_id = ${user} limit 1),
  (select user_settings.team_id from upnext.user_settings where user_settings.user_id = ${user} limit 1),
  ''
)`

const STATEMENTS = [
  'alter table upnext.notification add column team_id text',
  `update upnext.notification set team_id = outbox_item.team_id
    from upnext.outbox_item where outbox_item.id = notification.item_id`,
  `update upnext.notification set team_id = ${workspaceOf('notification.user_id')} where team_id is null`,
  'alter table upnext.notification alter column team_id set not null',
  'alter table upnext.digest_cancellation add column team_id text',
  `update upnext.digest_cancellation set team_id = ${workspaceOf('digest_cancellation.owner_id')}`,
  'alter table upnext.digest_cancellation alter column team_id set not null',
  // Older rows stay without one. They are deleted after a month.
  'alter table upnext.digest_content add column team_id text',
]
