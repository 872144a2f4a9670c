import { Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'

type Migrations = { schema: string; migrations: Record<string, Migration> }

/** Brings the tables of a schema to the latest version. Instances that start at once take turns. */
export async function migrate(pool: Pool, { schema, migrations }: Migrations): Promise<void> {
  const client = await pool.connect()
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
  } finally {
    client.release(true) // The setting must not apply to other queries.
  }
}
