import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { useEmbeddedServer } from '../../src/database/embedded-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** One real PostgreSQL for the whole run; each test file makes databases of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'upnext-test-'))
  await chmod(dir, 0o755)
  const server = await useEmbeddedServer(dir, randomBytes)
  project.provide('postgresUrl', server.url)
  return async () => {
    await server.leave()
    await rm(dir, { recursive: true, force: true })
  }
}
