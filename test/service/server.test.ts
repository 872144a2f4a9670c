import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock, waitUntil } from '../support/clock.ts'
import { createDatabase } from '../support/database.ts'
import { startProxy } from '../support/servers.ts'
import { SERVICE_TEMPLATE, startTestService, type TestService } from '../support/service.ts'

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

const isListening = (service: TestService) =>
  service.request('GET', '/healthz').then(
    () => true,
    () => false,
  )

describe('the HTTP server', () => {
  it("the server adds the request id to the response and the log, but doesn't log the token", async () => {
    const { lines, log } = captureLog()
    const service = await startService({ log })
    const response = await service.request('GET', '/api/v1/projects', { token: 'upn_very-secret' })
    const id = response.headers.get('x-request-id')
    const entries = lines.map((line) => JSON.parse(line)).filter((line) => line.reqId === id)
    expect(entries.map(({ msg }) => msg)).toEqual(['incoming request', 'request completed'])
    expect(entries[1].res.statusCode).toBe(401)
    expect(lines.join('')).not.toContain('upn_very-secret')
  })

  it('the server reports that it is healthy and ready', async () => {
    const service = await startService()
    expect(await service.request('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
  })

  it('the server responds in JSON to a path that it cannot decode', async () => {
    const service = await startService()
    expect(await service.request('GET', '/%zz')).toMatchObject({
      status: 400,
      body: { detail: expect.any(String) },
    })
  })

  it('the server finishes requests in progress when it stops, and accepts no new ones', async () => {
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

  it('the server stops even if a client never finishes its request', async () => {
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

  it('the server responds with 503 while the database is unreachable, and recovers afterwards', async () => {
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

  it('the server keeps running after a connection that does not speak HTTP', async () => {
    const service = await startService()
    const reply = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
        socket.write('HELO\r\n\r\n'),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(reply).toContain('400 Bad Request')
    expect((await service.request('GET', '/healthz')).status).toBe(200)
  })

  it('four servers that start at once on an empty database share its tables', async () => {
    const databaseUrl = await createDatabase()
    const instances = await Promise.all([1, 2, 3, 4].map(() => startService({ databaseUrl })))
    const [first, second] = instances as [TestService, TestService]
    const project = await first.addProject()
    const viewer = await second.addMember(project, 'VIEWER')
    for (const instance of instances)
      expect((await instance.request('GET', `/api/v1/projects/${project}/posts`, viewer)).status).toBe(200)
  })
})
