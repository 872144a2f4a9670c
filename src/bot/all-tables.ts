import type { EncryptedColumns } from '../database/encrypt-columns.ts'
import type { PersonalDataRules } from '../database/personal-data.ts'
import type { TableDefinitions, TableRules } from './database/table-rules.ts'
import type { Tables } from './database/tables.ts'
import { ALERT_TABLES } from './features/alerts/tables.ts'
import { APPROVAL_TABLES } from './features/approvals/tables.ts'
import { DIGEST_TABLES } from './features/digests/tables.ts'
import { MEDIA_TABLES } from './features/media/tables.ts'
import { PLAN_TABLES } from './features/plans/tables.ts'
import { POST_TABLES } from './features/posts/tables.ts'
import { PROJECT_TABLES } from './features/projects/tables.ts'
import { SLOT_TABLES } from './features/slots/tables.ts'
import { FORM_TABLES } from './forms/tables.ts'
import { OUTBOX_TABLES } from './outbox/tables.ts'
import { SLACK_TABLES } from './slack/tables.ts'

const TABLE_GROUPS: TableDefinitions[] = [
  SLACK_TABLES,
  FORM_TABLES,
  OUTBOX_TABLES,
  PROJECT_TABLES,
  MEDIA_TABLES,
  POST_TABLES,
  DIGEST_TABLES,
  ALERT_TABLES,
  PLAN_TABLES,
  SLOT_TABLES,
  APPROVAL_TABLES,
]

/** The SQL statements that create the tables, in the order in which they run. */
export const CREATE_TABLES: string[] = TABLE_GROUPS.flatMap(({ create = [] }) => create)

/** The migrations that change tables of earlier versions. */
export const CHANGE_TABLES: Record<string, string[]> = Object.assign(
  {},
  ...TABLE_GROUPS.map(({ changes }) => changes),
)

/** The type makes compilation fail if a table has no rules. */
const RULES: { [Name in keyof Tables]: TableRules<Name> } = {
  ...SLACK_TABLES.rules,
  ...FORM_TABLES.rules,
  ...OUTBOX_TABLES.rules,
  ...PROJECT_TABLES.rules,
  ...MEDIA_TABLES.rules,
  ...POST_TABLES.rules,
  ...DIGEST_TABLES.rules,
  ...ALERT_TABLES.rules,
  ...PLAN_TABLES.rules,
  ...SLOT_TABLES.rules,
  ...APPROVAL_TABLES.rules,
}

const ALL_RULES = Object.entries(RULES) as [keyof Tables, TableRules<keyof Tables>][]

export const ENCRYPTED_COLUMNS: EncryptedColumns = Object.fromEntries(
  ALL_RULES.flatMap(([table, { encrypted }]) => (encrypted ? [[table, encrypted]] : [])),
)

/** How a person's data is exported and erased. Text that others see stays: posts, and comments on posts. */
export const PERSONAL_DATA_RULES = Object.fromEntries(
  ALL_RULES.map(([table, { person }]) => [table, person]),
) as unknown as PersonalDataRules<Tables>

export const LIFETIMES = ALL_RULES.flatMap(([table, { lifetimes = [] }]) =>
  lifetimes.map((lifetime) => ({ table, ...lifetime })),
)

/** The tables whose rows are deleted with their workspace, ordered so that no row is deleted before those that refer to it. */
export const WORKSPACE_TABLES: string[] = ALL_RULES.filter(
  ([, { onUninstallation }]) => onUninstallation === 'delete',
)
  .map(([table]) => table as string)
  .reverse()
