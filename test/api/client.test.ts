import { afterEach, describe, expect, it } from 'vitest'
import { type Api, type ApiOptions, createApi } from '../../src/api/client.ts'
import { systemRuntime } from '../../src/runtime.ts'
import {
  type ReceivedRequest,
  startHttpServer,
  startTcpServer,
  type TestServer,
  unreachableUrl,
} from '../support/servers.ts'

const open: TestServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const apiAt = (baseUrl: string, options: Partial<ApiOptions> = {}): Api =>
  createApi({ ...systemRuntime, baseUrl, token: 'secret-token', deadlineMs: 5_000, ...options })

/** An API whose server gives these answers, one after the other, and the last one ever after. */
async function apiAnswering(
  ...answers: { status?: number; headers?: Record<string, string>; body?: unknown }[]
) {
  const server = await startHttpServer(({ index }, response) => {
    const { status = 200, headers = {}, body = '' } = answers[Math.min(index, answers.length - 1)] ?? {}
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  })
  open.push(server)
  return { api: apiAt(server.url), received: server.received }
}

/** An API on a bare socket. */
async function apiOnSocket(
  onRequest: (send: (text: string) => void, destroy: () => void, count: number) => void,
) {
  let requests = 0
  const server = await startTcpServer((socket) => {
    socket.on('data', () => {
      requests += 1
      onRequest(
        (text) => socket.write(text),
        () => socket.destroy(),
        requests,
      )
    })
  })
  open.push(server)
  return { api: apiAt(server.url, { deadlineMs: 700 }), requests: () => requests }
}

const project = { params: { path: { project_id: 'p1' } } }
const createPost = (api: Api) =>
  api.POST('/api/v1/projects/{project_id}/posts', { ...project, body: { Content: 'Hi' } })
const listPosts = (api: Api) => api.GET('/api/v1/projects/{project_id}/posts', project)
const deleteWebhook = (api: Api) => api.DELETE('/api/v1/projects/{project_id}/webhook', project)
const updateSource = (api: Api) =>
  api.PUT('/api/v1/projects/{project_id}/sources/{source_id}', {
    params: { path: { project_id: 'p1', source_id: 's1' } },
    body: { Description: 'D' },
  })

describe('what is sent', () => {
  it('carries the token, and the body as JSON', async () => {
    const { api, received } = await apiAnswering({ body: { success: true } })
    await createPost(api)
    const [request] = received as [ReceivedRequest]
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/v1/projects/p1/posts',
      body: '{"Content":"Hi"}',
    })
    expect(request.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      'content-type': 'application/json',
    })
  })

  it('repeats the key of a list, and keeps the + of an offset', async () => {
    const { api, received } = await apiAnswering({ body: { success: true } })
    const query = { platforms: ['X', 'LINKEDIN'], schedule_date_from: '2026-11-27T09:00:00+01:00' }
    await api.GET('/api/v1/projects/{project_id}/posts', { params: { ...project.params, query } })
    const { searchParams, search } = new URL(received[0]?.url ?? '', 'http://upnext.example')
    expect(search).toContain('platforms=X&platforms=LINKEDIN')
    expect(searchParams.get('schedule_date_from')).toBe('2026-11-27T09:00:00+01:00')
  })

  it('escapes an id that would lead to another path', async () => {
    const { api, received } = await apiAnswering({ body: { success: true } })
    await api.GET('/api/v1/projects/{project_id}/posts', { params: { path: { project_id: '../a/b?c' } } })
    expect(received[0]?.url).toBe('/api/v1/projects/..%2Fa%2Fb%3Fc/posts')
  })
})

