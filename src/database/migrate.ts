import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import { checkRoles, type RoleNeeds } from './check-roles.ts'
import type { StoreAccess } from './database.ts'
import { withSetUpPool } from './set-up-pool.ts'

const GRANT_LOCK_ID = 7_503_204

type MigrationAccess = Pick<StoreAccess, 'pool' | 'ownerPool'>

type Migrations = RoleNeeds & {
  migrations: Record<string, Migration>
  /** SQL that takes some of the access to the tables away again, if the application's role isn't their owner. */
  restrictRole?: (role: string) => string
}

/** Brings the tables of a schema to the latest version. Instances that start at once take turns. */
export async function migrate(
  access: MigrationAccess,
  { migrations, restrictRole, ...needs }: Migrations,
): Promise<void> {
  const { pool, ownerPool = pool } = access
  const { schema } = needs
  await checkRoles(access, needs)
  await refuseOtherTables(pool, schema, Object.keys(migrations))
  await withSetUpPool(ownerPool, async (setUpPool) => {
    const db = new Kysely({ dialect: new PostgresDialect({ pool: setUpPool }) })
    const provider = { getMigrations: async () => migrations }
    const migrator = new Migrator({ db, provider, migrationTableSchema: schema })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    if (ownerPool === pool) return
    const role = await findRole(pool)
    // One query is one transaction, so the role never has more access than it keeps. Grants at the same time would fail.
    const lock = `select pg_advisory_xact_lock(${GRANT_LOCK_ID})`
    await setUpPool.query(`${lock}; ${grantAccess(schema, role)}; ${restrictRole?.(role) ?? ''}`)
  })
}

/** Tables from before the first release, and those of a newer version, stay untouched. */
async function refuseOtherTables(pool: pg.Pool, schema: string, known: string[]): Promise<void> {
  const applied = await listAppliedMigrations(pool, schema)
  const unknown = applied.filter((name) => !known.includes(name))
  if (!unknown.length) return
  const isNewer = known.every((name) => applied.includes(name))
  const reason = isNewer
    ? `a newer version of Upnext has changed its tables (${unknown.join(', ')}). Start that version, or restore a backup from before`
    : 'its tables are from a version before the first release. Use an empty database or another DATA_DIR'
  throw new Error(`This database can't be used, and nothing in it was changed: ${reason}.`)
}

/** None if the schema doesn't exist. */
export async function listAppliedMigrations(pool: pg.Pool, schema: string): Promise<string[]> {
  const table = `${schema}.kysely_migration`
  const { rows } = await pool.query('select to_regclass($1) is not null as exists', [table])
  return rows[0].exists ? (await pool.query(`select name from ${table}`)).rows.map(({ name }) => name) : []
}

/** The role of the application, quoted. */
async function findRole(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query('select current_user as role')
  return pg.escapeIdentifier(rows[0].role)
}

/** The owner keeps the tables. The application's role uses them. */
const grantAccess = (schema: string, role: string): string => `
  grant usage on schema ${schema} to ${role};
  grant select, insert, update, delete on all tables in schema ${schema} to ${role};
  grant usage on all sequences in schema ${schema} to ${role};
  grant execute on all functions in schema ${schema} to ${role}`
