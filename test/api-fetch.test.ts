import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiFetch, UnsentRequestError } from '../src/api-fetch.ts'
import { startHttpServer, startTcpServer, type TestServer, unreachableUrl } from './support/servers.ts'
import { cert, key } from './support/tls-certificate.ts'

const openServers: Pick<TestServer, 'close'>[] = []
afterEach(async () => {
  await Promise.all(openServers.splice(0).map((server) => server.close()))
})

const open = <Server extends TestServer>(server: Server): Server => {
  openServers.push(server)
  return server
}

const fetchText = createApiFetch()

const failureOf = (request: Promise<Response>) =>
  request.then(
    () => 'none',
    (error) =>
      error instanceof UnsentRequestError ? 'unsent' : error instanceof TypeError ? 'may be sent' : error,
  )

/** A server that answers each request with what the test writes to its socket. */
async function startSocketServer(onRequest: (socket: Socket) => void) {
  let connectionCount = 0
  const server = await startTcpServer((socket) => {
    connectionCount += 1
    socket.on('data', () => onRequest(socket))
  })
  return { ...open(server), countConnections: () => connectionCount }
}

describe('responses', () => {
  it('returns the status, the headers and the text that the server sends', async () => {
    const { url } = open(
      await startHttpServer((_request, response) => {
        response
          .writeHead(418, { 'content-type': 'text/plain; charset=utf-8', 'x-answer': 'yes' })
          .end('Grüße')
      }),
    )
    const response = await fetchText(url)
    expect({ status: response.status, ok: response.ok }).toEqual({ status: 418, ok: false })
    expect(response.headers.get('X-Answer')).toBe('yes')
    expect(await response.text()).toBe('Grüße')
  })

  it('asks for a compressed response, and reads it', async () => {
    const server = open(
      await startHttpServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"count":7}'))
      }),
    )
    expect(await (await fetchText(server.url)).json()).toEqual({ count: 7 })
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip')
  })

  it.each([204, 205, 304])('returns no body with status %s', async (status) => {
    const { url } = open(await startHttpServer((_request, response) => response.writeHead(status).end()))
    expect(await fetchText(url)).toMatchObject({ status, body: null })
  })

  it('keeps the status of a response that is cut off, and fails to read it', async () => {
    const { url } = await startSocketServer((socket) =>
      socket.end('HTTP/1.1 422 Unprocessable Entity\r\ncontent-length: 500\r\n\r\n{"detail":[{"lo'),
    )
    const response = await fetchText(url)
    expect(response.status).toBe(422)
    await expect(response.text()).rejects.toThrow('aborted')
  })

  it('keeps the status of a damaged compressed response, and fails to read it', async () => {
    const { url } = open(
      await startHttpServer((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"count":7}').subarray(0, 12))
      }),
    )
    const response = await fetchText(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('unexpected end of file')
  })

  it('reads an empty compressed response', async () => {
    const { url } = open(
      await startHttpServer((_request, response) =>
        response.writeHead(201, { 'content-encoding': 'gzip' }).end(),
      ),
    )
    expect(await (await fetchText(url)).text()).toBe('')
  })

  it('keeps the status of a response with an unknown encoding, and fails to read it', async () => {
    const { url } = open(
      await startHttpServer((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'br' }).end('?'),
      ),
    )
    const response = await fetchText(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('unknown encoding "br"')
  })

  it('fails to read a response without a length if the request is aborted', async () => {
    const controller = new AbortController()
    const { url } = await startSocketServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\nhalf of')
      setTimeout(() => controller.abort(new Error('Too slow')), 50)
    })
    const response = await fetchText(url, { signal: controller.signal })
    await expect(response.text()).rejects.toThrow('Too slow')
  })

  it('reports that a request may have been sent if the server switches protocols', async () => {
    const { url } = await startSocketServer((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    )
    const request = fetchText(url)
    await expect(request).rejects.toMatchObject({
      cause: { message: 'The connection closed without a response.' },
    })
    expect(await failureOf(request)).toBe('may be sent')
  }, 10_000)

  it('replaces a status above 599 with 599', async () => {
    const { url } = await startSocketServer((socket) =>
      socket.end('HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'),
    )
    expect(await fetchText(url)).toMatchObject({ status: 599, statusText: 'Denied' })
  })

  it('returns a redirect, or fails if the request says so', async () => {
    const server = open(
      await startHttpServer((_request, response) =>
        response.writeHead(302, { location: '/elsewhere' }).end(),
      ),
    )
    expect(await fetchText(server.url)).toMatchObject({ status: 302 })
    await expect(fetchText(server.url, { redirect: 'error' })).rejects.toMatchObject({
      cause: { message: 'The response with status 302 is a redirect.' },
    })
    expect(server.received).toHaveLength(2)
  })
})

