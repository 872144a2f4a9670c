import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import { ERASED } from '../../database/personal-data.ts'
import { deleteJobs } from '../../jobs/job-store.ts'
import {
  addFailuresColumn,
  addTraceparentColumn,
  createJobTable,
  type JobTable,
} from '../../jobs/job-table.ts'
import { SCHEMA } from '../database/queries.ts'
import { DAY_MS, type TableDefinitions } from '../database/table-rules.ts'
import type { ChannelKey, Tables, UserKey } from '../database/tables.ts'

export type AuditOutcome =
  | 'done'
  /** The service or Slack rejected it, or Upnext refused it although the user had the permission. */
  | 'refused'
  /** The user lacked the permission. */
  | 'denied'
  /** Couldn't be sent within a day, or before the post was due. */
  | 'expired'
  /** It wasn't confirmed, but may have taken effect. */
  | 'unclear'

type FieldValues = Record<string, unknown>

declare module '../database/tables.ts' {
  interface Tables {
    /** The workspace that the database belongs to. */
    installation: { only_row: Generated<true>; team_id: string }
    /** Workspaces that removed the app, until their data is deleted. */
    uninstallation: {
      team_id: string
      uninstalled_at: GeneratedAlways<Date>
      /** Set when the workspace's data is deleted. Only then can its audit entries be deleted early. */
      is_confirmed: Generated<boolean>
    }
    /**
     * Who did what. Entries are only added and, after their retention, deleted. Erasing a person blanks that person's data
     * in them.
     */
    audit_entry: UserKey & {
      id: GeneratedAlways<string>
      at: Date
      /** The workspace that the user belongs to. */
      user_team_id: string
      /** The verb of a form or command, or the id of a button. */
      action: string
      project_id: string | null
      /** The id of the changed record. */
      target: string | null
      detail: { before?: FieldValues; after: FieldValues } | null
      outcome: AuditOutcome
      /** The service's log has the same id. */
      request_id: string
    }
    user_settings: UserKey & {
      /** The project that the user chose on the Home tab. */
      project_id: string | null
      /** A time zone that the user chose instead of the one in their Slack profile. */
      zone: string | null
      /** A hash of the user's Home tab. The tab is only published again if the hash changes. */
      home_hash: string | null
      /** Renewed once a month while the user uses Upnext. A year after this time, the settings are deleted. */
      saved_at: Date
    }
    /** The project that a channel is linked to. */
    channel_project: ChannelKey & {
      project_id: string
      /** Erased a year after the channel was linked. */
      linked_by: string | null
      linked_at: Date
    }
    /**
     * Recent signed HTTP requests. Each request waits until it is inserted, so the table is unlogged for speed. A
     * database crash empties it, and a captured request could then be replayed until it is five minutes old.
     */
    received_request: { signature: string; received_at: Date }
    /** Images in Slack, by a hash of their SVG and alternative text. */
    uploaded_picture: {
      team_id: string
      hash: string
      file_id: string
      /** From then on, Slack accepts messages with the image. */
      ready_at: Date
    }
    /** Only these people, and the admins, may change the project. */
    project_writers: {
      team_id: string
      project_id: string
      people: string[]
      /** A Slack user group whose members may also change the project. */
      user_group: string | null
    }
    job: JobTable
  }
}

/** The kind of jobs that deliver a message to a user. */
export const NOTIFICATION = 'notification'

export type Writers = Selectable<Tables['project_writers']>
export type AuditEntry = Selectable<Tables['audit_entry']>
export type UserSettings = Selectable<Tables['user_settings']>

/** A user's settings, and the project of the channel. Each may be missing. */
export type SettingsInChannel = { [Name in 'zone' | 'user_project' | 'channel_project']: string | null } & {
  saved_at: Date | null
}

/** Bolt rejects requests that are older than five minutes. */
const SIGNATURE_TTL_MS = 10 * 60_000

