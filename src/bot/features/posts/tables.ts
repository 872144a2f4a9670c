import type { Generated, Selectable } from 'kysely'
import type { Post, PostBody } from '../../../api/records.ts'
import { DAY_MS, type TablesOf } from '../../database/table-rules.ts'
import type { ChannelKey, Tables, UserKey } from '../../database/tables.ts'

export type ShownPost = Omit<Post, 'raw'>

declare module '../../database/tables.ts' {
  interface Tables {
    /** Posts that wait here until shortly before they go out, because the service can't change them. */
    held_post: UserKey & {
      id: string
      view_id: string
      /** The workspace that the user belongs to. */
      user_team_id: string
      channel_id: string | null
      project_id: string
      project_name: string
      body: PostBody
      scheduled_at: Date
      hand_over_at: Date
      version: Generated<number>
      held_at: Date
    }
    /** Channels in which new posts are held unless their author decides otherwise. */
    holding_channel: ChannelKey
    /** Messages that show a post, and must be updated when it changes. */
    post_message: ChannelKey & {
      project_id: string
      post_id: string
      ts: string
      posted_by: string
      /** What the user wrote above the post. */
      comment: string | null
      posted_at: Date
      project_name: string
      /** The post as the message shows it. */
      post: ShownPost
      /** What happened to the post since then; unconfirmed before the result is known. */
      last_change: 'unconfirmed' | 'changed' | 'cancelled' | null
      changed_by: string | null
      /** A change whose result isn't known may take effect until then, so the message is compared once more. */
      uncertain_until: Date | null
    }
  }
}

export type HeldPost = Selectable<Tables['held_post']>
export type PostMessage = Selectable<Tables['post_message']>

export const POST_TABLES: TablesOf<'held_post' | 'holding_channel' | 'post_message'> = {
  create: [
    `create table upnext.held_post (
      id uuid primary key,
      view_id text not null unique,
      team_id text not null,
      user_id text not null,
      user_team_id text not null,
      channel_id text,
      project_id text not null,
      project_name text not null,
      body jsonb not null,
      scheduled_at timestamptz not null,
      hand_over_at timestamptz not null,
      version integer not null default 1,
      held_at timestamptz not null
    )`,
    'create index on upnext.held_post (hand_over_at)',
    'create index on upnext.held_post (team_id, project_id, scheduled_at)',
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
    held_post: {
      encrypted: { body: 'jsonb' },
      onUninstallation: 'delete',
      person: {
        effect: 'keep',
        findObstacle: async (_db, { user_id, project_name, scheduled_at }, isBy) =>
          isBy(user_id)
            ? `Upnext holds a post by ${user_id} in ${project_name} until ${scheduled_at.toISOString()}. Cancel it with "/upnext cancel" in Slack, or wait until it has gone out.`
            : undefined,
      },
    },
    holding_channel: { onUninstallation: 'delete', person: 'nothing personal' },
    post_message: {
      encrypted: { comment: 'text', post: 'jsonb' },
      lifetimes: [{ since: 'posted_at', ms: 365 * DAY_MS }],
      onUninstallation: 'delete',
      // If the copy of the post were changed, the message would be updated with the text of the service.
      person: { effect: 'blank', ignored: ['post'] },
    },
  },
}