describe('an answer', () => {
  const cases: [what: string, answer: Parameters<typeof apiAnswering>[0], outcome: object][] = [
    ['with data', { body: { success: true, data: [1] } }, { kind: 'ok', status: 200, data: [1] }],
    [
      '201',
      { status: 201, body: { success: true, data: { Id: 7 } } },
      { kind: 'ok', status: 201, data: { Id: 7 } },
    ],
    ['204', { status: 204 }, { kind: 'ok', status: 204, data: null }],
    ['without an envelope', { body: [1, 2] }, { kind: 'ok', status: 200, data: [1, 2] }],
    ['success: false', { body: { success: false, data: 'no' } }, { kind: 'failed', status: 200, data: 'no' }],
    [
      '2xx that cannot be read',
      { body: '<html>Welcome to the Wi-Fi' },
      { kind: 'unclear', why: 'unreadable' },
    ],
    [
      '422 with details',
      {
        status: 422,
        body: { detail: [{ loc: ['body', 'Platforms', 0], msg: 'no', type: 'enum', ctx: { a: 1 } }] },
      },
      {
        kind: 'invalid',
        details: [{ loc: ['body', 'Platforms', 0], msg: 'no', type: 'enum', ctx: { a: 1 } }],
        said: undefined,
      },
    ],
    [
      '422 with a text',
      { status: 422, body: { detail: 'Too late' } },
      { kind: 'invalid', details: [], said: 'Too late' },
    ],
    [
      '422 with odd details',
      { status: 422, body: { detail: [null, 'x', { msg: 5 }] } },
      {
        kind: 'invalid',
        details: [
          { loc: [], msg: 'null', type: '' },
          { loc: [], msg: 'x', type: '' },
          { loc: [], msg: '5', type: '' },
        ],
        said: undefined,
      },
    ],
    [
      '422 that is no JSON',
      { status: 422, body: '<h1>422</h1>' },
      { kind: 'invalid', details: [], said: undefined },
    ],
    [
      '401',
      { status: 401, body: { detail: 'Invalid token' } },
      { kind: 'unauthorized', said: 'Invalid token' },
    ],
    ['403', { status: 403, body: { message: 'No' } }, { kind: 'forbidden', said: 'No' }],
    ['404', { status: 404, body: { detail: 'Not Found' } }, { kind: 'not-found', said: 'Not Found' }],
    [
      '409',
      { status: 409, headers: { 'content-type': 'text/plain' }, body: 'Twice ' },
      { kind: 'refused', status: 409, said: 'Twice' },
    ],
    [
      'a redirect',
      { status: 307, headers: { location: '/elsewhere' } },
      { kind: 'refused', status: 307, said: undefined },
    ],
    ['500', { status: 500, body: '<h1>Oops</h1>' }, { kind: 'broken', status: 500, said: undefined }],
    ['429', { status: 429, headers: { 'retry-after': '7' } }, { kind: 'too-many', retryAfterSeconds: 7 }],
    ['429 without a time', { status: 429 }, { kind: 'too-many', retryAfterSeconds: undefined }],
  ]
  it.each(cases)('%s becomes its outcome, and a POST is not repeated', async (_what, answer, outcome) => {
    const { api, received } = await apiAnswering(answer ?? {})
    expect(await createPost(api)).toEqual(outcome)
    expect(received).toHaveLength(1)
  })

  it('that names a date to wait for is read against the clock', async () => {
    await apiAnswering({
      status: 429,
      headers: { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' },
    })
    const server = open.at(-1) as TestServer
    const at = (now: string) => apiAt(server.url, { now: () => new Date(now) })
    expect(await createPost(at('2026-11-20T12:00:00Z'))).toEqual({ kind: 'too-many', retryAfterSeconds: 30 })
    expect(await createPost(at('2026-11-20T13:00:00Z'))).toEqual({ kind: 'too-many', retryAfterSeconds: 0 })
  })
})

describe('unreachable, where nothing was sent', () => {
  it('is a port that fetch does not use', async () => {
    expect(await createPost(apiAt('http://127.0.0.1:6666', { deadlineMs: 300 }))).toMatchObject({
      kind: 'unreachable',
    })
  })

  it('is a socket that refuses', async () => {
    expect(await createPost(apiAt(await unreachableUrl(), { deadlineMs: 500 }))).toEqual({
      kind: 'unreachable',
      why: 'connection',
    })
  })

  it('is a name that nobody knows', async () => {
    const api = apiAt('http://no-such-host.invalid', { deadlineMs: 500 })
    expect(await createPost(api)).toMatchObject({ kind: 'unreachable' })
  })

  it('is a handshake that hangs until the deadline', async () => {
    const server = await startTcpServer(() => {}) // takes the connection, and never says a word of TLS
    open.push(server)
    const api = apiAt(server.url.replace('http:', 'https:'), { deadlineMs: 300 })
    expect(await createPost(api)).toEqual({ kind: 'unreachable', why: 'deadline' })
  })

  it('is a server that speaks no TLS', async () => {
    const { received } = await apiAnswering({ body: { success: true } })
    const api = apiAt((open.at(-1) as TestServer).url.replace('http:', 'https:'), { deadlineMs: 300 })
    expect(await createPost(api)).toMatchObject({ kind: 'unreachable' })
    expect(received).toEqual([])
  })

  it('is a call that was called off before it began', async () => {
    const { api, received } = await apiAnswering({ body: { success: true } })
    const init = { ...project, body: {}, signal: AbortSignal.abort() }
    expect(await api.POST('/api/v1/projects/{project_id}/posts', init)).toEqual({
      kind: 'unreachable',
      why: 'cancelled',
    })
    expect(received).toEqual([])
  })

  it('lets a POST be sent again until somebody listens', async () => {
    const address = await unreachableUrl()
    const pending = createPost(apiAt(address))
    await new Promise((resolve) => setTimeout(resolve, 250))
    const { createServer } = await import('node:http')
    const late = createServer((_request, response) => response.end('{"success":true,"data":1}'))
    await new Promise<void>((resolve) => late.listen(Number(new URL(address).port), '127.0.0.1', resolve))
    expect(await pending).toEqual({ kind: 'ok', status: 200, data: 1 })
    late.close()
    late.closeAllConnections()
  })
})

describe('unclear, where it was sent', () => {
  it.each([301, 302, 303])(
    'is a redirect with %s, which often follows a POST that succeeded',
    async (status) => {
      const { api } = await apiAnswering({ status, headers: { location: '/done' } })
      expect(await createPost(api)).toEqual({ kind: 'unclear', why: 'unreadable' })
    },
  )

  it('is a server that takes the request and hangs', async () => {
    const { api, requests } = await apiOnSocket(() => {})
    expect(await createPost(api)).toEqual({ kind: 'unclear', why: 'deadline' })
    expect(requests()).toBe(1)
  })

  it('is a server that dies after the request', async () => {
    const { api, requests } = await apiOnSocket((_send, destroy) => destroy())
    expect(await createPost(api)).toEqual({ kind: 'unclear', why: 'connection' })
    expect(requests()).toBe(1)
  })

  it('is a server that dies after half an answer', async () => {
    const { api, requests } = await apiOnSocket((send, destroy) => {
      send(
        'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"success":tr',
      )
      setTimeout(destroy, 50)
    })
    expect(await createPost(api)).toEqual({ kind: 'unclear', why: 'connection' })
    expect(requests()).toBe(1)
  })

  it('is a server that hangs after half an answer', async () => {
    const { api } = await apiOnSocket((send) =>
      send('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"success":tr'),
    )
    expect(await createPost(api)).toEqual({ kind: 'unclear', why: 'deadline' })
  })

  it('is a server that answers with what is no HTTP', async () => {
    const { api } = await apiOnSocket((send, destroy) => {
      send('220 mail.upnext.example ESMTP\r\n')
      destroy()
    })
    expect(await createPost(api)).toMatchObject({ kind: 'unclear' })
  })

  it('is a call that was called off on the way', async () => {
    const { api } = await apiOnSocket(() => {})
    const init = { ...project, body: {}, signal: AbortSignal.timeout(100) }
    expect(await api.POST('/api/v1/projects/{project_id}/posts', init)).toEqual({
      kind: 'unclear',
      why: 'cancelled',
    })
  })

  it('stays so where a later try could not even connect', async () => {
    let server: TestServer | undefined
    server = await startTcpServer((socket) => {
      socket.on('data', () => {
        socket.destroy()
        void server?.close()
      })
    })
    expect(await updateSource(apiAt(server.url, { deadlineMs: 900 }))).toEqual({
      kind: 'unclear',
      why: 'connection',
    })
  })

  it('is not an error whose status came through, though its body did not', async () => {
    const { api } = await apiOnSocket((send, destroy) => {
      send('HTTP/1.1 422 Unprocessable Entity\r\ncontent-length: 500\r\n\r\n{"detail":[{"lo')
      setTimeout(destroy, 50)
    })
    expect(await createPost(api)).toEqual({ kind: 'invalid', details: [], said: undefined })
  })
})

describe('a call that may be repeated', () => {
  const good = { body: { success: true, data: 'good' } }
  it.each([429, 502, 503, 504])('is, on %s', async (status) => {
    for (const call of [listPosts, updateSource, deleteWebhook]) {
      const { api, received } = await apiAnswering({ status }, good)
      expect(await call(api)).toMatchObject({ kind: 'ok', data: 'good' })
      expect(received).toHaveLength(2)
    }
  })

  it('is, on a connection that breaks', async () => {
    const { api, requests } = await apiOnSocket((send, destroy, count) =>
      count === 1 ? destroy() : send('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]'),
    )
    expect(await listPosts(api)).toEqual({ kind: 'ok', status: 200, data: [] })
    expect(requests()).toBe(2)
  })

  it('is not, on an answer that will stay the same', async () => {
    for (const status of [400, 401, 404, 422, 500]) {
      const { api, received } = await apiAnswering({ status }, good)
      await listPosts(api)
      expect(received).toHaveLength(1)
    }
  })

  it('waits as long as it was asked to', async () => {
    const { api, received } = await apiAnswering({ status: 429, headers: { 'retry-after': '1' } }, good)
    const started = performance.now()
    expect(await listPosts(api)).toMatchObject({ kind: 'ok' })
    expect(performance.now() - started).toBeGreaterThan(950)
    expect(received).toHaveLength(2)
  })

  it('does not wait beyond its deadline, but says at once how it stands', async () => {
    const { api, received } = await apiAnswering({ status: 429, headers: { 'retry-after': '60' } }, good)
    expect(await listPosts(api)).toEqual({ kind: 'too-many', retryAfterSeconds: 60 })
    expect(received).toHaveLength(1)
  })

  it.each(['0', '1.5', '-1', 'Fri, 20 Nov 1998 12:00:30 GMT'])(
    'is not hammered by a Retry-After of %s',
    async (asked) => {
      const { received } = await apiAnswering({ status: 429, headers: { 'retry-after': asked } })
      const api = apiAt((open.at(-1) as TestServer).url, { deadlineMs: 1_000 })
      expect(await listPosts(api)).toMatchObject({ kind: 'too-many' })
      expect(received.length).toBeLessThan(6)
    },
  )

  it('pauses longer each time', async () => {
    const at: number[] = []
    const server = await startHttpServer((_request, response) => {
      at.push(performance.now())
      response.writeHead(503).end()
    })
    open.push(server)
    const api = apiAt(server.url, { deadlineMs: 1_300, random: () => 1 })
    expect(await listPosts(api)).toMatchObject({ kind: 'broken', status: 503 })
    const [first = 0, second = 0, third = 0] = at
    expect(second - first).toBeGreaterThan(190)
    expect(third - second).toBeGreaterThan(390)
  })

  it('does not count a deletion as done where the service refused it at first', async () => {
    const { api } = await apiAnswering(
      { status: 503 },
      { status: 404, body: { detail: 'There is no such project.' } },
    )
    expect(await deleteWebhook(api)).toMatchObject({ kind: 'not-found' })
  })

  it('counts a deletion as done where a try without an answer had done it', async () => {
    const { api } = await apiOnSocket((send, destroy, count) =>
      count === 1 ? destroy() : send('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(await deleteWebhook(api)).toEqual({ kind: 'ok', status: 404, data: null })
  })
})

describe('the types', () => {
  it('do not let a misspelt field, path or parameter compile', () => {
    const api = {} as Api
    const never = () => {
      // @ts-expect-error Contents is no field of a post
      api.POST('/api/v1/projects/{project_id}/posts', { ...project, body: { Contents: 'Hi' } })
      // @ts-expect-error there is no such path
      api.GET('/api/v1/project', project)
      // @ts-expect-error a project must be named
      api.GET('/api/v1/projects/{project_id}/posts')
      // @ts-expect-error there is no such platform
      api.POST('/api/v1/projects/{project_id}/posts', { ...project, body: { Platforms: ['MYSPACE'] } })
    }
    expect(never).toBeTypeOf('function')
  })
})
