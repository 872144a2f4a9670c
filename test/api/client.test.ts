import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Api, type ApiOptions, createApi } from '../../src/api/client.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { createTestClock } from '../support/clock.ts'
import { startHttpServer, startTcpServer, type TestServer, unreachableUrl } from '../support/servers.ts'

const TIMEOUT_MS = 5000

const openServers: TestServer[] = []
afterEach(async () => {
  await Promise.all(openServers.splice(0).map((server) => server.close()))
})

type TestApi = {
  api: Api
  /** How long the client paused before each retry. */
  pauses: number[]
  /** Makes the deadline of the current call pass. */
  reachDeadline: () => void
}

/** A client on a clock that only moves when the client pauses. Its deadline passes when the test says so. */
function createTestApi(
  baseUrl: string,
  { timeoutMs = TIMEOUT_MS, ...options }: Partial<ApiOptions> = {},
): TestApi {
  const clock = createTestClock()
  const pauses: number[] = []
  let reachDeadline = () => {}
  const sleep = async (ms: number) => {
    if (ms === timeoutMs)
      return new Promise<void>((resolve) => {
        reachDeadline = resolve
      })
    pauses.push(ms)
    clock.advance(ms)
  }
  const runtime = { ...systemRuntime, now: clock.now, sleep, random: () => 1 }
  const api = createApi({ ...runtime, baseUrl, token: 'secret-token', timeoutMs, ...options })
  return { api, pauses, reachDeadline: () => reachDeadline() }
}

type TestAnswer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A client of a server that sends these answers in order, and repeats the last one. */
async function apiWithAnswers(...answers: TestAnswer[]) {
  const server = await startHttpServer(({ index }, response) => {
    const { status = 200, headers = {}, body = '' } = answers[Math.min(index, answers.length - 1)] ?? {}
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  })
  openServers.push(server)
  return { ...createTestApi(server.url), url: server.url, received: server.received }
}

type SocketRequest = {
  count: number
  send: (text: string) => void
  /** Sends the text and then closes the connection. */
  end: (text: string) => void
  destroy: () => void
}

/** A client of a server that answers with whatever the test writes to the socket. */
async function apiOnSocket(onRequest: (request: SocketRequest, api: TestApi) => void) {
  let count = 0
  const server = await startTcpServer((socket) => {
    socket.on('data', () => {
      count += 1
      const send = (text: string) => socket.write(text)
      const end = (text: string) => socket.end(text)
      onRequest({ count, send, end, destroy: () => socket.destroy() }, testApi)
    })
  })
  openServers.push(server)
  const testApi = createTestApi(server.url)
  return { ...testApi, countRequests: () => count }
}

const createPost = (api: Api) => api.posts.create('p1', { Content: 'Hi' })
const listPosts = (api: Api) => api.posts.list('p1', {})
const deleteWebhook = (api: Api) => api.webhook.delete('p1')
const updateSource = (api: Api) => api.sources.update('p1', 's1', { Description: 'D' })

describe('a request', () => {
  it('carries the token, and its body as JSON', async () => {
    const { api, received } = await apiWithAnswers({ body: { success: true } })
    await createPost(api)
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/projects/p1/posts',
        body: '{"Content":"Hi"}',
        headers: { authorization: 'Bearer secret-token', 'content-type': 'application/json' },
      },
    ])
  })

  it('repeats the parameter for each item of a list, and keeps the + of a UTC offset', async () => {
    const { api, received } = await apiWithAnswers({ body: { success: true } })
    await api.posts.list('p1', {
      platforms: ['X', 'LINKEDIN'],
      schedule_date_from: '2026-11-27T09:00:00+01:00',
    })
    const { searchParams, search } = new URL(received[0]?.url ?? '', 'http://upnext.example')
    expect(search).toContain('platforms=X&platforms=LINKEDIN')
    expect(searchParams.get('schedule_date_from')).toBe('2026-11-27T09:00:00+01:00')
  })

  it('escapes an id that would change its path', async () => {
    const { api, received } = await apiWithAnswers({ body: { success: true } })
    await api.posts.list('../a/b?c', {})
    expect(received[0]?.url).toBe('/api/v1/projects/..%2Fa%2Fb%3Fc/posts')
  })

  it.each(['.', '..'])('finds nothing for the id %s, because no URL can contain it', async (id) => {
    const { api, received } = await apiWithAnswers({ body: { data: {} } })
    const notFound = { kind: 'not-found', message: undefined }
    expect(await api.templates.get('p', id)).toEqual(notFound)
    expect(await api.users.update(id, 'u', {})).toEqual(notFound)
    expect(received).toEqual([])
  })

  it.each(['%2e%2e', '..%2f', '../..', '..\\'])('keeps the id %s in its place in the path', async (id) => {
    const { api, received } = await apiWithAnswers({ body: { data: {} } })
    await api.templates.get('p', id)
    expect(received[0]?.url).toBe(`/api/v1/projects/p/templates/${encodeURIComponent(id)}`)
  })

  it('does not compile with a misspelled field, operation or parameter', () => {
    const neverCalled = (api: Api) => [
      // @ts-expect-error A post has no field Contents.
      api.posts.create('p1', { Contents: 'Hi' }),
      // @ts-expect-error There is no operation api.project.list.
      api.project.list(),
      // @ts-expect-error The project is required.
      api.posts.list(),
      // @ts-expect-error There is no platform MYSPACE.
      api.posts.create('p1', { Platforms: ['MYSPACE'] }),
    ]
    expect(neverCalled).toBeTypeOf('function')
  })
})

