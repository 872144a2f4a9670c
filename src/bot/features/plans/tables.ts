import type { Selectable } from 'kysely'
import type { Post } from '../../../api/records.ts'
import type { DatedPost } from '../../../api/timestamps.ts'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'
import type { Tables, UserKey } from '../../database/tables.ts'
import type { FormValues } from '../../forms/form-value.ts'
import type { OpenedPost } from '../posts/display/post-reference.ts'
import type { PostInput } from '../posts/form/post-input.ts'
import type { PlanInput } from '../posts/schedule-post.ts'

export type PlanState =
  /** The plan hasn't been read yet. */
  | 'received'
  | 'review'
  /** The plan's posts are in the outbox. */
  | 'sending'
  | 'sent'
  /** The plan's posts are being cancelled. */
  | 'undoing'
  /** Nothing more happens: the plan couldn't be read, or can no longer be undone. */
  | 'closed'

export type PlanRow = {
  /** The number of the row or line. */
  number: number
  /** The row as the form shows it. */
  values: FormValues
  /** The post. Undefined if reading the row found problems. */
  body?: PostInput
  /** Why the row can't be scheduled. */
  problems: string[]
  /** Problems that may make a platform reject the post. */
  warnings?: string[]
  /** Other posts that go out at about the same time, in the project or in the plan. */
  conflicts?: string[]
  /** The project already has this post. */
  isPresent?: boolean
  /** Upnext chose the time, because the row has none or asks for a free slot. */
  isInSlot?: boolean
  /** The row can't be changed in the review, only in the imported file. */
  isFinal?: boolean
  /** The post that the row changes, and its version in the review. */
  opened?: OpenedPost
  /** The time that the row gives this post, also if the row has problems. */
  time?: DatedPost
  /** The post in `opened` before the change. */
  was?: Omit<Post, 'Id' | 'raw'>
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** Many posts that are reviewed together, and then scheduled. */
    plan: UserKey & {
      id: string
      user_team_id: string
      project_id: string
      project_name: string
      state: PlanState
      /** The pasted text, or the file with the plan. */
      source: PlanInput
      rows: PlanRow[]
      /** The review's notes on the plan as a whole. */
      notes: string[]
      /** The view that shows the review. Null without one, and once the plan was sent or couldn't be read. */
      view_id: string | null
      /** The direct message about the plan. */
      message_channel: string | null
      message_ts: string | null
      created_at: Date
      /** When the posts were put into the outbox or, once `state` is 'sent', when the last of them was done. */
      sent_at: Date | null
    }
  }
}

export type Plan = Selectable<Tables['plan']>

/** The rows that sending the plan puts into the outbox. */
export const readyRows = ({ rows }: Pick<Plan, 'rows'>): PlanRow[] =>
  rows.filter(({ problems, isPresent }) => !problems.length && !isPresent)

export const PLAN_TABLES = {
  changes: {
    '0005-plans': [
      `create table upnext.plan (
        id uuid primary key,
        team_id text not null,
        user_id text not null,
        user_team_id text not null,
        channel_id text,
        project_id text not null,
        project_name text not null,
        state text not null check (state in ('received', 'review', 'sending', 'sent', 'undoing', 'closed')),
        source jsonb not null,
        rows jsonb not null,
        notes text[] not null,
        view_id text,
        message_channel text,
        message_ts text,
        created_at timestamptz not null,
        sent_at timestamptz
      )`,
      'create index on upnext.plan (created_at)',
    ],
  },
  rules: {
    plan: {
      encrypted: { source: 'jsonb', rows: 'jsonb' },
      lifetimes: [
        { since: 'created_at', ms: 7 * DAY_MS, where: "state in ('received', 'review', 'closed')" },
        { since: 'created_at', ms: 30 * DAY_MS },
      ],
      onUninstallation: 'delete',
      person: { effect: 'delete' },
    },
  },
} satisfies TableDefinitions