describe('requests', () => {
  it('sends the method, headers and body, and the user agent', async () => {
    const server = open(await startHttpServer((_request, response) => response.end()))
    await fetchText(`${server.url}/path?q=1`, { method: 'PUT', headers: { 'X-Id': '7' }, body: 'Grüße' })
    const headers = { 'content-type': 'application/json' }
    await fetchText(new Request(server.url, { method: 'POST', headers, body: '{"a":1}' }))
    expect(server.received).toMatchObject([
      {
        method: 'PUT',
        url: '/path?q=1',
        body: 'Grüße',
        headers: { 'x-id': '7', 'content-length': '7', 'user-agent': 'upnext' },
      },
      { method: 'POST', url: '/', body: '{"a":1}', headers },
    ])
  })

  it('sends a form with a file as a multipart form', async () => {
    const server = open(await startHttpServer((_request, response) => response.end()))
    const form = new FormData()
    form.append('file', new Blob(['content']), 'week.png')
    await fetchText(server.url, { method: 'POST', body: form })
    expect(server.received[0]?.headers['content-type']).toContain('multipart/form-data')
    expect(server.received[0]?.body).toContain('filename="week.png"')
  })

  it('shares a connection between requests until it has been idle for a second', async () => {
    const { url, countConnections } = await startSocketServer((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    )
    await fetchText(url)
    await fetchText(url)
    expect(countConnections()).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 1200))
    await fetchText(url)
    expect(countConnections()).toBe(2)
  })

  it('fails an aborted request with the reason, and closes its connection', async () => {
    const controller = new AbortController()
    let closed: Promise<unknown> | undefined
    const { url } = await startSocketServer((socket) => {
      closed = new Promise((resolve) => socket.on('close', resolve))
      controller.abort(new Error('No longer needed'))
    })
    await expect(fetchText(url, { signal: controller.signal })).rejects.toThrow('No longer needed')
    await closed
  })

  it('does not send a request whose signal is already aborted', async () => {
    const server = open(await startHttpServer((_request, response) => response.end()))
    expect(await failureOf(fetchText(server.url, { signal: AbortSignal.abort() }))).toBe('unsent')
    expect(server.received).toEqual([])
  })
})

describe('failures', () => {
  it('reports a request that no server accepts as unsent', async () => {
    expect(await failureOf(fetchText(await unreachableUrl()))).toBe('unsent')
  })

  it('reports that a request may have been sent if its connection closes', async () => {
    const { url } = await startSocketServer((socket) => socket.destroy())
    expect(await failureOf(fetchText(url))).toBe('may be sent')
  })

  it('reports that a request may have been sent if its connection was used before and closes', async () => {
    let count = 0
    const { url, countConnections } = await startSocketServer((socket) => {
      if (count++) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    await fetchText(url)
    expect(await failureOf(fetchText(url))).toBe('may be sent')
    expect(countConnections()).toBe(1)
  })
})

describe('HTTPS', () => {
  async function startTlsServer(respond: (socket: Socket) => void) {
    const server = createHttpsServer({ key, cert }, ({ socket }) => respond(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    openServers.push({
      close: async () => {
        server.close()
        server.closeAllConnections()
      },
    })
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const fetchTrusting = createApiFetch({ ca: cert })

  it('sends a request to a server with a trusted certificate', async () => {
    const url = await startTlsServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'))
    expect(await (await fetchTrusting(url)).text()).toBe('hi')
  })

  it('sends nothing to a server with any other certificate, and reports the request as unsent', async () => {
    let requestCount = 0
    const url = await startTlsServer(() => {
      requestCount += 1
    })
    expect(await failureOf(fetchText(url))).toBe('unsent')
    expect(requestCount).toBe(0)
  })

  it('reports that a request may have been sent if its encrypted connection was used before and closes', async () => {
    let requestCount = 0
    const url = await startTlsServer((socket) => {
      if (requestCount++) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
    await fetchTrusting(url)
    expect(await failureOf(fetchTrusting(url))).toBe('may be sent')
    expect(requestCount).toBe(2)
  })

  it('reports that a request may have been sent if its encrypted connection closes', async () => {
    const url = await startTlsServer((socket) => socket.destroy())
    expect(await failureOf(fetchTrusting(url))).toBe('may be sent')
  })
})