describe('a list of all posts', () => {
  const page = (length: number, first = 0) => ({
    body: { success: true, data: Array.from({ length }, (_, index) => ({ Id: first + index })) },
  })

  it('consists of all pages', async () => {
    const { api, received } = await apiWithAnswers(page(100), page(100, 100), page(7, 200))
    const result = await api.posts.listAll('p1', { status: ['DRAFT'] }, { maxPages: 5 })
    expect(result).toMatchObject({ kind: 'ok', data: { hasMore: false } })
    expect('data' in result && result.data.items.length).toBe(207)
    expect(received.map(({ url }) => url.split('?')[1])).toEqual([
      'status=DRAFT&skip=0&limit=100',
      'status=DRAFT&skip=100&limit=100',
      'status=DRAFT&skip=200&limit=100',
    ])
  })

  it('says that there are more posts after the last page that it loads', async () => {
    const { api } = await apiWithAnswers(page(100), page(100, 100))
    const result = await api.posts.listAll('p1', {}, { maxPages: 2 })
    expect(result).toMatchObject({ kind: 'ok', data: { hasMore: true } })
    expect('data' in result && result.data.items.length).toBe(200)
  })

  /** Pages of a service that says more about its list. */
  const pageWith = (extent: object, length: number, first = 0) => ({
    body: { success: true, data: { Items: page(length, first).body.data, ...extent } },
  })
  const pagesWith = (extent: object, count: number) =>
    Array.from({ length: count }, (_, index) => pageWith(extent, 100, 100 * index))

  it.each([
    ['says the total', [{ body: { posts: [{ Id: 1 }, { Id: 2 }], total_count: 3 } }, page(1, 3)], 3],
    ['allows 50 posts on a page', [page(50), page(20, 50), page(0)], 70],
    ['allows 15 posts on a page', [page(15), page(15, 15), page(4, 30)], 34],
    ['has exactly one page', [page(100), page(0)], 100],
    ['ignores limit', [page(250)], 250],
    ['ignores skip and limit', [page(7)], 7],
    [
      'counts to 1,000 and says that there are more',
      [
        ...pagesWith({ Total: 1000, TotalIsMore: true }, 20),
        pageWith({ Total: 1000, TotalIsMore: true }, 89, 2000),
      ],
      2089,
    ],
    ['counts to 1,000', [...pagesWith({ total: 1000 }, 20), pageWith({ total: 1000 }, 89, 2000)], 2089],
    [
      'links to the next page',
      [pageWith({ _links: { next: { href: '/2' } } }, 7), pageWith({ _links: {} }, 2, 7)],
      9,
    ],
    [
      'names the next page',
      [pageWith({ meta: { next: 'b' } }, 7), pageWith({ meta: { next: null } }, 8, 7)],
      15,
    ],
    [
      'states the total next to its data',
      [
        { body: { data: page(40).body.data, meta: { total: 60 } } },
        { body: { data: page(20, 40).body.data, meta: { total: 60 } } },
      ],
      60,
    ],
    ['says that more follow', [pageWith({ has_more: true }, 7), pageWith({ has_more: false }, 8, 7)], 15],
    ['says the length of each page', [pageWith({ count: 20 }, 20), pageWith({ count: 9 }, 9, 20)], 29],
  ])('is read completely if the service %s', async (_name, answers, count) => {
    const { api, received } = await apiWithAnswers(...answers)
    const result = await api.posts.listAll('p1', {}, { maxPages: 30 })
    expect(result).toMatchObject({ kind: 'ok', data: { hasMore: false, isReadable: true } })
    expect('data' in result && result.data.items).toHaveLength(count)
    expect(received.length).toBeLessThanOrEqual(answers.length + 1)
  })

  it.each([
    ['sends the first 100 posts again', [page(100)], 100],
    ['sends the first 50 posts again', [page(50)], 50],
    ['sends the first of 70 posts again', [pageWith({ total: 70 }, 40)], 40],
    [
      'sends an empty page after 40 of 70 posts',
      [pageWith({ total: 70 }, 40), pageWith({ total: 70 }, 0)],
      40,
    ],
    [
      'sends none of the posts that follow',
      [pageWith({ has_more: true }, 7), pageWith({ has_more: true }, 0)],
      7,
    ],
  ])('says that it may be incomplete if the service %s', async (_name, answers, count) => {
    const { api } = await apiWithAnswers(...answers)
    const result = await api.posts.listAll('p1', {}, { maxPages: 30 })
    expect(result).toMatchObject({ kind: 'ok', data: { hasMore: true, isReadable: true } })
    expect('data' in result && result.data.items).toHaveLength(count)
  })

  it('needs one request if it is short and the service states its length', async () => {
    const { api, received } = await apiWithAnswers(pageWith({ Total: 20, TotalIsMore: false }, 20))
    expect(await api.posts.listAll('p1', {}, { maxPages: 1 })).toMatchObject({ data: { hasMore: false } })
    expect(received).toHaveLength(1)
  })

  it('is a failure if one of its pages fails', async () => {
    const { api } = await apiWithAnswers(page(100), { status: 500 })
    expect(await api.posts.listAll('p1', {}, { maxPages: 2 })).toMatchObject({ kind: 'server-error' })
  })
})

