import { Kysely, type Migration, PostgresDialect } from 'kysely'
import type { StoreAccess } from './database.ts'
import { checkKeys, type KeyTable } from './set-up-encryption.ts'

/** `unknown` are migrations of a newer version of the program. */
export type MigrationState = { pending: string[]; unknown: string[] }

/** Compares a schema with this version of the program, without changing it. Throws an error if the keys don't fit. */
export async function inspectSchema(
  { pool, encryption }: StoreAccess,
  { schema, migrations }: { schema: string; migrations: Record<string, Migration> },
): Promise<MigrationState> {
  const table = `${schema}.kysely_migration`
  const { rows } = await pool.query('select to_regclass($1) is not null as exists', [table])
  const applied: string[] = rows[0].exists
    ? (await pool.query(`select name from ${table}`)).rows.map(({ name }) => name)
    : []
  const known = Object.keys(migrations)
  const pending = known.filter((name) => !applied.includes(name))
  const db = new Kysely<KeyTable>({ dialect: new PostgresDialect({ pool }) }).withSchema(schema)
  if (!pending.length) await checkKeys(db, encryption)
  return { pending, unknown: applied.filter((name) => !known.includes(name)) }
}
