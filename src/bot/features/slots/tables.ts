import type { JSONColumnType } from 'kysely'
import type { Recurrence } from '../../../time/recurrence.ts'
import { DAY_MS, type TableDefinitions } from '../../database/table-rules.ts'

/** One of the rules that say when a project posts. Without platforms, the rule is for all of them. */
export type SlotRule = { platforms: string[]; recurrence: Recurrence }

declare module '../../database/tables.ts' {
  interface Tables {
    /** The slots of a project. */
    slot_rules: { team_id: string; project_id: string; rules: JSONColumnType<SlotRule[]> }
    /**
     * A slot that a post is about to take. Once the post is sent or moved, the service's list of posts shows that the
     * slot is taken, so the reservation counts only until shortly after.
     */
    slot_reservation: {
      team_id: string
      project_id: string
      platform: string
      at: Date
      /** The id of the post, or of the outbox item that creates or changes the post. */
      owner: string
      for_item: boolean
      reserved_at: Date
    }
  }
}

const ITEM_IS_FINISHED = `not exists (
  select from upnext.outbox_item item
  where item.id = case when slot_reservation.for_item then slot_reservation.owner::uuid end and item.finished_at is null
)`

export const SLOT_TABLES = {
  changes: {
    '0006-slots': [
      `create table upnext.slot_rules (
        team_id text not null,
        project_id text not null,
        rules jsonb not null,
        primary key (team_id, project_id)
      )`,
      `create table upnext.slot_reservation (
        team_id text not null,
        project_id text not null,
        platform text not null,
        at timestamptz not null,
        owner text not null,
        for_item boolean not null,
        reserved_at timestamptz not null,
        primary key (project_id, platform, at)
      )`,
      'create index on upnext.slot_reservation (owner)',
      'create index on upnext.slot_reservation (reserved_at)',
    ],
  },
  rules: {
    slot_rules: { onUninstallation: 'delete', person: 'nothing personal' },
    slot_reservation: {
      // No list of posts shows the new time of a change that waits in the outbox, so its slot stays reserved.
      lifetimes: [{ since: 'reserved_at', ms: 2 * DAY_MS, where: ITEM_IS_FINISHED }],
      onUninstallation: 'delete',
      person: 'nothing personal',
    },
  },
} satisfies TableDefinitions