describe('the next post', () => {
  it('is undefined if the service has none', async () => {
    const { api } = await apiWithAnswers({ status: 404, body: { detail: 'Nothing is scheduled.' } })
    expect(await api.posts.getNext('p1')).toEqual({ kind: 'ok', data: undefined })
  })

  it('is a failure if the project does not exist', async () => {
    const { api } = await apiWithAnswers({ status: 404, body: { detail: 'Project not found' } })
    expect(await api.posts.getNext('p1')).toEqual({ kind: 'not-found', message: 'Project not found' })
  })
})

describe('responses to a POST', () => {
  const cases: [answerName: string, answer: TestAnswer, result: object][] = [
    [
      'with data',
      { body: { success: true, data: { Id: 7 } } },
      { kind: 'ok', data: { Id: '7', Content: 'Hi', raw: { Id: 7 } } },
    ],
    [
      'with status 201',
      { status: 201, body: { success: true, data: { Id: 7 } } },
      { kind: 'ok', data: { Id: '7', Content: 'Hi', raw: { Id: 7 } } },
    ],
    ['with status 204', { status: 204 }, { kind: 'ok', data: { Content: 'Hi', raw: null } }],
    [
      'without an envelope',
      { body: { Id: 7 } },
      { kind: 'ok', data: { Id: '7', Content: 'Hi', raw: { Id: 7 } } },
    ],
    [
      'with success: false',
      { body: { success: false, data: 'no' } },
      { kind: 'unsuccessful', message: 'no' },
    ],
    [
      'with success: false and a message',
      { body: { success: false, message: 'The quota is used up.' } },
      { kind: 'unsuccessful', message: 'The quota is used up.' },
    ],
    [
      'with a message in an object',
      { status: 409, body: { detail: { message: 'Twice' } } },
      { kind: 'rejected', status: 409, message: 'Twice' },
    ],
    [
      'with a location as text',
      { status: 422, body: { detail: [{ loc: 'body.post.content', msg: 'Too long', type: 'x' }] } },
      {
        kind: 'invalid',
        details: [{ loc: ['body', 'post', 'content'], msg: 'Too long', type: 'x' }],
        message: undefined,
      },
    ],
    ['that cannot be read', { body: '<html>Welcome to the Wi-Fi' }, { kind: 'unclear', cause: 'unreadable' }],
    [
      'with status 422 and details',
      {
        status: 422,
        body: { detail: [{ loc: ['body', 'Platforms', 0], msg: 'no', type: 'enum', ctx: { a: 1 } }] },
      },
      {
        kind: 'invalid',
        details: [{ loc: ['body', 'Platforms', 0], msg: 'no', type: 'enum', ctx: { a: 1 } }],
        message: undefined,
      },
    ],
    [
      'with status 422 and a text',
      { status: 422, body: { detail: 'Too late' } },
      { kind: 'invalid', details: [], message: 'Too late' },
    ],
    [
      'with status 422 and details of another type',
      { status: 422, body: { detail: [null, 'x', { msg: 5 }] } },
      {
        kind: 'invalid',
        details: [
          { loc: [], msg: 'null', type: '' },
          { loc: [], msg: 'x', type: '' },
          { loc: [], msg: '5', type: '' },
        ],
        message: undefined,
      },
    ],
    [
      'with status 422 and HTML',
      { status: 422, body: '<h1>422</h1>' },
      { kind: 'invalid', details: [], message: undefined },
    ],
    [
      'with status 401',
      { status: 401, body: { detail: 'Invalid token' } },
      { kind: 'unauthorized', message: 'Invalid token' },
    ],
    ['with status 403', { status: 403, body: { message: 'No' } }, { kind: 'forbidden', message: 'No' }],
    [
      'with status 404',
      { status: 404, body: { detail: 'Not Found' } },
      { kind: 'not-found', message: 'Not Found' },
    ],
    [
      'with status 409',
      { status: 409, headers: { 'content-type': 'text/plain' }, body: 'Twice ' },
      { kind: 'rejected', status: 409, message: 'Twice' },
    ],
    [
      'that redirects',
      { status: 307, headers: { location: '/elsewhere' } },
      { kind: 'rejected', status: 307, message: undefined },
    ],
    [
      'with status 500',
      { status: 500, body: '<h1>Oops</h1>' },
      { kind: 'server-error', status: 500, message: undefined },
    ],
    [
      'with status 429 and a Retry-After',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate-limited', retryAfterSeconds: 7 },
    ],
    ['with status 429', { status: 429 }, { kind: 'rate-limited', retryAfterSeconds: undefined }],
  ]
  it.each(cases)(
    'turns a response %s into a result, and does not retry the POST',
    async (_name, answer, result) => {
      const { api, received } = await apiWithAnswers(answer)
      expect(await createPost(api)).toEqual(result)
      expect(received).toHaveLength(1)
    },
  )

  it('turns a date in Retry-After into a number of seconds', async () => {
    const { url } = await apiWithAnswers({
      status: 429,
      headers: { 'retry-after': 'Fri, 20 Nov 2026 12:00:30 GMT' },
    })
    const createPostAt = (now: string) => createPost(createTestApi(url, { now: () => new Date(now) }).api)
    expect(await createPostAt('2026-11-20T12:00:00Z')).toEqual({
      kind: 'rate-limited',
      retryAfterSeconds: 30,
    })
    expect(await createPostAt('2026-11-20T13:00:00Z')).toEqual({ kind: 'rate-limited', retryAfterSeconds: 0 })
  })

  it.each([301, 302, 303])(
    'calls status %s unclear, because such a redirect often follows a success',
    async (status) => {
      const { api } = await apiWithAnswers({ status, headers: { location: '/done' } })
      expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'unreadable' })
    },
  )
})

