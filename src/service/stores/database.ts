import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { migrate } from '../../database/migrate.ts'
import { up as createFirstTables } from './migrations/0001-first-tables.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'service'

const MIGRATIONS = { '0001-first-tables': { up: createFirstTables } }

/** Opens the service's tables in their latest version. */
export async function openServiceDatabase(pool: Pool): Promise<Kysely<Tables>> {
  await migrate(pool, { schema: SCHEMA, migrations: MIGRATIONS })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return db.withSchema(SCHEMA)
}

/** Throws an error if the database is unreachable. */
export const checkConnection = (db: Db) => sql`select 1`.execute(db)
