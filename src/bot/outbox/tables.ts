import type { Generated, Selectable } from 'kysely'
import type { ApiFailure, FieldError } from '../../api/result.ts'
import { deleteJobs } from '../../jobs/job-store.ts'
import { DAY_MS, type TableDefinitions } from '../database/table-rules.ts'
import type { Tables, UserKey } from '../database/tables.ts'
import type { FormValues, OpenedRecord } from '../forms/form-value.ts'
import type { SlackFile } from '../slack/slack-file.ts'
import { NOTIFICATION } from '../slack/tables.ts'

export type OutboxState =
  /** Waits until its file is uploaded. */
  | 'uploading'
  /** Definitely not sent: waits for its turn, or for the next attempt. */
  | 'queued'
  /** May have arrived at the service. */
  | 'unconfirmed'
  /** Stays in the outbox until `held_until`, and can be changed until that time. */
  | 'held'
  | 'sent'
  | 'refused'
  /** Wasn't sent before the post was due. */
  | 'missed'
  /** Couldn't be sent in the time that `retry-limits.ts` allows. */
  | 'expired'

/** Why an item wasn't sent. */
export type ItemFailure =
  | ApiFailure
  /** Upnext found the reason: the item's file can't be used, or someone else changed the post. */
  | { kind: 'unsendable'; details: FieldError[] }

declare module '../database/tables.ts' {
  interface Tables {
    /** Submissions, stored before the first attempt to send them. */
    outbox_item: UserKey & {
      id: string
      /** Items of a user are sent in this order. */
      seq: Generated<string>
      /** The workspace that the user belongs to. */
      user_team_id: string
      /**
       * The id of the submitted modal, followed by the item's id in further parts of a split post. An item of a plan,
       * or a change that waits for approval, has its own id here.
       */
      view_id: string
      channel_id: string | null
      form: string
      project_id: string
      project_name: string
      /** The user's input, and the request body made from it. Both are erased after a month. */
      form_values: FormValues | null
      body: Record<string, unknown> | null
      /** Whether the user chose to post the created record in the channel. */
      notify_channel: boolean
      state: OutboxState
      /** Only the user can say whether the record exists. */
      needs_answer: Generated<boolean>
      accepted_at: Date
      attempted_at: Date | null
      attempts: Generated<number>
      /**
       * When the item was first sent with an idempotency key. For a day after that, sending the item again creates no
       * second record.
       */
      keyed_at: Date | null
      /** When a lookup first failed to find the record. The service may still list it later. */
      absent_since: Date | null
      /** The id of the created record. */
      record_id: string | null
      /** Whether a lookup found the record. That happens if the response to the request was lost. */
      found_by_lookup: Generated<boolean>
      record: Record<string, unknown> | null
      failure: ItemFailure | null
      finished_at: Date | null
      /** When a held item is or was due to be sent. Null if the item was never held. */
      held_until: Date | null
      /** The version of a held item. Each change adds one. */
      version: Generated<number>
      /** The file that goes with the post. Erased after a month, like the rest of the input. */
      slack_file: SlackFile | null
      /** The version of the record that the form changes. */
      opened_record: OpenedRecord | null
      /** The direct message with the progress of the upload, and then with the outcome. */
      progress_channel: string | null
      progress_ts: string | null
      /** Items that were submitted together: a plan, or a post that was split because its text differs by platform. */
      batch_id: string | null
      /** Slack markup with the warnings about the form, and with problems that platforms may have with the file. */
      warnings: string | null
    }
  }
}

export type OutboxItem = Selectable<Tables['outbox_item']>

/** Returns fields for the log. The item's id is also the request id in the service's log and in the audit trail. */
export const itemLogFields = ({ id, team_id, form }: Pick<OutboxItem, 'id' | 'team_id' | 'form'>) => ({
  request: id,
  workspace: team_id,
  form,
})

const INPUT_COLUMNS = ['warnings', 'form_values', 'body', 'record', 'failure', 'slack_file'] as const

/** Changes that erase the user's input from a row. */
const ERASED_INPUT = Object.fromEntries(INPUT_COLUMNS.map((column) => [column, null]))

export const isOnItsWay = ({ state, needs_answer }: OutboxItem): boolean =>
  ['uploading', 'queued', 'unconfirmed'].includes(state) && !needs_answer

