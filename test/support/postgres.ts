import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openEmbeddedServer } from '../../src/database/embedded-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** Starts one PostgreSQL server for the whole run. Each test file creates its own databases on it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(await parentFolder(), 'upnext-test-'))
  await chmod(dir, 0o755)
  const server = await openEmbeddedServer(dir, randomBytes)
  await disableCrashSafety(server.url)
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.close()
    await rm(dir, { recursive: true, force: true })
  }
}

const MIN_MEMORY_BYTES = 4 * 1024 ** 3

/** In memory where there is enough of it: creating a database there takes a fifth of the time. */
async function parentFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined)
  return memory && memory.bavail * memory.bsize > MIN_MEMORY_BYTES ? '/dev/shm' : tmpdir()
}

/** Turns off what protects data from a crash: the databases of a test run needn't survive one. */
async function disableCrashSafety(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
  await client.end()
}
