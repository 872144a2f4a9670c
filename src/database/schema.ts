import { Kysely, PostgresDialect } from 'kysely'
import type { StoreAccess } from './database.ts'
import { checkDatabaseIdentity, type IdentifiedSchema } from './database-identity.ts'
import { type EncryptedColumns, encryptColumns } from './encrypt-columns.ts'
import { type MigratableSchema, migrate } from './migrate.ts'
import { withMigrationPool } from './migration-pool.ts'
import { setUpEncryption } from './set-up-encryption.ts'
import { nameStatements } from './statement-names.ts'

/** Defines the tables of the service or the bot. */
export type Schema = MigratableSchema & IdentifiedSchema & { encrypted: EncryptedColumns }

export type TableAccess = Pick<StoreAccess, 'pool' | 'encryption'>

/** Opens the tables without migrating them. */
export const openTables = <Tables>(
  { pool, encryption }: TableAccess,
  { name, encrypted }: Schema,
): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: nameStatements(pool) }),
    plugins: [encryptColumns(encrypted, encryption)],
  }).withSchema(name)

/** Brings the tables to their latest version, and opens them. Refuses to open a restored backup. */
export async function openSchema<Tables>(access: StoreAccess, schema: Schema): Promise<Kysely<Tables>> {
  const { pool, ownerPool = pool, encryption } = access
  await migrate(access, schema)
  await checkDatabaseIdentity(ownerPool, schema)
  // Replacing a key updates audit entries, which only the owner may do.
  await withMigrationPool(ownerPool, (migrationPool) => {
    const db = openTables({ pool: migrationPool, encryption }, schema)
    return setUpEncryption({ ...schema, encryption, db })
  })
  return openTables(access, schema)
}
