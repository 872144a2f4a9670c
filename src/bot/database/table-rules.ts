import type { Kysely, Selectable } from 'kysely'
import type { PersonalDataRule } from '../../database/personal-data.ts'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/** A folder's rules for one of its tables. Encryption, retention and deletion follow from them. */
export type TableRules<Name extends TableName> = {
  encrypted?: { [Column in keyof Tables[Name]]?: 'text' | 'jsonb' }
  lifetimes?: Lifetime<Name>[]
  /**
   * Whether the table's rows are deleted when a workspace removes the app. "cascade": they are deleted with the row
   * that they belong to.
   */
  onUninstallation: 'delete' | 'cascade' | 'keep'
  person: PersonalDataRule<Selectable<Tables[Name]>, Kysely<Tables>> | 'nothing personal'
}

/** Once `ms` have passed since the time in column `since`, erases the columns in `erase`, or else deletes the row. */
export type Lifetime<Name extends TableName> = {
  since: keyof Tables[Name] & string
  ms: number
  erase?: readonly (keyof Tables[Name] & string)[]
  /** An SQL condition that limits the rule to some rows. */
  where?: string
}

export type TableDefinitions = {
  /** SQL statements of the first version, in order. */
  create?: string[]
  /** Migrations of later versions, by their names, each with SQL statements in order. */
  changes?: Record<string, string[]>
  /** The tables in the order of their creation. Their rows are deleted in reverse order. */
  rules: { [Name in TableName]?: TableRules<Name> }
}

export const DAY_MS = 24 * 60 * 60_000
