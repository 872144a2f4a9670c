import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbeddedServer } from '../../src/database/embedded-server.ts'
import { createTempFolder } from './temp-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** Starts one PostgreSQL server for the whole run. Each test file creates its own databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await createTempFolder('upnext-test-')
  const server = await openEmbeddedServer(folder, randomBytes)
  await disableCrashSafety(server.url)
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The databases of a test run don't need to survive a crash, and without these settings they are faster. */
async function disableCrashSafety(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
