import { Kysely, type Migration, PostgresDialect } from 'kysely'
import { checkKeys, type KeyUse } from './check-keys.ts'
import { checkRoles, type RoleNeeds } from './check-roles.ts'
import type { StoreAccess } from './database.ts'
import type { EncryptedColumns } from './encrypt-columns.ts'
import { listAppliedMigrations } from './migrate.ts'

export type SchemaState = {
  pending: string[]
  /** Migrations of a newer version of the program. */
  unknown: string[]
  keyUses: KeyUse[]
}

type Schema = RoleNeeds & { migrations: Record<string, Migration>; tables: EncryptedColumns }

/** Compares a schema with this version of the program, without changing it. Throws an error if the roles or keys don't fit. */
export async function inspectSchema(
  access: StoreAccess,
  { migrations, tables, ...needs }: Schema,
): Promise<SchemaState> {
  const { pool, encryption } = access
  const { schema } = needs
  await checkRoles(access, needs)
  const applied = await listAppliedMigrations(pool, schema)
  const known = Object.keys(migrations)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
    keyUses: await checkKeys(db, { schema, tables, encryption }),
  }
}
