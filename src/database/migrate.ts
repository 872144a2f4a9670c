import { Kysely, type Migration, Migrator, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { VERSION } from '../version.ts'
import { checkRoles } from './check-roles.ts'
import type { StoreAccess } from './database.ts'
import { withMigrationPool } from './migration-pool.ts'

const GRANT_LOCK_ID = 7_503_204

type MigrationAccess = Pick<StoreAccess, 'pool' | 'ownerPool'>

export type MigratableSchema = {
  name: string
  /** The SQL statements of each migration. */
  migrations: Record<string, string[]>
  /** SQL that revokes some of the application role's access to the tables. It runs only if another role owns them. */
  restrictRole?: (role: string) => string
}

/** Brings the tables of a schema to the latest version. Instances that start simultaneously take turns. */
export async function migrate(access: MigrationAccess, schema: MigratableSchema): Promise<void> {
  const { pool, ownerPool = pool } = access
  const { name, restrictRole } = schema
  const role = pg.escapeIdentifier(await checkRoles(access, name))
  await checkTableVersion(pool, schema)
  await withMigrationPool(ownerPool, async (migrationPool) => {
    const db = new Kysely({ dialect: new PostgresDialect({ pool: migrationPool }) })
    const provider = { getMigrations: async () => toMigrations(schema) }
    const migrator = new Migrator({ db, provider, migrationTableSchema: name })
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error) throw error
    // An older version reads this comment to say which version has changed the tables.
    if (results.length) await migrationPool.query(`comment on schema ${name} is ${pg.escapeLiteral(VERSION)}`)
    if (ownerPool === pool) return
    // One query is one transaction, so the role never has too much access. Without the lock, simultaneous grants would fail.
    const lock = `select pg_advisory_xact_lock(${GRANT_LOCK_ID})`
    await migrationPool.query(`${lock}; ${grantAccessSql(name, role)}; ${restrictRole?.(role) ?? ''}`)
  })
}

const toMigrations = ({ migrations }: MigratableSchema): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, statements]) => [name, { up: (db) => runAll(db, statements) }]),
  )

async function runAll(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Throws an error if the tables are from before the first release or from a newer version, so that they stay untouched. */
export async function checkTableVersion(
  pool: pg.Pool,
  { name, migrations }: MigratableSchema,
): Promise<void> {
  const known = Object.keys(migrations)
  const applied = await listAppliedMigrations(pool, name)
  const unknown = applied.filter((name) => !known.includes(name))
  if (!unknown.length) return
  const isNewer = known.some((name) => applied.includes(name))
  const version = await findLastMigratingVersion(pool, name)
  const newerVersion = version ? `Upnext ${version}` : 'a newer version of Upnext'
  const reason = isNewer
    ? `${newerVersion} has changed its tables (${unknown.join(', ')}), and this is Upnext ${VERSION}. Start that version, or restore a backup from before that change`
    : 'its tables are from a version before the first release. Use an empty database or another DATA_DIR'
  throw new Error(`This database can't be used, and nothing in it was changed: ${reason}.`)
}

/** The version of Upnext that was the last to change the tables. */
async function findLastMigratingVersion(pool: pg.Pool, schema: string): Promise<string | undefined> {
  const { rows } = await pool.query(
    "select obj_description(to_regnamespace($1), 'pg_namespace') as version",
    [schema],
  )
  return rows[0].version ?? undefined
}

/** Returns an empty list if the schema doesn't exist. */
export async function listAppliedMigrations(pool: pg.Pool, schema: string): Promise<string[]> {
  const table = `${schema}.kysely_migration`
  const { rows } = await pool.query('select to_regclass($1) is not null as exists', [table])
  return rows[0].exists ? (await pool.query(`select name from ${table}`)).rows.map(({ name }) => name) : []
}

/** The tables keep their owner. The application's role only gets access to them. */
const grantAccessSql = (schema: string, role: string): string => `
  grant usage on schema ${schema} to ${role};
  grant select, insert, update, delete on all tables in schema ${schema} to ${role};
  grant usage on all sequences in schema ${schema} to ${role};
  grant execute on all functions in schema ${schema} to ${role}`
