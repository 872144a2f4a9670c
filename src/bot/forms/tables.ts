import type { ViewOutput } from '@slack/bolt'
import { DAY_MS, type TableDefinitions } from '../database/table-rules.ts'
import type { UserKey } from '../database/tables.ts'
import type { FormValues } from './form-value.ts'

declare module '../database/tables.ts' {
  interface Tables {
    /** Submissions of forms that change a record. They are stored so that a double click has only one effect. */
    submission: { view_id: string; claimed_at: Date; is_settled: boolean }
    /** The input of forms that aren't submitted yet, as of the user's last action in the form. */
    open_form: UserKey & {
      view_id: string
      form: string
      form_values: FormValues
      project_id: string | null
      replaces: string | null
      /** The time of the action, according to Slack. */
      action_ts: string
      /** The `action_ts` of the latest action that changes other inputs, such as a press of a button. */
      changed_ts: string | null
      saved_at: Date
      /** The form as it was submitted, while its user is asked to confirm it. */
      submitted_view: ViewOutput | null
    }
  }
}

/** An unfinished form can be continued for an hour. */
export const OPEN_FORM_TTL_MS = 60 * 60_000

/** The column values of a closed form. `action_ts` is later than any action's, so a late action changes nothing. */
export const CLOSED_FORM = {
  form: 'submitted',
  form_values: {},
  project_id: null,
  replaces: null,
  submitted_view: null,
  action_ts: '9',
}

export const FORM_TABLES = {
  create: [
    `create table upnext.submission (
      view_id text primary key,
      claimed_at timestamptz not null,
      is_settled boolean not null default false
    )`,
    'create index on upnext.submission (claimed_at)',
    `create table upnext.open_form (
      view_id text primary key,
      team_id text not null,
      user_id text not null,
      form text not null,
      form_values jsonb not null,
      action_ts text not null,
      saved_at timestamptz not null,
      submitted_view jsonb
    )`,
    'create index on upnext.open_form (team_id, user_id, form, saved_at)',
    'create index on upnext.open_form (saved_at)',
  ],
  changes: {
    '0012-open-form-context': [
      'alter table upnext.open_form add column project_id text',
      'alter table upnext.open_form add column replaces text',
    ],
    '0013-open-form-changes': ['alter table upnext.open_form add column changed_ts text'],
  },
  rules: {
    submission: {
      // Slack keeps no form open for longer.
      lifetimes: [{ since: 'claimed_at', ms: DAY_MS }],
      onUninstallation: 'keep',
      person: 'nothing personal',
    },
    open_form: {
      encrypted: { form_values: 'jsonb', submitted_view: 'jsonb' },
      lifetimes: [{ since: 'saved_at', ms: OPEN_FORM_TTL_MS }],
      onUninstallation: 'delete',
      // The row marks the form as closed, so a keystroke that arrives late can't bring the input back.
      person: { effect: 'blank', alsoBlank: () => CLOSED_FORM },
    },
  },
} satisfies TableDefinitions
