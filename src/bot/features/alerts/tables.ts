import type { Selectable } from 'kysely'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'
import type { ChannelKey, Tables } from '../../database/tables.ts'

/** A problem with a post or an account, or the news that a post was published. */
export type Problem = {
  /** The same problem is reported once. */
  key: string
  /** Problems with the same subject share a message. */
  subject: string
  /** The post, or the problem of an account, as a line of markup. */
  line: string
  /** What to do about the problem, or the platform's reason for a delay. */
  advice?: string
  /** When the post was published. If this is set, nothing is wrong, and the message is never marked as resolved. */
  published_at?: string
  /** Whether the post can be published again. */
  can_retry?: boolean
  post_id?: string
  account_id?: string
  /** When the post was due. */
  due_at?: string
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** Channels that get alerts about a project. */
    alert_channel: ChannelKey & {
      project_id: string
      /** The channel also gets messages about the posts that were published after this time. */
      published_since: Date | null
    }
    alert: {
      id: string
      team_id: string
      project_id: string
      project_name: string
      /** The channel or the user who gets the message. */
      recipient: string
      /** In the order in which the problems were found. */
      problems: Problem[]
      /** Whether checks may still post or update the message. */
      is_open: boolean
      /** Where the message is. Null until it is posted. */
      channel_id: string | null
      ts: string | null
      /** When the last problem was added. */
      changed_at: Date
    }
  }
}

export type Alert = Selectable<Tables['alert']>

export const ALERT_TABLES = {
  changes: {
    '0003-alerts': [
      `create table upnext.alert_channel (
        team_id text not null,
        channel_id text not null,
        project_id text not null,
        published_since timestamptz,
        primary key (team_id, channel_id)
      )`,
      'create index on upnext.alert_channel (team_id, project_id)',
      `create table upnext.alert (
        id text primary key,
        team_id text not null,
        project_id text not null,
        project_name text not null,
        recipient text not null,
        problems jsonb not null,
        is_open boolean not null,
        channel_id text,
        ts text,
        changed_at timestamptz not null
      )`,
      'create index on upnext.alert (team_id, project_id)',
      'create index on upnext.alert (changed_at)',
    ],
  },
  rules: {
    alert_channel: { onUninstallation: 'delete', person: 'nothing personal' },
    alert: {
      encrypted: { problems: 'jsonb' },
      // Problems are found again for up to 6 days, so their alerts must be kept for longer.
      lifetimes: [{ since: 'changed_at', ms: 7 * DAY_MS }],
      onUninstallation: 'delete',
      person: { effect: 'delete' },
    },
  },
} satisfies TableDefinitions
