import type { Logger } from 'pino'
import { createLog } from '../../src/log.ts'
import { type Runtime, systemRuntime } from '../../src/runtime.ts'
import type { Role, UserStatus } from '../../src/service/allowed-values.ts'
import { startService } from '../../src/service/service.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { startJobQueue } from '../../src/service/stores/job-queue.ts'
import { findOrCreatePerson, insertProjectUser } from '../../src/service/stores/people-store.ts'
import { insertProject } from '../../src/service/stores/projects-store.ts'
import type { Db } from '../../src/service/stores/tables.ts'
import { saveToken } from '../../src/service/stores/tokens-store.ts'
import { createDatabase, type DatabaseTemplate, openTestDatabase } from './database.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a service answers is JSON of any shape; the tests say which
export type Reply = { status: number; headers: Headers; body: any }

export type TestService = Awaited<ReturnType<typeof startTestService>>

type TestServiceOptions = {
  runtime?: Partial<Runtime>
  /** An existing database. Without it, the service gets a copy of the template. */
  url?: string
  template?: DatabaseTemplate
  log?: Logger
}

/** The service's tables and job queue, already migrated. */
export const SERVICE_TEMPLATE: DatabaseTemplate = {
  name: 'service_template',
  async setUp(pool) {
    await openServiceDatabase(pool)
    const jobs = await startJobQueue({ pool, onError: () => {} })
    await jobs.stop({ graceful: true })
  },
}

/** The real service on a real database of its own, with ways to fill it. */
export async function startTestService({
  runtime = {},
  url,
  template = SERVICE_TEMPLATE,
  log = createLog('silent'),
}: TestServiceOptions = {}) {
  const databaseUrl = url ?? (await createDatabase(template))
  const database = await openTestDatabase(databaseUrl)
  const service = await startService({
    pool: database.pool,
    host: '127.0.0.1',
    port: 0,
    log,
    runtime: { ...systemRuntime, ...runtime },
  })
  const { db } = service
  let count = 0

  const addProject = async (name = `Project ${++count}`): Promise<string> => {
    const project = await insertProject(db, name)
    if (!project) throw new Error(`there is a ${name} already`)
    return project.id
  }

  /** A new person with that role in the project, and their token. */
  const addMember = async (project_id: string, role: Role, status: UserStatus = 'ACTIVE') => {
    const email = `${role.toLowerCase()}-${++count}@upnext.example`
    const person = await findOrCreatePerson(db, email)
    const names = { first_name: null, last_name: null, phone_number: null }
    await insertProjectUser(db, { project_id, user_id: person.id, role, status, ...names })
    return { id: person.id, email, token: await addToken(db, person.id, `token-of-${email}`) }
  }

  const request = async (method: string, path: string, options: RequestOptions = {}): Promise<Reply> => {
    const { token, json, body = json === undefined ? undefined : JSON.stringify(json), headers } = options
    const response = await fetch(service.url + path, {
      method,
      body: body ?? null,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
  }

  return {
    url: service.url,
    databaseUrl,
    db,
    pool: database.pool,
    addProject,
    addMember,
    request,
    async stop() {
      await service.stop()
      await database.close()
    },
  }
}

type RequestOptions = {
  token?: string | undefined
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

async function addToken(db: Db, user_id: string, token: string): Promise<string> {
  await saveToken(db, { user_id, token, label: 'test' })
  return token
}
