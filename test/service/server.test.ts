import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { MAX_RUN_MS } from '../../src/jobs/limit-run-time.ts'
import type { Runtime } from '../../src/runtime.ts'
import { createTestClock, waitUntil } from '../support/clock.ts'
import { createDatabase, declareSecrets, openTestDatabase } from '../support/database.ts'
import { startProxy } from '../support/servers.ts'
import { SERVICE_TEMPLATE, startTestService, type TestService } from '../support/service.ts'
import { OTHER_SECRET, TEST_SECRET } from '../support/test-secret.ts'

const services: TestService[] = []
afterEach(async () => {
  for (const service of services.splice(0)) await service.stop().catch(() => {})
})
const startService = async (options: Parameters<typeof startTestService>[0] = {}) => {
  const service = await startTestService({ runtime: createTestClock().runtime, ...options })
  services.push(service)
  return service
}

const captureLog = () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: pino(stream) }
}

/** Starts a request that waits in the database until `release` is called. */
const startBlockedRequest = async (service: TestService) => {
  const project = await service.addProject()
  const editor = await service.addMember(project, 'EDITOR')
  const lockHolder = await service.pool.connect()
  lockHolder.on('error', () => {})
  await lockHolder.query('begin; lock table service.prompt in exclusive mode')
  const response = service.request('POST', `/api/v1/projects/${project}/prompts`, {
    ...editor,
    json: { Title: 'Blocked', PromptText: 'x' },
  })
  await waitUntil(async () => {
    const { rows } = await service.pool.query(
      `select from pg_locks join pg_database on pg_database.oid = database
       where datname = current_database() and not granted`,
    )
    return rows.length === 1
  })
  return { response, lockHolder, project, editor }
}

it('serves requests while another instance adds columns to the tables', async () => {
  const service = await startService()
  const project = await service.addProject()
  const editor = await service.addMember(project, 'EDITOR')
  const posts = `/api/v1/projects/${project}/posts`
  const createAndList = async () => {
    const { status } = await service.request('POST', posts, { ...editor, json: { Content: 'Hello' } })
    expect(status).toBe(201)
    return (await service.request('GET', posts, editor)).body.data.Total
  }
  const templates = async () =>
    (await service.request('GET', `/api/v1/projects/${project}/templates`, editor)).status
  expect(await createAndList()).toBe(1)
  expect(await templates()).toBe(200)
  await service.pool.query('alter table service.post add column added text')
  await service.pool.query('alter table service.template add column added text')
  expect(await createAndList()).toBe(2)
  expect(await templates()).toBe(200)
})

/** Sends bytes that no HTTP client would send, and returns everything that the server sends until it disconnects. */
const sendBytes = (service: TestService, bytes: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })

const TIMEOUT_RESPONSE =
  /^HTTP\/1.1 408 .*{"error":"Request Timeout","message":"Client Timeout","statusCode":408}$/s

const isListening = (service: TestService) =>
  service.request('GET', '/healthz').then(
    () => true,
    () => false,
  )