describe('a POST that does not reach the server', () => {
  it('is "unreachable" if the connection is refused', async () => {
    const { api, pauses } = createTestApi(await unreachableUrl())
    expect(await createPost(api)).toEqual({ kind: 'unreachable', cause: 'connection', code: 'ECONNREFUSED' })
    // It cannot have arrived, so it was retried.
    expect(pauses).toEqual([200, 400, 800, 1600])
  })

  it('is "unreachable" if the TLS handshake hangs until the deadline', async () => {
    const server = await startTcpServer(() => testApi.reachDeadline())
    openServers.push(server)
    const testApi = createTestApi(server.url.replace('http:', 'https:'))
    expect(await createPost(testApi.api)).toEqual({ kind: 'unreachable', cause: 'deadline' })
  })

  it('is "unreachable" if its TLS handshake hangs while another POST is sent', async () => {
    const hanging = await startTcpServer(() => {})
    openServers.push(hanging)
    const { reachDeadline, api } = createTestApi(hanging.url.replace('http:', 'https:'))
    const unsent = createPost(api)
    const sent = await apiOnSocket(({ destroy }) => destroy())
    expect(await createPost(sent.api)).toEqual({ kind: 'unclear', cause: 'connection', code: 'ECONNRESET' })
    reachDeadline()
    expect(await unsent).toEqual({ kind: 'unreachable', cause: 'deadline' })
  })

  it('is "unreachable" if the server does not support TLS', async () => {
    const { url, received } = await apiWithAnswers({ body: { success: true } })
    const { api } = createTestApi(url.replace('http:', 'https:'))
    expect(await createPost(api)).toMatchObject({ kind: 'unreachable' })
    expect(received).toEqual([])
  })

  it('is sent as soon as a retry reaches the server', async () => {
    const url = await unreachableUrl()
    const server = createServer((_request, response) => response.end('{"success":true,"data":{"Id":1}}'))
    const sleep = async (ms: number) => {
      if (ms === TIMEOUT_MS) return new Promise<void>(() => {})
      if (server.listening) return
      await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), '127.0.0.1', resolve))
    }
    expect(await createPost(createTestApi(url, { sleep }).api)).toMatchObject({
      kind: 'ok',
      data: { Id: '1' },
    })
    server.close()
    server.closeAllConnections()
  })
})

