import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import * as firstTables from './migrations/0001-first-tables.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'service'

const MIGRATIONS = { '0001-first-tables': { up: firstTables.up } }

/** Migrates the service's tables to the latest version. Instances that start at once take turns. */
export async function openServiceDatabase(pool: Pool): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return db.withSchema(SCHEMA)
}

/** Throws an error if the database is unreachable. */
export const checkConnection = (db: Db) => sql`select 1`.execute(db)
