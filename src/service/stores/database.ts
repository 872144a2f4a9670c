import { Kysely, PostgresDialect, sql } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { type EncryptedColumns, encryptColumns } from '../../database/encrypt-columns.ts'
import { inspectSchema, type MigrationState } from '../../database/inspect-schema.ts'
import { migrate } from '../../database/migrate.ts'
import { setUpEncryption } from '../../database/set-up-encryption.ts'
import { nameStatements } from '../../database/statement-names.ts'
import { up as createFirstTables } from './migrations/0001-first-tables.ts'
import { up as createEncryptionKeys } from './migrations/0002-encryption-keys.ts'
import { up as addLogRequestIds } from './migrations/0003-log-request-ids.ts'
import { up as addPostVersions } from './migrations/0004-post-versions.ts'
import { SCHEMA } from './prepare.ts'
import type { Db, Tables } from './tables.ts'

const MIGRATIONS = {
  '0001-first-tables': { up: createFirstTables },
  '0002-encryption-keys': { up: createEncryptionKeys },
  '0003-log-request-ids': { up: addLogRequestIds },
  '0004-post-versions': { up: addPostVersions },
}

const ENCRYPTED_COLUMNS: EncryptedColumns = { webhook: { secret: 'text' } }

/** Opens the service's tables in their latest version. */
export async function openServiceDatabase(access: StoreAccess, now: Date): Promise<Kysely<Tables>> {
  const { pool, encryption } = access
  await migrate(access, { schema: SCHEMA, migrations: MIGRATIONS })
  const plugins = [encryptColumns(ENCRYPTED_COLUMNS, encryption)]
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameStatements(pool) }), plugins })
  await setUpEncryption({ db, schema: SCHEMA, tables: ENCRYPTED_COLUMNS, encryption }, now)
  return db.withSchema(SCHEMA)
}

export const inspectServiceDatabase = (access: StoreAccess): Promise<MigrationState> =>
  inspectSchema(access, { schema: SCHEMA, migrations: MIGRATIONS })

/** Throws an error if the database is unreachable. */
export const checkConnection = (db: Db) => sql`select 1`.execute(db)
