import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openSharedServer } from '../../src/database/shared-server.ts'
import { createTempFolder } from './temp-folder.ts'

type SharedServer = Awaited<ReturnType<typeof openSharedServer>>

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the server with the application's role, which owns every test's database. */
    postgresUrl: string
    postgresSuperuser: pg.ClientConfig
  }
}

/** Starts one PostgreSQL server for the whole run. Each worker creates its own databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await createTempFolder('upnext-test-')
  const server = await openSharedServer(folder, randomBytes)
  await tuneForTests(server)
  project.provide('postgresUrl', server.url)
  project.provide('postgresSuperuser', { ...server.superuser, database: 'postgres' })
  return async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The databases of a test run don't need to survive a crash or to be cleaned up, which makes them faster. */
async function tuneForTests({ superuser, url }: SharedServer): Promise<void> {
  const settings = {
    scram_iterations: '1',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    checkpoint_timeout: '1h',
    max_wal_size: '8GB',
  }
  const client = new pg.Client({ ...superuser, database: 'postgres' })
  await client.connect()
  for (const [name, value] of Object.entries(settings))
    await client.query(`alter system set ${name} = '${value}'`)
  await client.query('select pg_reload_conf()')
  // Tests open many connections. The number of iterations is stored with each password.
  const { username, password } = new URL(url)
  await client.query(
    `set scram_iterations = 1; alter role ${client.escapeIdentifier(username)} password ${client.escapeLiteral(password)}`,
  )
  // A borrowed database is reset without regard to foreign keys.
  await client.query(
    `grant set on parameter session_replication_role to ${client.escapeIdentifier(username)}`,
  )
  await client.end()
}
