import { checkKeys } from './check-keys.ts'
import { checkRoles } from './check-roles.ts'
import type { StoreAccess } from './database.ts'
import { checkTableVersion, listAppliedMigrations } from './migrate.ts'
import { openTables, type Schema } from './schema.ts'

/** Compares a schema with this version of the program, without changing it. Throws an error if they don't fit together. */
export async function inspectSchema(access: StoreAccess, schema: Schema) {
  const { pool, encryption } = access
  await checkRoles(access, schema.name)
  await checkTableVersion(pool, schema)
  const applied = await listAppliedMigrations(pool, schema.name)
  return {
    pending: Object.keys(schema.migrations).filter((name) => !applied.includes(name)),
    keyUses: await checkKeys(openTables(access, schema), { ...schema, encryption }),
  }
}