describe('a POST without a complete response', () => {
  it('is "unclear" if the server hangs until the deadline', async () => {
    const { api, countRequests } = await apiOnSocket((_request, { reachDeadline }) => reachDeadline())
    expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'deadline' })
    expect(countRequests()).toBe(1)
  })

  it('is "unclear" if the server closes the connection', async () => {
    const { api, countRequests } = await apiOnSocket(({ destroy }) => destroy())
    expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'connection', code: 'ECONNRESET' })
    expect(countRequests()).toBe(1)
  })

  it('is "unclear" if the server closes the connection during its response', async () => {
    const { api, countRequests } = await apiOnSocket(({ end }) =>
      end(
        'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"success":tr',
      ),
    )
    expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'connection', code: 'ECONNRESET' })
    expect(countRequests()).toBe(1)
  })

  it('is "unclear" if the server hangs during its response', async () => {
    const { api } = await apiOnSocket(({ send }, { reachDeadline }) => {
      send('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"success":tr')
      reachDeadline()
    })
    expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'deadline' })
  })

  it('is "unclear" if its response cannot be read for any other reason', async () => {
    const body = () => new ReadableStream({ start: (stream) => stream.error(new Error('Too long')) })
    const { api } = createTestApi('http://upnext.example', { fetch: async () => new Response(body()) })
    expect(await createPost(api)).toEqual({ kind: 'unclear', cause: 'connection' })
  })

  it('is "unclear" if the server does not speak HTTP', async () => {
    const { api } = await apiOnSocket(({ end }) => end('220 mail.upnext.example ESMTP\r\n'))
    expect(await createPost(api)).toMatchObject({ kind: 'unclear' })
  })

  it('is not "unclear" if the status of an error arrived', async () => {
    const { api } = await apiOnSocket(({ end }) =>
      end('HTTP/1.1 422 Unprocessable Entity\r\ncontent-length: 500\r\n\r\n{"detail":[{"lo'),
    )
    expect(await createPost(api)).toEqual({ kind: 'invalid', details: [], message: undefined })
  })
})

describe('the version of a post', () => {
  it('is a strong ETag, even if a proxy weakened it', async () => {
    const { api } = await apiWithAnswers({ headers: { etag: 'W/"3"' }, body: { data: { Id: 'x1' } } })
    expect(await api.posts.get('p1', 'x1')).toMatchObject({ kind: 'ok', data: { etag: '"3"' } })
  })
})

