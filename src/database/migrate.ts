import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { StoreAccess } from './database.ts'

const GRANT_LOCK_ID = 7_503_204

type MigrationAccess = Pick<StoreAccess, 'pool' | 'ownerPool'>

type Migrations = {
  schema: string
  migrations: Record<string, Migration>
  /** SQL that takes some of the access to the tables away again, if the application's role isn't their owner. */
  restrictRole?: (role: string) => string
}

/** Brings the tables of a schema to the latest version. Instances that start at once take turns. */
export async function migrate(
  access: MigrationAccess,
  { schema, migrations, restrictRole }: Migrations,
): Promise<void> {
  const { pool, ownerPool = pool } = access
  const client = await ownerPool.connect()
  try {
    // A migration can take longer than other statements, and meanwhile other instances wait for it.
    await client.query('set statement_timeout = 0')
    const connection = { query: client.query.bind(client), release: () => {} }
    const singleConnectionPool = { connect: async () => connection, end: async () => {} }
    const db = new Kysely({ dialect: new PostgresDialect({ pool: singleConnectionPool }) })
    const provider = { getMigrations: async () => migrations }
    const migrator = new Migrator({ db, provider, migrationTableSchema: schema })
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
    if (ownerPool === pool) return
    const role = await findRole(pool)
    await refuseOwner(client, schema, role)
    // One query is one transaction, so the role never has more access than it keeps. Grants at the same time would fail.
    const lock = `select pg_advisory_xact_lock(${GRANT_LOCK_ID})`
    await client.query(`${lock}; ${grantAccess(schema, role)}; ${restrictRole?.(role) ?? ''}`)
  } finally {
    client.release(true) // The setting must not apply to other queries.
  }
}

/** The role of the application, quoted. */
async function findRole(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query('select current_user as role')
  return pg.escapeIdentifier(rows[0].role)
}

/** Nothing can keep an owner, or a superuser, from changing tables. */
async function refuseOwner(client: pg.PoolClient, schema: string, role: string): Promise<void> {
  const { rowCount } = await client.query(OWNED_TABLES_QUERY, [schema, role])
  if (rowCount)
    throw new Error(
      `The role in DATABASE_URL owns the tables in the schema ${schema}, or is a superuser, so DATABASE_OWNER_URL protects nothing. Make another role their owner with "reassign owned by", or remove DATABASE_OWNER_URL.`,
    )
}

const OWNED_TABLES_QUERY = `
  select from pg_class where relnamespace = $1::regnamespace and relkind = 'r'
    and pg_has_role($2::regrole, relowner, 'member') limit 1`

/** The owner keeps the tables. The application's role uses them. */
const grantAccess = (schema: string, role: string): string => `
  grant usage on schema ${schema} to ${role};
  grant select, insert, update, delete on all tables in schema ${schema} to ${role};
  grant usage on all sequences in schema ${schema} to ${role};
  grant execute on all functions in schema ${schema} to ${role}`
