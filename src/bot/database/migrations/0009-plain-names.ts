import { type Kysely, sql } from 'kysely'

/** Renames tables, columns and states, and moves all pending notifications into one table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table upnext.channel_project rename column set_by to linked_by`,
  `alter table upnext.channel_project rename column set_at to linked_at`,
  `alter table upnext.person_project rename to user_project`,
  `alter table upnext.person_zone rename to user_time_zone`,
  `alter table upnext.person_home rename to user_home`,
  `alter table upnext.user_home rename column shown to content_hash`,
  `alter table upnext.record_seen rename to known_record`,
  `alter table upnext.known_record rename column seen_at to last_seen_at`,

  `create table upnext.notification (
    id uuid primary key default gen_random_uuid(),
    user_id text not null,
    item_id uuid unique references upnext.outbox_item (id) on delete cascade,
    digest_id uuid references upnext.digest (id) on delete cascade,
    digest_label text,
    message text,
    created_at timestamptz not null,
    due_at timestamptz not null,
    check ((item_id is null) = (message is not null))
  )`,
  `create index on upnext.notification (due_at)`,
  `create index on upnext.notification (digest_id) where digest_id is not null`,
  `insert into upnext.notification (user_id, item_id, created_at, due_at)
    select user_id, id, coalesce(ended_at, accepted_at), coalesce(due_at, accepted_at)
    from upnext.outbox_item where is_untold`,
  `insert into upnext.notification (user_id, digest_label, message, created_at, due_at)
    select set_by, project_name || ' in <#' || channel_id || '>', say, noted_at, tell_at from upnext.digest_note`,
  `insert into upnext.notification (user_id, digest_id, digest_label, message, created_at, due_at)
    select set_by, id, project_name || ' in <#' || channel_id || '>',
      'paused because Slack no longer accepts its messages. To start again, use \`/upnext digest resume\` in the channel.',
      tell_at, tell_at
    from upnext.digest where is_untold and paused_for is not null`,
  `drop table upnext.digest_note`,

  `alter table upnext.outbox_item drop column is_untold`,
  // `data` was the service's payload, and `record` has the contract's field names, as `body` does.
  `update upnext.outbox_item set data = coalesce(body, '{}'::jsonb)
      || case when record_id is null then '{}'::jsonb else jsonb_build_object('Id', record_id) end
    where state = 'settled' and data is not null`,
  `alter table upnext.outbox_item drop constraint outbox_item_state_check`,
  `update upnext.outbox_item set
    state = case state when 'waiting' then 'queued' when 'unclear' then 'unconfirmed' when 'settled' then 'sent'
      when 'given up' then 'expired' else state end,
    failure = replace(replace(replace(replace(replace(replace(failure::text,
      '"kind": "too-many"', '"kind": "rate-limited"'), '"kind": "broken"', '"kind": "server-error"'),
      '"kind": "refused"', '"kind": "rejected"'), '"kind": "failed"', '"kind": "unsuccessful"'),
      '"why":', '"cause":'), '"said":', '"message":')::jsonb`,
  `alter table upnext.outbox_item
    add check (state in ('queued', 'unconfirmed', 'sent', 'refused', 'expired'))`,
  `alter table upnext.outbox_item rename column verb to form`,
  `alter table upnext.outbox_item rename column entries to form_values`,
  `alter table upnext.outbox_item rename column is_telling to notify_channel`,
  `alter table upnext.outbox_item rename column is_asked to needs_answer`,
  `alter table upnext.outbox_item rename column called_at to attempted_at`,
  `alter table upnext.outbox_item rename column tries to attempts`,
  `alter table upnext.outbox_item rename column is_found to found_by_lookup`,
  `alter table upnext.outbox_item rename column data to record`,
  `alter table upnext.outbox_item rename column ended_at to finished_at`,
  `create index on upnext.outbox_item (due_at) where state in ('queued', 'unconfirmed')`,

  `alter table upnext.digest drop column is_untold, drop column tell_at`,
  `alter table upnext.digest rename column rhythm to recurrence`,
  `alter table upnext.digest rename column set_by to owner_id`,
  `alter table upnext.digest rename column set_at to created_at`,
  `alter table upnext.digest rename column paused_for to paused_reason`,
  `alter table upnext.digest rename column includes to sections`,
  `alter table upnext.digest rename column if_empty to when_empty`,
  `alter table upnext.digest drop constraint digest_if_empty_check`,
  `update upnext.digest set
    paused_reason = case paused_reason when 'asked' then 'user_request' else paused_reason end,
    when_empty = case when_empty when 'say' then 'post' else when_empty end,
    sections = array_replace(array_replace(array_replace(sections,
      'coming', 'upcoming'), 'wrong', 'problems'), 'picture', 'chart')`,
  `alter table upnext.digest alter column when_empty drop default, alter column sections drop default,
    add check (when_empty in ('post', 'skip'))`,

  `alter table upnext.digest_run drop constraint digest_run_state_check`,
  `update upnext.digest_run set state = case state when 'intended' then 'scheduling'
    when 'handed over' then 'scheduled' when 'unclear' then 'unconfirmed' else state end`,
  `alter table upnext.digest_run
    add check (state in ('planned', 'scheduling', 'scheduled', 'skipped', 'unconfirmed'))`,
  `alter table upnext.digest_run rename column intended_at to requested_at`,
  `alter table upnext.digest_run rename column again_at to retry_at`,
  `alter table upnext.digest_run rename column limited_until to rate_limited_until`,
  `alter table upnext.digest_run rename column told_until to covered_until`,
  `drop index upnext.digest_run_due_at_idx`,
  `create index on upnext.digest_run (due_at) where state in ('planned', 'scheduling')`,

  `alter table upnext.digest_unwanted rename to digest_cancellation`,
  `alter table upnext.digest_cancellation rename column set_by to owner_id`,
  `alter table upnext.digest_cancellation rename column intended_at to requested_at`,
  `alter table upnext.digest_cancellation rename column again_at to retry_at`,

  `alter table upnext.digest_content rename column kept_at to created_at`,
  // Buttons in older messages name the sections by their old names, so older digests can no longer be expanded.
  `delete from upnext.digest_content`,

  // The bot's earlier job queue.
  `drop schema if exists upnext_jobs cascade`,
]
