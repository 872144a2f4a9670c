import type { Generated, Selectable } from 'kysely'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'
import type { Tables } from '../../database/tables.ts'

export type ApprovalState =
  /** Someone has to decide. */
  | 'asked'
  | 'approved'
  /** An approver wants the author to change the post. */
  | 'changes wanted'
  /** Nothing is left to decide: the post was cancelled, or its time came before a decision. */
  | 'over'

export type Decision = {
  user_id: string
  kind: 'approved' | 'changes wanted'
  /** The version that the person saw. */
  version: string
  at: string
  /** The person decided as an admin, in place of the approvers. */
  as_admin?: boolean
  reason?: string
  /** The text that the person would approve. */
  suggestion?: string
}

declare module '../../database/tables.ts' {
  interface Tables {
    /** Who must approve a project's posts, always or only if their authors ask for it. */
    approval_rule: {
      team_id: string
      project_id: string
      /** Whether a post needs approval only if its author asks for it. */
      is_optional: boolean
      /** The users that an admin chose as approvers. */
      approvers: string[]
      /** A Slack user group whose members may also approve. */
      user_group: string | null
      /** A channel that also gets the requests. */
      channel_id: string | null
      admins_may_approve: boolean
      needs_all: boolean
      authors_may_approve: boolean
    }
    /** A post that was or is waiting for a decision. */
    approval: {
      team_id: string
      project_id: string
      /** The outbox item that holds the post. */
      item_id: string
      /** Posts that were submitted together share a group and a message. */
      group_id: string
      /** The user who scheduled the post, and the one who last changed it. */
      author: string
      changed_by: string
      /** Identifies the text, media and platforms. */
      version: string
      /** The content of the previous version, to show the difference. */
      earlier_text: string | null
      state: ApprovalState
      decisions: Decision[]
      asked_at: Date
      /** How many of the reminders before the post's time have come due, or `ASKED_AGAIN`. */
      reminders: Generated<number>
    }
    approval_message: {
      team_id: string
      group_id: string
      /** An approver, or the project's channel. */
      recipient: string
      channel_id: string | null
      ts: string | null
      /** Identifies the content of the message. */
      shown: string
      updated_at: Date
    }
  }
}

export type ApprovalRule = Selectable<Tables['approval_rule']>
export type Approval = Selectable<Tables['approval']>
export type ApprovalMessage = Selectable<Tables['approval_message']>

/** Approvals of unfinished posts are kept, because an approved post may be held for months. */
const IS_FINISHED =
  'not exists (select from upnext.outbox_item item where item.id = item_id and item.finished_at is null)'

export const APPROVAL_TABLES = {
  changes: {
    '0007-approvals': [
      `create table upnext.approval_rule (
        team_id text not null,
        project_id text not null,
        is_optional boolean not null,
        approvers text[] not null,
        user_group text,
        channel_id text,
        admins_may_approve boolean not null,
        needs_all boolean not null,
        authors_may_approve boolean not null,
        primary key (team_id, project_id)
      )`,
      `create table upnext.approval (
        item_id uuid primary key,
        group_id uuid not null,
        team_id text not null,
        project_id text not null,
        author text not null,
        changed_by text not null,
        version text not null,
        earlier_text text,
        state text not null check (state in ('asked', 'approved', 'changes wanted', 'over')),
        decisions jsonb not null,
        asked_at timestamptz not null,
        reminders integer not null default 0
      )`,
      `create table upnext.approval_message (
        team_id text not null,
        group_id uuid not null,
        recipient text not null,
        channel_id text,
        ts text,
        shown text not null,
        updated_at timestamptz not null,
        primary key (group_id, recipient)
      )`,
      'create index on upnext.approval (group_id)',
      "create index on upnext.approval (team_id) where state in ('asked', 'changes wanted')",
      'create index on upnext.approval (asked_at)',
    ],
  },
  rules: {
    // A rule stays when its approvers' data is erased. Without approvers, the project's posts wait for the admins.
    approval_rule: { onUninstallation: 'delete', person: { effect: 'blank' } },
    approval: {
      encrypted: { decisions: 'jsonb', earlier_text: 'text' },
      lifetimes: [{ since: 'asked_at', ms: 30 * DAY_MS, where: IS_FINISHED }],
      onUninstallation: 'delete',
      person: { effect: 'blank' },
    },
    approval_message: {
      lifetimes: [{ since: 'updated_at', ms: 60 * DAY_MS }],
      onUninstallation: 'delete',
      person: { effect: 'delete' },
    },
  },
} satisfies TableDefinitions
