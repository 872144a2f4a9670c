import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import * as plainNames from './migrations/0009-plain-names.ts'
import * as userSettings from './migrations/0010-user-settings.ts'
import { initialMigrations } from './migrations/initial.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'upnext'

const MIGRATIONS: Record<string, Migration> = {
  ...initialMigrations,
  '0009-plain-names': { up: plainNames.up },
  '0010-user-settings': { up: userSettings.up },
}

/** Brings the bot's tables up to date. Instances that start together wait for each other. */
export async function connectBotDatabase(pool: Pool): Promise<Db> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return db.withSchema(SCHEMA)
}

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === UNIQUE_VIOLATION
