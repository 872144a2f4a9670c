import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedRequest = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** Starts an HTTP server on a free port that records every request. */
export async function startHttpServer(answer: (request: ReceivedRequest, response: ServerResponse) => void) {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    const { method = '', url = '', headers } = incoming
    const request = { method, url, headers, body }
    requests.push(request)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

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
