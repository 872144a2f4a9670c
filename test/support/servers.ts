import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'
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
  port?: number,
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
  return { received, ...(await listen(server, port)) }
}

export const startTcpServer = (onConnection: (socket: Socket) => void): Promise<TestServer> =>
  listen(createServer(onConnection))

export type NetworkProxy = TestServer & {
  /** Closes all connections, and each new one. */
  disconnect: () => void
  /** Nothing passes until the proxy reconnects. */
  hang: () => void
  reconnect: () => void
  /** Reconnects, but the connections of before stay open and silent, as behind a firewall that forgot them. */
  forgetConnections: () => void
}

type ProxyOptions = {
  /** Replaces each server's address in what passes by the other's: the local Slack checks it, and hands out links with it. */
  rewritesAddress?: boolean
}

/** By then, a server's keepalive has found out that nobody is there. */
const SERVER_NOTICES_MS = 60_000

/** Starts a proxy to the server at `url`, which can simulate an outage. Works for HTTP and PostgreSQL. */
export async function startProxy(
  url: string,
  { rewritesAddress = false }: ProxyOptions = {},
): Promise<NetworkProxy> {
  const { host, hostname, port } = new URL(url)
  const openSockets = new Set<Socket>()
  const forgotten = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let state: 'connected' | 'hanging' | 'disconnected' = 'connected'
  const proxy = await startTcpServer((socket) => {
    if (state === 'disconnected') {
      socket.destroy()
      return
    }
    const upstream = connect(Number(port), hostname)
    upstreams.add(upstream)
    upstream.on('close', () => upstreams.delete(upstream))
    for (const [end, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      openSockets.add(end)
      end.on('error', () => {
        if (!forgotten.has(end)) other.destroy()
      })
      end.on('close', () => openSockets.delete(end))
    }
    if (rewritesAddress) {
      socket.pipe(replaceBytes(proxyHost, host)).pipe(upstream)
      upstream.pipe(replaceBytes(host, proxyHost)).pipe(socket)
    } else socket.pipe(upstream).pipe(socket)
    if (state === 'hanging') socket.pause()
  })
  const proxyHost = new URL(proxy.url).host
  return {
    url: url.replace(`:${port}`, `:${new URL(proxy.url).port}`),
    close() {
      for (const socket of openSockets) socket.destroy()
      return proxy.close()
    },
    disconnect() {
      state = 'disconnected'
      for (const socket of openSockets) socket.destroy()
    },
    hang() {
      state = 'hanging'
      for (const socket of openSockets) socket.pause()
    },
    reconnect() {
      state = 'connected'
      for (const socket of openSockets) if (!forgotten.has(socket)) socket.resume()
    },
    forgetConnections() {
      state = 'connected'
      for (const socket of openSockets) {
        forgotten.add(socket)
        socket.unpipe()
        socket.pause()
      }
      // Otherwise a server runs out of connections.
      const lost = [...upstreams]
      setTimeout(() => {
        for (const upstream of lost) upstream.destroy()
      }, SERVER_NOTICES_MS).unref()
    },
  }
}

/** Both addresses have the same length, so that no length around them changes. */
function replaceBytes(from: string, to: string): Transform {
  if (from.length !== to.length) throw new Error(`${from} and ${to} don't have the same length.`)
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, Buffer.from(chunk.toString('latin1').replaceAll(from, to), 'latin1')),
  })
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

async function listen(server: Server, ownPort = 0): Promise<TestServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { url: `http://127.0.0.1:${port}`, close }
}
