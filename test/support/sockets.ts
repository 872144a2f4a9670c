import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Listening = { url: string; close(): Promise<void> }

/** An HTTP server that answers as it is told, and remembers what it was asked. */
export async function httpServer(
  answer: (request: Received, response: ServerResponse) => void,
): Promise<Listening & { received: Received[] }> {
  const received: Received[] = []
  const server = createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    const seen = { method, url, headers, body, count: received.length }
    received.push(seen)
    answer(seen, response)
  })
  return { received, ...(await listen(server)) }
}

export type Received = Pick<IncomingMessage, 'headers'> & {
  method: string
  url: string
  body: string
  count: number
}

/** A server below HTTP: what it does with each connection is up to the test. */
export const rawServer = (onConnection: (socket: Socket) => void): Promise<Listening> =>
  listen(createServer(onConnection))

/** A way to another server that can be cut, and mended. */
export async function wayTo(url: string): Promise<Listening & { cut(): void; mend(): void }> {
  const { hostname, port } = new URL(url)
  const open = new Set<Socket>()
  let isCut = false
  const listening = await rawServer((socket) => {
    if (isCut) return void socket.destroy()
    const there = connect(Number(port), hostname)
    for (const end of [socket, there]) {
      open.add(end)
      end.on('error', () => {})
      end.on('close', () => open.delete(end))
    }
    socket.pipe(there).pipe(socket)
  })
  return {
    ...listening,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend() {
      isCut = false
    },
  }
}

/** An address at which nobody listens. */
export async function deadAddress(): Promise<string> {
  const { url, close } = await rawServer(() => {})
  await close()
  return url
}

async function listen(server: Server): Promise<Listening> {
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

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
