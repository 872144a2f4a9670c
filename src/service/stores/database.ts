import { Kysely, PostgresDialect, sql } from 'kysely'
import type { StoreAccess } from '../../database/database.ts'
import { type EncryptedColumns, encryptColumns } from '../../database/encrypt-columns.ts'
import { inspectSchema, type SchemaState } from '../../database/inspect-schema.ts'
import { migrate } from '../../database/migrate.ts'
import { setUpEncryption } from '../../database/set-up-encryption.ts'
import { withSetUpPool } from '../../database/set-up-pool.ts'
import { nameStatements } from '../../database/statement-names.ts'
import { createJobTable } from '../../jobs/job-store.ts'
import { up as createTables } from './migrations/0001-service-tables.ts'
import { SCHEMA } from './prepare.ts'
import type { Tables } from './tables.ts'

const MIGRATIONS = {
  '0001-service-tables': {
    async up(db: Kysely<unknown>) {
      await createTables(db)
      for (const statement of createJobTable(SCHEMA)) await sql.raw(statement).execute(db)
    },
  },
}

const ENCRYPTED_COLUMNS: EncryptedColumns = { webhook: { secret: 'text' } }

/** Brings the service's tables to their latest version, and opens them. */
export async function openServiceDatabase(access: StoreAccess): Promise<Kysely<Tables>> {
  const { pool, encryption } = access
  await migrate(access, { schema: SCHEMA, migrations: MIGRATIONS })
  await withSetUpPool(pool, (setUpPool) => {
    const db = openTables({ pool: setUpPool, encryption })
    return setUpEncryption({ db, schema: SCHEMA, tables: ENCRYPTED_COLUMNS, encryption })
  })
  return openServiceTables(access)
}

/** Opens the service's tables as they are. */
export const openServiceTables = (access: Pick<StoreAccess, 'pool' | 'encryption'>): Kysely<Tables> =>
  openTables(access).withSchema(SCHEMA)

const openTables = ({ pool, encryption }: Pick<StoreAccess, 'pool' | 'encryption'>) =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: nameStatements(pool) }),
    plugins: [encryptColumns(ENCRYPTED_COLUMNS, encryption)],
  })

export const inspectServiceDatabase = (access: StoreAccess): Promise<SchemaState> =>
  inspectSchema(access, {
    schema: SCHEMA,
    migrations: MIGRATIONS,
    tables: ENCRYPTED_COLUMNS,
  })
