import { type Kysely, sql } from 'kysely'

/** Adds the audit trail, whose entries only a function can delete, and the workspaces that removed the app. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table upnext.uninstallation (
    team_id text primary key,
    uninstalled_at timestamptz not null default now(),
    is_confirmed boolean not null default false
  )`,
  `create table upnext.audit_entry (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    team_id text not null,
    user_id text not null,
    user_team_id text not null,
    action text not null,
    project_id text,
    target text,
    detail text,
    outcome text not null,
    request_id text not null
  )`,
  'create index on upnext.audit_entry (team_id, id)',
  'create index on upnext.audit_entry (team_id, target, id)',
  'create index on upnext.audit_entry (request_id)',
  'create index on upnext.audit_entry (at)',
  // A row of its own, so that the role that only adds entries can't shorten the retention.
  `create table upnext.audit_retention (
    only_row boolean primary key default true check (only_row),
    days integer not null,
    days_after_uninstallation integer not null
  )`,
  'insert into upnext.audit_retention (days, days_after_uninstallation) values (365, 30)',
  `create function upnext.delete_expired_audit_entries() returns void
    language sql security definer set search_path = '' as $$
      delete from upnext.audit_entry
      where at < now() - make_interval(days => (select days from upnext.audit_retention))
        or exists (
          select from upnext.uninstallation
          where uninstallation.team_id = audit_entry.team_id and is_confirmed and uninstalled_at <=
            now() - make_interval(days => (select days_after_uninstallation from upnext.audit_retention))
        )
    $$`,
]
