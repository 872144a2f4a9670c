import type { KnownBlock } from '@slack/types'
import type { JSONColumnType, Selectable, Updateable } from 'kysely'
import type { Recurrence } from '../../../time/recurrence.ts'
import { DAY_MS, type TablesOf } from '../../database/table-rules.ts'
import type { ChannelKey, Tables } from '../../database/tables.ts'

export type DigestRunState =
  | 'planned'
  /** Set before Slack is called, until the result of the call is known. */
  | 'scheduling'
  | 'scheduled'
  | 'skipped'
  /** May have been posted. */
  | 'unconfirmed'

export type DigestSection = 'upcoming' | 'published' | 'drafts' | 'problems' | 'chart'

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
  name: Exclude<DigestSection, 'chart'>
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
      sections: DigestSection[]
      when_empty: 'post' | 'skip'
      owner_id: string
      created_at: Date
      paused_reason: string | null
      next_at: Date
    }
    /** A digest at one of its times. */
    digest_run: {
      /** The text of the scheduled message carries a part of the id, to find the message in Slack's list. */
      id: string
      digest_id: string
      /** With the time if the digest is posted several times a day. */
      day: string
      /** The channel that Slack was given. */
      channel_id: string | null
      due_at: Date
      state: DigestRunState
      post_at: Date | null
      message_id: string | null
      requested_at: Date | null
      /** Slack asked for a pause: no run of this workspace starts before. */
      rate_limited_until: Date | null
      /** Posts published up to this time are in this digest; later ones belong to the next. */
      covered_until: Date | null
      /** Why the digest is late. The owner is told if it is skipped in the end. */
      problem: string | null
    }
    /** Scheduled messages that Slack has, or may have, and that must be deleted there. */
    digest_cancellation: {
      run_id: string
      digest_id: string
      day: string
      team_id: string
      channel_id: string
      project_name: string
      owner_id: string
      message_id: string | null
      requested_at: Date
      post_at: Date
    }
    digest_content: { id: string; team_id: string; content: DigestContent; created_at: Date }
  }
}

export type Digest = Selectable<Tables['digest']>
export type DigestRun = Selectable<Tables['digest_run']>
export type DigestRunUpdate = Updateable<Tables['digest_run']>
export type DigestCancellation = Selectable<Tables['digest_cancellation']>

export const DIGEST_TABLES: TablesOf<'digest' | 'digest_run' | 'digest_cancellation' | 'digest_content'> = {
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
      next_at timestamptz not null
    )`,
    'create unique index on upnext.digest (team_id, channel_id, project_id, recurrence)',
    'create index on upnext.digest (next_at) where paused_reason is null',
    `create table upnext.digest_run (
      id uuid not null unique,
      digest_id uuid not null references upnext.digest on delete cascade,
      day text not null,
      channel_id text,
      due_at timestamptz not null,
      state text not null check (state in ('planned', 'scheduling', 'scheduled', 'skipped', 'unconfirmed')),
      post_at timestamptz,
      message_id text,
      requested_at timestamptz,
      rate_limited_until timestamptz,
      covered_until timestamptz,
      problem text,
      primary key (digest_id, day)
    )`,
    'create index on upnext.digest_run (requested_at)',
    "create index on upnext.digest_run (due_at) where state in ('planned', 'scheduling')",
    `create table upnext.digest_cancellation (
      run_id uuid primary key,
      digest_id uuid not null,
      day text not null,
      team_id text not null,
      channel_id text not null,
      project_name text not null,
      owner_id text not null,
      message_id text,
      requested_at timestamptz not null,
      post_at timestamptz not null
    )`,
    'create index on upnext.digest_cancellation (digest_id)',
    `create table upnext.digest_content (
      id uuid primary key,
      team_id text not null,
      content jsonb not null,
      created_at timestamptz not null
    )`,
    'create index on upnext.digest_content (created_at)',
  ],
  rules: {
    // A digest belongs to its channel, so it goes on. The next user who edits it becomes its owner.
    digest: { onUninstallation: 'delete', person: { effect: 'blank' } },
    digest_run: {
      // Longer than the pause between two monthly digests.
      lifetimes: [{ since: 'due_at', ms: 90 * DAY_MS, where: "state not in ('planned', 'scheduling')" }],
      onUninstallation: 'with others',
      person: 'nothing personal',
    },
    digest_cancellation: { onUninstallation: 'delete', person: { effect: 'blank' } },
    digest_content: {
      encrypted: { content: 'jsonb' },
      lifetimes: [{ since: 'created_at', ms: 30 * DAY_MS }],
      onUninstallation: 'delete',
      person: { effect: 'blank' },
    },
  },
}
