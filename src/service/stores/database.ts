import { Kysely, PostgresDialect, sql } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { type EncryptedColumns, encryptColumns } from '../../database/encrypt-columns.ts'
import { findMigrationState, type MigrationState, migrate } from '../../database/migrate.ts'
import { checkStoredKeys, setUpEncryption } from '../../database/set-up-encryption.ts'
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

/** Opens the service's tables in their latest version. */
export async function openServiceDatabase(access: StoreAccess, now: Date): Promise<Kysely<Tables>> {
  const { pool, encryption } = access
  await migrate(access, { schema: SCHEMA, migrations: MIGRATIONS })
  const plugins = [encryptColumns(ENCRYPTED_COLUMNS, encryption)]
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins })
  await setUpEncryption({ db, schema: SCHEMA, tables: ENCRYPTED_COLUMNS, encryption }, now)
  return db.withSchema(SCHEMA)
}

/** Says which migrations are missing. Throws an error if the keys don't fit. */
export async function inspectServiceDatabase(access: StoreAccess): Promise<MigrationState> {
  const state = await findMigrationState(access, { schema: SCHEMA, migrations: MIGRATIONS })
  const { pool, encryption } = access
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  if (!state.pending.length) await checkStoredKeys({ db, schema: SCHEMA, encryption })
  return state
}

/** Throws an error if the database is unreachable. */
export const checkConnection = (db: Db) => sql`select 1`.execute(db)