describe('a request other than a POST', () => {
  const success = { body: { success: true, data: [] } }

  it.each([429, 502, 503, 504])('is retried after status %s', async (status) => {
    for (const call of [listPosts, updateSource, deleteWebhook]) {
      const { api, received } = await apiWithAnswers({ status }, success)
      expect(await call(api)).toMatchObject({ kind: 'ok' })
      expect(received).toHaveLength(2)
    }
  })

  it('is retried after a lost connection', async () => {
    const { api, countRequests } = await apiOnSocket(({ count, send, destroy }) =>
      count === 1 ? destroy() : send('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]'),
    )
    expect(await listPosts(api)).toMatchObject({ kind: 'ok', data: { items: [] } })
    expect(countRequests()).toBe(2)
  })

  it.each([400, 401, 404, 422, 500])('is not retried after status %s', async (status) => {
    const { api, received } = await apiWithAnswers({ status }, success)
    await listPosts(api)
    expect(received).toHaveLength(1)
  })

  it('is retried after an error that was cut off before its explanation', async () => {
    const body = '{"detail":"Post not found"}'
    const { api, countRequests } = await apiOnSocket(({ count, send, end }) => {
      const head = `HTTP/1.1 404 Not Found\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
      return count === 1 ? end(head + body.slice(0, 10)) : send(head + body)
    })
    expect(await api.posts.get('p1', 'x1')).toEqual({ kind: 'not-found', message: 'Post not found' })
    expect(countRequests()).toBe(2)
  })

  it('is "unclear" if any of its attempts was sent', async () => {
    const server = await startTcpServer((socket) => {
      socket.on('data', () => {
        void server.close()
        socket.destroy()
      })
    })
    expect(await updateSource(createTestApi(server.url).api)).toEqual({
      kind: 'unclear',
      cause: 'connection',
      code: 'ECONNREFUSED',
    })
  })

  it('waits as long as Retry-After says before a retry', async () => {
    const { api, received, pauses } = await apiWithAnswers(
      { status: 429, headers: { 'retry-after': '1' } },
      success,
    )
    expect(await listPosts(api)).toMatchObject({ kind: 'ok' })
    expect(pauses).toEqual([1000])
    expect(received).toHaveLength(2)
  })

  it.each([60, 86_400, Number.MAX_SAFE_INTEGER])(
    'is not retried if a Retry-After of %i s is past the deadline',
    async (seconds) => {
      const { api, received, pauses } = await apiWithAnswers(
        { status: 429, headers: { 'retry-after': String(seconds) } },
        success,
      )
      expect(await listPosts(api)).toEqual({ kind: 'rate-limited', retryAfterSeconds: seconds })
      expect(pauses).toEqual([])
      expect(received).toHaveLength(1)
    },
  )

  it.each(['0', '1.5', '-1', 'Fri, 20 Nov 1998 12:00:30 GMT'])(
    'pauses longer before each retry despite the Retry-After "%s", and stops after five attempts',
    async (retryAfter) => {
      const { api, received, pauses } = await apiWithAnswers({
        status: 429,
        headers: { 'retry-after': retryAfter },
      })
      expect(await listPosts(api)).toMatchObject({ kind: 'rate-limited' })
      expect(pauses).toEqual([200, 400, 800, 1600])
      expect(received).toHaveLength(5)
    },
  )

  it('is not retried if the pause before it would pass the deadline', async () => {
    const { url, received } = await apiWithAnswers({ status: 503 })
    const { api, pauses } = createTestApi(url, { timeoutMs: 1300 })
    expect(await listPosts(api)).toMatchObject({ kind: 'server-error', status: 503 })
    expect(pauses).toEqual([200, 400])
    expect(received).toHaveLength(3)
  })
})

describe('a deletion that finds nothing', () => {
  const NOT_FOUND = { status: 404, body: { detail: 'There is no such project.' } }

  it('has failed if the attempt before it was rejected', async () => {
    const { api } = await apiWithAnswers({ status: 503 }, NOT_FOUND)
    expect(await deleteWebhook(api)).toMatchObject({ kind: 'not-found' })
  })

  it('has succeeded if the attempt before it got no response', async () => {
    const { api } = await apiOnSocket(({ count, send, destroy }) =>
      count === 1 ? destroy() : send('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(await deleteWebhook(api)).toEqual({ kind: 'ok', data: undefined })
  })
})
