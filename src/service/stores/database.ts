import { Kysely, Migrator, PostgresDialect, sql } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { type EncryptedColumns, encryptColumns } from '../../database/encrypt-columns.ts'
import { setUpEncryption } from '../../database/set-up-encryption.ts'
import { up as createFirstTables } from './migrations/0001-first-tables.ts'
import { up as createEncryptionKeys } from './migrations/0002-encryption-keys.ts'
import { up as addLogRequestIds } from './migrations/0003-log-request-ids.ts'
import type { Db, Tables } from './tables.ts'

const SCHEMA = 'service'

const MIGRATIONS = {
  '0001-first-tables': { up: createFirstTables },
  '0002-encryption-keys': { up: createEncryptionKeys },
  '0003-log-request-ids': { up: addLogRequestIds },
}

const ENCRYPTED_COLUMNS: EncryptedColumns = { webhook: { secret: 'text' } }

/** Migrates the service's tables to the latest version. Instances that start at once take turns. */
export async function openServiceDatabase(
  { pool, encryption }: StoreAccess,
  now: Date,
): Promise<Kysely<Tables>> {
  const plugins = [encryptColumns(ENCRYPTED_COLUMNS, encryption)]
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins })
  const provider = { getMigrations: async () => MIGRATIONS }
  const migrator = new Migrator({ db, provider, migrationTableSchema: SCHEMA })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  await setUpEncryption({ db, schema: SCHEMA, tables: ENCRYPTED_COLUMNS, encryption }, now)
  return db.withSchema(SCHEMA)
}

/** Throws an error if the database is unreachable. */
export const checkConnection = (db: Db) => sql`select 1`.execute(db)
