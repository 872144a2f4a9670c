import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { systemRuntime } from '../../src/runtime.ts'

export type TestServer = { url: string; close(): Promise<void> }

export type ReceivedRequest = Pick<IncomingMessage, 'headers'> & {
  method: string
  url: string
  body: string
  /** How many requests the server received before this one. */
  index: number
}

/** Starts an HTTP server that responds with `respond` and records all requests. */
export async function startHttpServer(
  respond: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<TestServer & { received: ReceivedRequest[] }> {
  const received: ReceivedRequest[] = []
  const server = createHttpServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body, index: received.length }
    received.push(request)
    respond(request, response)
  })
  return { received, ...(await listen(server)) }
}

export const startTcpServer = (onConnection: (socket: Socket) => void): Promise<TestServer> =>
  listen(createServer(onConnection))

/** Starts a proxy to the server at `url`, which can simulate an outage. Works for HTTP and PostgreSQL. */
export async function startProxy(
  url: string,
): Promise<TestServer & Record<'disconnect' | 'hang' | 'reconnect', () => void>> {
  const { hostname, port } = new URL(url)
  const openSockets = new Set<Socket>()
  let state: 'connected' | 'hanging' | 'disconnected' = 'connected'
  const proxy = await startTcpServer((socket) => {
    if (state === 'disconnected') {
      socket.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream]) {
      openSockets.add(end)
      end.on('error', () => {})
      end.on('close', () => openSockets.delete(end))
    }
    socket.pipe(upstream).pipe(socket)
    if (state === 'hanging') socket.pause()
  })
  return {
    url: url.replace(`:${port}`, `:${new URL(proxy.url).port}`),
    close: proxy.close,
    disconnect() {
      state = 'disconnected'
      for (const socket of openSockets) socket.destroy()
    },
    /** Nothing passes until the proxy reconnects. */
    hang() {
      state = 'hanging'
      for (const socket of openSockets) socket.pause()
    },
    reconnect() {
      state = 'connected'
      for (const socket of openSockets) socket.resume()
    },
  }
}

/** The URL of a port that no server listens on. */
export async function unreachableUrl(): Promise<string> {
  return `http://127.0.0.1:${await findFreePort()}`
}

/** Fails like a request to a server that is down. */
export const fetchUnreachable = async (): Promise<Response> => systemRuntime.fetch(await unreachableUrl())

/** Ports that the system doesn't give to other sockets. Each process begins with another one. */
const FIRST_PORT = 20_000
const PORT_COUNT = 12_000
let nextPort = process.pid * 97

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + (nextPort++ % PORT_COUNT)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => probe.close(resolve))
    return port
  }
}

async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}