describe('the HTTP server', () => {
  it("adds the request id to the response and the log, but doesn't log the token", async () => {
    const { lines, log } = captureLog()
    const service = await startService({ log })
    const response = await service.request('GET', '/api/v1/projects', { token: 'upn_very-secret' })
    const id = response.headers.get('x-request-id')
    const entries = lines.map((line) => JSON.parse(line)).filter((line) => line.reqId === id)
    expect(entries.map(({ msg }) => msg)).toEqual(['incoming request', 'request completed'])
    expect(entries[1].res.statusCode).toBe(401)
    expect(lines.join('')).not.toContain('upn_very-secret')
  })

  it('reports that it is healthy and ready', async () => {
    const service = await startService()
    expect(await service.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('responds in JSON to a path that it cannot decode', async () => {
    const service = await startService()
    expect(await service.request('GET', '/%zz')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    })
  })

  it('finishes requests in progress when it stops, and accepts no new ones', async () => {
    const service = await startService()
    const { response, lockHolder } = await startBlockedRequest(service)
    const stopping = service.stop()
    services.splice(0)
    await waitUntil(async () => !(await isListening(service)))
    await lockHolder.query('commit')
    lockHolder.release()
    expect((await response).status).toBe(201)
    await stopping
  })

  it('stops even if a client never finishes its request', async () => {
    const { lines, log } = captureLog()
    const service = await startService({ log, timing: { shutdownTimeoutMs: 100 } })
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /api/v1/projects/x/posts HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{')
    await waitUntil(() => lines.some((line) => line.includes('incoming request')))
    services.splice(0)
    await service.stop()
    socket.destroy()
  })

  it('responds with 503 while the database is unreachable, and recovers afterwards', async () => {
    const proxy = await startProxy(await createDatabase(SERVICE_TEMPLATE))
    const service = await startService({ databaseUrl: proxy.url })
    const { response, lockHolder, project, editor } = await startBlockedRequest(service)
    const listPosts = () => service.request('GET', `/api/v1/projects/${project}/posts`, editor)
    proxy.disconnect()
    lockHolder.release(true)
    expect((await response).status).toBe(503)
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 503 })
    expect(await service.request('GET', '/healthz')).toMatchObject({ status: 200 })
    const failed = await listPosts()
    expect([failed.status, failed.body]).toEqual([503, { detail: expect.stringContaining('database') }])
    expect(failed.headers.get('retry-after')).toBe('1')

    proxy.reconnect()
    expect((await listPosts()).status).toBe(200)
    await service.stop()
    services.splice(0)
    await proxy.close()
  })

  it('is not ready while another instance has a key that this one lacks', async () => {
    const clock = createTestClock()
    const service = await startService({ runtime: clock.runtime })
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200 })
    const other = await declareSecrets(service.databaseUrl, [OTHER_SECRET, TEST_SECRET])
    // An instance that is refused is gone before it counts.
    clock.advance(1000)
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200 })
    clock.advance(30_000)
    const detail =
      "Instances with different keys can't read each other's data. Set the same SECRET_KEY for all."
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 503, body: { detail } })
    await other.end()
  })

  it('is not ready while publishing hangs', async () => {
    const { lines, log } = captureLog()
    const clock = createTestClock()
    let endingRuns = new AbortController()
    let runs = 0
    const sleep: Runtime['sleep'] = (ms, signal) => {
      if (ms !== MAX_RUN_MS || !signal) return clock.runtime.sleep(ms, signal)
      runs += 1
      signal.addEventListener('abort', () => (runs -= 1), { once: true })
      return clock.runtime.sleep(ms, AbortSignal.any([signal, endingRuns.signal]))
    }
    const service = await startService({ log, runtime: { ...clock.runtime, sleep } })
    const lockHolder = await service.pool.connect()
    await lockHolder.query('begin; lock table service.post in access exclusive mode')
    await waitUntil(async () => {
      const query = "select from pg_locks where relation = 'service.post'::regclass and not granted"
      // Another worker that runs at this moment would also count as hanging, and some run only once an hour.
      return (await service.pool.query(query)).rowCount === 1 && runs === 1
    })
    endingRuns.abort()
    endingRuns = new AbortController()
    const detail = 'The worker that should publish due posts hangs or keeps failing. The log says why.'
    await waitUntil(async () => (await service.request('GET', '/readyz')).body.detail === detail)
    expect(lines.filter((line) => line.includes('Failed to publish due posts'))).toHaveLength(1)
    await lockHolder.query('commit')
    lockHolder.release()
    await waitUntil(async () => (await service.request('GET', '/readyz')).status === 200)
  })

  it('responds with 503 if all connections to the database are in use', async () => {
    const service = await startService()
    const connections = await Promise.all(
      Array.from({ length: service.pool.options.max ?? 0 }, () => service.pool.connect()),
    )
    const response = await service.request('GET', '/api/v1/projects', { token: 'x' })
    for (const connection of connections) connection.release()
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await service.request('GET', '/api/v1/projects', { token: 'x' })).status).toBe(401)
  })

  it('responds with 503 if the database takes too long', async () => {
    const databaseUrl = `${await createDatabase(SERVICE_TEMPLATE)}?statement_timeout=2000`
    const service = await startService({ databaseUrl })
    const { response, lockHolder } = await startBlockedRequest(service)
    const { status, headers } = await response
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    await lockHolder.query('rollback')
    lockHolder.release()
  })

  it('lets a migration take longer than other statements', async () => {
    const databaseUrl = `${await createDatabase(SERVICE_TEMPLATE)}?statement_timeout=100`
    const { pool, close } = await openTestDatabase(databaseUrl, { queryTimeoutMs: 1000 })
    await migrate({ pool }, { name: 'slow', migrations: { '0001': ['select pg_sleep(1.2)'] } })
    await expect(pool.query('select pg_sleep(1.2)')).rejects.toThrow('statement timeout')
    await close()
  })

  it('keeps running after a connection that does not speak HTTP', async () => {
    const service = await startService()
    expect(await sendBytes(service, 'HELO\r\n\r\n')).toContain('400 Bad Request')
    expect((await service.request('GET', '/healthz')).status).toBe(200)
  })

  it.each([
    ['headers', 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-'],
    ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
    ['a body in chunks', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('responds with 408 to a request with %s that never ends', async (_case, bytes) => {
    const service = await startService({ timing: { requestTimeoutMs: 100 } })
    expect(await sendBytes(service, bytes)).toMatch(TIMEOUT_RESPONSE)
  })

  it('responds with 408 to an authorized request whose body never ends', async () => {
    const service = await startService({ timing: { requestTimeoutMs: 100 } })
    const project = await service.addProject()
    const { token } = await service.addMember(project, 'EDITOR')
    const headers = `host: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 100`
    const bytes = `POST /api/v1/projects/${project}/prompts HTTP/1.1\r\n${headers}\r\n\r\n{`
    expect(await sendBytes(service, bytes)).toMatch(TIMEOUT_RESPONSE)
  })

  it('lets no response be cached or interpreted as another type', async () => {
    const service = await startService()
    const responses = await Promise.all(
      ['GET /healthz', 'GET /nowhere', 'GET /%zz', 'PATCH /api/v1/projects', 'GET /api/v1/projects'].map(
        (line) => sendBytes(service, `${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
      ),
    )
    expect(responses.map((response) => response.slice(9, 12))).toEqual(['200', '404', '400', '405', '401'])
    for (const response of responses) {
      expect(response).toMatch(/^cache-control: no-store\r$/m)
      expect(response).toMatch(/^x-content-type-options: nosniff\r$/m)
    }
  })

  it.each(['..', '%2e%2e', '%2E.', '.', '..%2f..%2fprojects', '%5c..', '..;'])(
    'keeps the id %s in its place in the path',
    async (id) => {
      const service = await startService()
      const project = await service.addProject()
      const { token } = await service.addMember(project, 'ADMIN')
      const request = (method: string, path: string) =>
        sendBytes(
          service,
          `${method} /api/v1/projects/${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n\r\n`,
        )
      for (const path of [id, `${id}/posts`, `${project}/templates/${id}`, `${project}/posts/${id}/logs`])
        expect(await request('GET', path)).toMatch(/^HTTP\/1.1 404 /)
      expect(await request('PUT', `${project}/users/${id}`)).toMatch(/^HTTP\/1.1 404 /)
      await service.stop()
    },
  )

  it('shares the tables of an empty database between four servers that start simultaneously', async () => {
    const databaseUrl = await createDatabase()
    const instances = await Promise.all([1, 2, 3, 4].map(() => startService({ databaseUrl })))
    const [first, second] = instances as [TestService, TestService]
    const project = await first.addProject()
    const viewer = await second.addMember(project, 'VIEWER')
    for (const instance of instances)
      expect((await instance.request('GET', `/api/v1/projects/${project}/posts`, viewer)).status).toBe(200)
  })
})

describe('the rate limit', () => {
  const LIMIT = { requestsPerMinute: 3 }
  const addViewer = async (service: TestService) => service.addMember(await service.addProject(), 'VIEWER')
  const statusOf = async (service: TestService, token?: string) =>
    (await service.request('GET', '/api/v1/projects', { token })).status

  it('allows a token a number of requests per minute, and returns the number left in the headers', async () => {
    const clock = createTestClock()
    const service = await startService({ ...LIMIT, runtime: clock.runtime })
    const viewer = await addViewer(service)
    const other = await addViewer(service)
    const request = () => service.request('GET', '/api/v1/projects', viewer)
    const first = await request()
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=3;w=60')
    expect(first.headers.get('ratelimit')).toBe('"default";r=2;t=60')
    clock.advance(20_000)
    expect((await request()).headers.get('ratelimit')).toBe('"default";r=1;t=40')
    expect((await request()).status).toBe(200)
    const rejected = await request()
    expect([rejected.status, rejected.body]).toEqual([429, { detail: expect.stringContaining('40 s') }])
    expect(rejected.headers.get('retry-after')).toBe('40')
    expect(rejected.headers.get('ratelimit')).toBe('"default";r=0;t=40')
    expect(await statusOf(service, other.token)).toBe(200)

    clock.advance(39_999)
    expect((await request()).status).toBe(429)
    clock.advance(1)
    expect((await request()).status).toBe(200)
  })

  it('counts requests without permission', async () => {
    const service = await startService(LIMIT)
    const viewer = await addViewer(service)
    const path = '/api/v1/projects/00000000-0000-4000-8000-000000000000/posts'
    const responses = []
    for (let i = 0; i < 4; i++) responses.push(await service.request('GET', path, viewer))
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 429])
  })

  it('counts guessed tokens and unknown paths for the address, and keeps accepting known tokens', async () => {
    const service = await startService(LIMIT)
    const [viewer, newcomer] = [await addViewer(service), await addViewer(service)]
    expect(await statusOf(service, viewer.token)).toBe(200)
    expect([await statusOf(service), await statusOf(service, 'guess-1')]).toEqual([401, 401])
    expect((await service.request('GET', '/nowhere')).status).toBe(404)
    expect([await statusOf(service), await statusOf(service, 'guess-2')]).toEqual([429, 429])
    for (const path of ['/nowhere', '/readyz'])
      expect((await service.request('GET', path)).headers.get('retry-after')).toBe('60')
    expect((await service.request('PATCH', '/api/v1/projects')).status).toBe(429)
    expect(await statusOf(service, viewer.token)).toBe(200)
    // Without a look-up in the database, this could be another guess.
    expect(await statusOf(service, newcomer.token)).toBe(429)
    expect((await service.request('GET', '/healthz')).status).toBe(200)
  })

  it('keeps accepting a known token while others guess tokens for many minutes', async () => {
    const clock = createTestClock()
    const service = await startService({ ...LIMIT, runtime: clock.runtime })
    const viewer = await addViewer(service)
    for (let minute = 0; minute < 4; minute++) {
      expect(await statusOf(service, viewer.token)).toBe(200)
      clock.advance(30_000)
      for (let guess = 0; guess < 5; guess++) await statusOf(service, `guess-${minute}-${guess}`)
      clock.advance(31_000)
      for (let guess = 0; guess < 5; guess++) await statusOf(service, `later-${minute}-${guess}`)
    }
  })

  it('has no limit with 0 requests per minute', async () => {
    const service = await startService({ requestsPerMinute: 0 })
    const response = await service.request('GET', '/nowhere')
    expect([response.status, response.headers.get('ratelimit')]).toEqual([404, null])
  })
})
