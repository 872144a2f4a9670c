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

export async function findFreePort(): Promise<number> {
  const { url, close } = await startHttpServer(() => {})
  await close()
  return Number(new URL(url).port)
}
