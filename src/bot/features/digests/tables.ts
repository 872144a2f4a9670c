import type { KnownBlock } from '@slack/types'
import type { JSONColumnType, Selectable } from 'kysely'
import type { Recurrence } from '../../../time/recurrence.ts'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'
import type { ChannelKey, Tables } from '../../database/tables.ts'

export type DigestSectionName = 'upcoming' | 'published' | 'drafts' | 'problems' | 'chart'

/** The content of a posted digest, stored so that its sections can be expanded and collapsed. */
export type DigestContent = {
  project_id: string
  title: string
  summary: string
  /** The next post, or a sentence saying that nothing is scheduled. */
  next: KnownBlock[]
  sections: DigestContentSection[]
  chart?: { file_id: string; alt_text: string } | undefined
  isLate?: boolean
  /** The channel is shared with another organization, whose members can't use the buttons. */
  isExtShared?: boolean
}

export type DigestContentSection = {
  name: Exclude<DigestSectionName, 'chart'>
  title: string
  /** Each line of the section, with the day under which it is listed. */
  items: { day?: string; line: string }[]
  /** Whether the service has more records than were loaded. */
  hasMore: boolean
}

declare module '../../database/tables.ts' {
  interface Tables {
    digest: ChannelKey & {
      id: string
      project_id: string
      project_name: string
      recurrence: JSONColumnType<Recurrence, string, string>
      sections: DigestSectionName[]
      when_empty: 'post' | 'skip'
      owner_id: string
      created_at: Date
      paused_reason: string | null
      /** The time whose message is being prepared. Moves on once that message is posted or skipped. */
      next_at: Date
      /** When the message for `next_at` appears. Set before the request to Slack, so Slack may not have the message yet. */
      post_at: Date | null
      requested_at: Date | null
      /** Set once Slack is known to have the message. */
      message_id: string | null
      /** The end of the period whose published posts are in the message. */
      message_covers: Date | null
      /** The latest `next_at` whose message was posted or may have been posted. */
      last_at: Date | null
      /** The end of the period that earlier messages cover. Posts published later belong to the next message. */
      covered_until: Date | null
    }
    digest_content: { id: string; team_id: string; content: DigestContent; created_at: Date }
  }
}

export type Digest = Selectable<Tables['digest']>

export const DIGEST_TABLES = {
  create: [
    `create table upnext.digest (
      id uuid primary key,
      team_id text not null,
      channel_id text not null,
      project_id text not null,
      project_name text not null,
      recurrence jsonb not null,
      sections text[] not null,
      when_empty text not null check (when_empty in ('post', 'skip')),
      owner_id text not null,
      created_at timestamptz not null,
      paused_reason text,
      next_at timestamptz not null,
      post_at timestamptz,
      requested_at timestamptz,
      message_id text,
      message_covers timestamptz,
      last_at timestamptz,
      covered_until timestamptz
    )`,
    'create unique index on upnext.digest (team_id, channel_id, project_id, recurrence)',
    'create index on upnext.digest (channel_id, post_at) where post_at is not null',
    'create index on upnext.digest (requested_at)',
    `create table upnext.digest_content (
      id uuid primary key,
      team_id text not null,
      content jsonb not null,
      created_at timestamptz not null
    )`,
    'create index on upnext.digest_content (created_at)',
  ],
  rules: {
    // A digest belongs to its channel, so it outlasts its owner. The next user who edits the digest becomes the owner.
    digest: { onUninstallation: 'delete', person: { effect: 'blank' } },
    digest_content: {
      encrypted: { content: 'jsonb' },
      lifetimes: [{ since: 'created_at', ms: 30 * DAY_MS }],
      onUninstallation: 'delete',
      person: { effect: 'blank' },
    },
  },
} satisfies TableDefinitions