/** Whether the item was sent or is held, so that it needs nothing more from the user. */
export const REMOVED_FROM_OUTBOX = 'Removed from your outbox.'

export const isDone = ({ state }: OutboxItem): boolean => state === 'sent' || state === 'held'

export const OUTBOX_TABLES = {
  create: [
    `create table upnext.outbox_item (
      id uuid primary key,
      seq bigint generated always as identity,
      view_id text not null unique,
      team_id text not null,
      user_id text not null,
      user_team_id text not null,
      channel_id text,
      form text not null,
      project_id text not null,
      project_name text not null,
      form_values jsonb,
      body jsonb,
      notify_channel boolean not null,
      state text not null check (state in
        ('uploading', 'queued', 'unconfirmed', 'held', 'sent', 'refused', 'missed', 'expired')),
      needs_answer boolean not null default false,
      accepted_at timestamptz not null,
      attempted_at timestamptz,
      attempts integer not null default 0,
      absent_since timestamptz,
      record_id text,
      found_by_lookup boolean not null default false,
      record jsonb,
      failure jsonb,
      finished_at timestamptz,
      held_until timestamptz,
      version integer not null default 1,
      slack_file jsonb,
      opened_record jsonb,
      progress_channel text,
      progress_ts text,
      warnings text
    )`,
    'create index on upnext.outbox_item (finished_at) where form_values is not null',
    'create index on upnext.outbox_item (team_id, user_id, seq)',
    `create index on upnext.outbox_item (team_id, project_id)
      where held_until is not null and finished_at is null`,
    'create unique index on upnext.outbox_item (project_id, form, record_id) where record_id is not null',
  ],
  changes: {
    '0002-idempotency-keys': ['alter table upnext.outbox_item add column keyed_at timestamptz'],
    '0004-batches': [
      'alter table upnext.outbox_item add column batch_id uuid',
      'create index on upnext.outbox_item (batch_id) where batch_id is not null',
    ],
    '0011-unfinished-items': [
      'create index on upnext.outbox_item (team_id, project_id) where finished_at is null',
    ],
  },
  rules: {
    outbox_item: {
      encrypted: {
        form_values: 'jsonb',
        body: 'jsonb',
        record: 'jsonb',
        failure: 'jsonb',
        slack_file: 'jsonb',
        warnings: 'text',
      },
      lifetimes: [
        // The row outlives its input, so that a lookup for another item doesn't claim the same record.
        { since: 'finished_at', ms: 30 * DAY_MS, erase: INPUT_COLUMNS, where: 'form_values is not null' },
        { since: 'finished_at', ms: 365 * DAY_MS },
      ],
      onUninstallation: 'delete',
      person: {
        // A held post isn't blanked, because it still goes out.
        effect: ({ state }) => (state === 'held' ? 'keep' : 'blank'),
        serviceUser: ({ form, record_id, body }) =>
          form === 'invite' ? { ids: { record_id }, email: body?.Email } : undefined,
        // The id of a record stays, so that a lookup for another item doesn't claim the record.
        alsoBlank: (_item, { isAboutThem }) => ({
          ...ERASED_INPUT,
          channel_id: null,
          progress_channel: null,
          progress_ts: null,
          ...(isAboutThem && { record_id: null }),
        }),
        findErasureObstacle: async (_db, item, isTheirId) => {
          const { form, user_id, project_name, accepted_at, state, held_until } = item
          if (state === 'held' && isTheirId(user_id))
            return form === 'schedule'
              ? `Upnext holds a post by ${user_id} in ${project_name} until ${held_until?.toISOString()}. Cancel it with "/upnext cancel" in Slack, or wait until it has gone out.`
              : `Upnext holds a change by ${user_id} in ${project_name} until ${held_until?.toISOString()}. Have it approved with "/upnext approve" in Slack, or wait until then.`
          return isOnItsWay(item)
            ? `"${form}" in ${project_name}, submitted by ${user_id} at ${accepted_at.toISOString()}, is on its way. Wait until it's sent, or discard it with "/upnext outbox" in Slack.`
            : undefined
        },
        // A notification that isn't delivered yet would have nothing to show, because the item's input is erased.
        eraseRelatedRows: (db, { id }) => deleteJobs(db, NOTIFICATION, [id]),
      },
    },
  },
} satisfies TableDefinitions
