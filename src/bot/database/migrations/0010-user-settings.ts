import { type Kysely, sql } from 'kysely'

/** Moves what the bot stores about a user into one table, escapes the labels of pending notifications, and lets unanswered items expire. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.user_settings (
    team_id text not null,
    user_id text not null,
    project_id text,
    zone text,
    home_hash text,
    primary key (team_id, user_id)
  )`,
  `insert into upnext.user_settings (team_id, user_id, project_id, zone, home_hash)
    select team_id, user_id, project_id, zone, content_hash
    from upnext.user_project
      full join upnext.user_time_zone using (team_id, user_id)
      full join upnext.user_home using (team_id, user_id)`,
  `drop table upnext.user_project, upnext.user_time_zone, upnext.user_home`,
  // A month after this time, what the user entered is erased, even if the item still needs an answer.
  `update upnext.outbox_item set finished_at = accepted_at where needs_answer and finished_at is null`,
  // A label is a project's name followed by " in <#C123>". Only the name is escaped.
  `update upnext.notification set digest_label =
    replace(replace(replace(left(digest_label, -length(channel)), '&', '&amp;'), '<', '&lt;'), '>', '&gt;') || channel
    from (select id, substring(digest_label from ' in <#\\w+>$') as channel from upnext.notification) label
    where label.id = notification.id and channel is not null`,
]
