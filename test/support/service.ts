import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { type Runtime, systemRuntime } from '../../src/runtime.ts'
import { readApiDocument } from '../../src/service/api-document.ts'
import { type ServiceOptions, startService } from '../../src/service/service.ts'
import { openServiceDatabase, openServiceTables } from '../../src/service/stores/database.ts'
import { findOrCreatePerson, insertProjectUser } from '../../src/service/stores/people-store.ts'
import { insertProject } from '../../src/service/stores/projects-store.ts'
import { saveToken } from '../../src/service/stores/tokens-store.ts'
import type { ProjectRole, UserStatus } from '../../src/service/values.ts'
import { type BorrowedDatabase, borrowDatabase } from './borrowed-database.ts'
import { type DatabaseTemplate, openTestDatabase } from './database.ts'

// biome-ignore lint/suspicious/noExplicitAny: a response can contain any JSON, and each test knows which
export type TestResponse = { status: number; headers: Headers; body: any }

export type TestService = Awaited<ReturnType<typeof startTestService>>

type TestServiceOptions = Pick<
  Partial<ServiceOptions>,
  'timing' | 'log' | 'metrics' | 'requestsPerMinute' | 'retentionDays' | 'botToken'
> & {
  /** Usually `createTestClock().runtime`. */
  runtime?: Partial<Runtime>
  /** Shared by several services. Stopping one of them leaves it open. */
  borrowed?: BorrowedDatabase
  /** An existing database, which keeps its data when the service stops. By default, the service borrows a copy of the template. */
  databaseUrl?: string
  template?: DatabaseTemplate
  publishing?: Partial<ServiceOptions['publishing']>
}

/** No account can publish with these. */
export const NO_PUBLISHERS: ServiceOptions['publishing'] = {
  telegramApiUrl: 'http://127.0.0.1:9',
  postiz: undefined,
  ownMediaPrefixes: [],
  requireAccounts: false,
  allowPrivateWebhooks: true,
}

/** A database with the service's tables. */
export const SERVICE_TEMPLATE: DatabaseTemplate = {
  name: 'service_template',
  setUp: openServiceDatabase,
}

const API_DOCUMENT = readApiDocument()

/** Shorter than in production, so that tests wait less. */
const TEST_TIMING = { jobIntervalMs: 50 }

async function findDatabase({
  borrowed,
  databaseUrl: url,
  template = SERVICE_TEMPLATE,
}: TestServiceOptions): Promise<BorrowedDatabase> {
  if (borrowed) return borrowed
  return url ? { url, database: await openTestDatabase(url) } : borrowDatabase(template)
}

/** Starts the real service on a real database, and offers shortcuts to fill it and to call it. */
export async function startTestService(options: TestServiceOptions = {}) {
  const { url: databaseUrl, database } = await findDatabase(options)
  // A copy of a template has the tables already.
  const db = options.databaseUrl ? await openServiceDatabase(database) : openServiceTables(database)
  const { url, stop } = await startService({
    database,
    db,
    host: '127.0.0.1',
    port: 0,
    log: options.log ?? createLog('silent'),
    metrics: options.metrics ?? createMetrics(),
    runtime: { ...systemRuntime, ...options.runtime },
    apiDocument: API_DOCUMENT,
    requestsPerMinute: options.requestsPerMinute ?? 0,
    botToken: options.botToken,
    retentionDays: options.retentionDays ?? 365,
    publishing: { ...NO_PUBLISHERS, ...options.publishing },
    timing: { ...TEST_TIMING, ...options.timing },
  })
  let count = 0

  const addProject = async (name = `Project ${++count}`): Promise<string> => {
    const project = await insertProject(db, name)
    if (!project) throw new Error(`There is already a project called ${name}.`)
    return project.id
  }

  /** Adds a new person to the project and creates a token for them. */
  const addMember = async (project_id: string, role: ProjectRole, status: UserStatus = 'ACTIVE') => {
    const email = `${role.toLowerCase()}-${++count}@upnext.example`
    const { id } = await findOrCreatePerson(db, email)
    const names = { first_name: null, last_name: null, phone_number: null }
    await insertProjectUser(db, { project_id, user_id: id, role, status, ...names })
    const token = `token-of-${email}`
    await saveToken(db, { user_id: id, token, label: 'test' })
    return { id, email, token }
  }

  /** Adds scheduled posts to the tables, which is faster than creating them. Posts of the same time come before all others. */
  const addPosts = (project_id: string, { count, from, intervalMs = 0 }: NewPosts) =>
    database.pool.query(
      `insert into service.post (id, project_id, content, timezone, platforms, status, schedule_date)
        select lpad(n::text, 32, '0')::uuid, $1, 'Post ' || n || '.', 'UTC', array['X'], 'SCHEDULED',
          $2::timestamptz + (n - 1) * $3 * interval '1 millisecond'
        from generate_series(1, $4::int) n`,
      [project_id, from, intervalMs, count],
    )

  const request = async (method: string, path: string, options: RequestOptions = {}) => {
    const { token, json, body = json === undefined ? undefined : JSON.stringify(json), headers } = options
    const response = await fetch(url + path, {
      method,
      body: body ?? null,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    const text = await response.text()
    const result: TestResponse = {
      status: response.status,
      headers: response.headers,
      body: text && JSON.parse(text),
    }
    return result
  }

  return {
    url,
    databaseUrl,
    db,
    database,
    pool: database.pool,
    addProject,
    addMember,
    addPosts,
    request,
    async stop() {
      await stop()
      if (!options.borrowed) await database.close()
    },
  }
}

type NewPosts = {
  count: number
  /** The time of the first post, in ISO format. */
  from: string
  intervalMs?: number
}

type RequestOptions = {
  token?: string | undefined
  json?: unknown
  body?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}