export const SLACK_TABLES = {
  create: [
    ...createJobTable(SCHEMA),
    `create table upnext.installation (
      only_row boolean primary key default true check (only_row),
      team_id text not null
    )`,
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
    // The retention has a table of its own, so that the role that only adds entries can't shorten it.
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
    `create table upnext.user_settings (
      team_id text not null,
      user_id text not null,
      project_id text,
      zone text,
      home_hash text,
      saved_at timestamptz not null,
      primary key (team_id, user_id)
    )`,
    `create table upnext.channel_project (
      team_id text not null,
      channel_id text not null,
      project_id text not null,
      linked_by text,
      linked_at timestamptz not null,
      primary key (team_id, channel_id)
    )`,
    `create unlogged table upnext.received_request (
      signature text primary key,
      received_at timestamptz not null
    )`,
    `create table upnext.uploaded_picture (
      team_id text not null,
      hash text not null,
      file_id text not null,
      ready_at timestamptz not null,
      primary key (team_id, hash)
    )`,
  ],
  changes: {
    '0008-traces': [addTraceparentColumn(SCHEMA)],
    '0009-writers': [
      `create table upnext.project_writers (
        team_id text not null,
        project_id text not null,
        people text[] not null,
        user_group text,
        primary key (team_id, project_id)
      )`,
    ],
    '0010-failures': [addFailuresColumn(SCHEMA)],
  },
  rules: {
    installation: { onUninstallation: 'delete', person: 'nothing personal' },
    uninstallation: { onUninstallation: 'keep', person: 'nothing personal' },
    audit_entry: {
      encrypted: { detail: 'text' },
      // Entries are deleted by `delete_expired_audit_entries`, which runs with the rights of the database's owner.
      onUninstallation: 'keep',
      person: {
        effect: 'blank',
        serviceUser: ({ action, target, detail }) =>
          action === 'invite' || action === 'user'
            ? { ids: { target }, email: detail?.after.Email }
            : undefined,
        alsoBlank: ({ action, detail }, { isAboutThem }) =>
          isAboutThem && action === 'invite' && detail
            ? { detail: { after: { Email: ERASED, Role: detail.after.Role, Status: detail.after.Status } } }
            : {},
      },
    },
    user_settings: {
      lifetimes: [{ since: 'saved_at', ms: 365 * DAY_MS }],
      onUninstallation: 'delete',
      person: { effect: 'delete' },
    },
    channel_project: {
      // Only the user is erased. The channel stays linked to its project.
      lifetimes: [
        { since: 'linked_at', ms: 365 * DAY_MS, erase: ['linked_by'], where: 'linked_by is not null' },
      ],
      onUninstallation: 'delete',
      person: { effect: 'blank', alsoBlank: () => ({ linked_by: null }) },
    },
    received_request: {
      lifetimes: [{ since: 'received_at', ms: SIGNATURE_TTL_MS }],
      onUninstallation: 'keep',
      person: 'nothing personal',
    },
    uploaded_picture: {
      // A later use of the same image uploads it again.
      lifetimes: [{ since: 'ready_at', ms: 30 * DAY_MS }],
      onUninstallation: 'delete',
      person: 'nothing personal',
    },
    // Erasing a person keeps the restriction. If no person and no user group is left, only admins may change the project.
    project_writers: { onUninstallation: 'delete', person: { effect: 'blank' } },
    job: {
      encrypted: { data: 'jsonb' },
      // A notification of this age couldn't be delivered, for example because the app was uninstalled.
      lifetimes: [{ since: 'added_at', ms: 30 * DAY_MS, where: `kind = '${NOTIFICATION}'` }],
      // Jobs are deleted by their column `owner`, together with the workspace's data.
      onUninstallation: 'keep',
      person: {
        effect: 'blank',
        // Deletes notifications that are for the person or name them.
        eraseRelatedRows: (db, { kind, id }) =>
          kind === NOTIFICATION ? deleteJobs(db, kind, [id]) : Promise.resolve(),
      },
    },
  },
} satisfies TableDefinitions
