import { Kysely, type Migration, Migrator, PostgresDialect, type Transaction } from 'kysely'
import type { Pool } from 'pg'
import * as firstTables from './migrations/0001-first-tables.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'service'

const MIGRATIONS: Record<string, Migration> = {
  '0001-first-tables': { up: firstTables.up },
}

/** Migrates the service's tables to the latest version. Instances that start at once take turns. */
export async function openServiceDatabase(pool: Pool): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
    migrationTableSchema: SCHEMA,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  return db.withSchema(SCHEMA)
}

export const isReachable = (pool: Pool): Promise<boolean> =>
  pool.query('select 1').then(
    () => true,
    () => false,
  )

/** Runs `work` in a transaction. Rolls back if it throws or if `shouldCommit` rejects its result. */
export async function inTransaction<T>(
  db: Db,
  work: (db: Transaction<Tables>) => Promise<T>,
  { shouldCommit = () => true }: { shouldCommit?: (result: T) => boolean } = {},
): Promise<T> {
  const transaction = await db.startTransaction().execute()
  try {
    const result = await work(transaction)
    await (shouldCommit(result) ? transaction.commit() : transaction.rollback()).execute()
    return result
  } catch (error) {
    // If the rollback fails too, the first error is the one to report.
    await transaction
      .rollback()
      .execute()
      .catch(() => {})
    throw error
  }
}
