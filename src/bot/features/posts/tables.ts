import type { Selectable } from 'kysely'
import type { Post } from '../../../api/records.ts'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'
import type { ChannelKey, Tables } from '../../database/tables.ts'

export type ShownPost = Omit<Post, 'raw'>

declare module '../../database/tables.ts' {
  interface Tables {
    /** Channels whose new posts are held, unless the author of a post decides otherwise. */
    holding_channel: ChannelKey
    /** Messages that show a post, and must be updated when it changes. */
    post_message: ChannelKey & {
      project_id: string
      post_id: string
      ts: string
      posted_by: string
      /** The user's comment above the post. */
      comment: string | null
      posted_at: Date
      project_name: string
      /** The post as the message shows it. */
      post: ShownPost
      /** The latest change that the message may not show yet. It's unconfirmed until its result is known. */
      last_change: 'unconfirmed' | 'changed' | 'cancelled' | null
      changed_by: string | null
      /** An unconfirmed change may take effect until this time, so the message is compared with the post once more then. */
      uncertain_until: Date | null
    }
  }
}

export type PostMessage = Selectable<Tables['post_message']>

export const POST_TABLES = {
  create: [
    `create table upnext.holding_channel (
      team_id text not null,
      channel_id text not null,
      primary key (team_id, channel_id)
    )`,
    `create table upnext.post_message (
      team_id text not null,
      project_id text not null,
      post_id text not null,
      channel_id text not null,
      ts text not null,
      posted_by text not null,
      comment text,
      posted_at timestamptz not null,
      project_name text not null,
      post jsonb not null,
      last_change text check (last_change in ('unconfirmed', 'changed', 'cancelled')),
      changed_by text,
      uncertain_until timestamptz,
      primary key (channel_id, ts)
    )`,
    'create index on upnext.post_message (team_id, project_id, post_id)',
    'create index on upnext.post_message (posted_at)',
  ],
  rules: {
    holding_channel: { onUninstallation: 'delete', person: 'nothing personal' },
    post_message: {
      encrypted: { comment: 'text', post: 'jsonb' },
      lifetimes: [{ since: 'posted_at', ms: 365 * DAY_MS }],
      onUninstallation: 'delete',
      // Blanking the copy of the post would look like a change, and the message would be updated with the service's text.
      person: { effect: 'blank', ignored: ['post'] },
    },
  },
} satisfies TableDefinitions
