import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import fastify from 'fastify'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { addResponseUrlRoutes } from './content/post-response.ts'
import { addControlRoutes } from './controls/control-routes.ts'
import type { Controls } from './controls/controls.ts'
import { addFileRoutes } from './file-routes.ts'
import { addOauthRoutes } from './oauth-routes.ts'
import { addPageRoutes } from './page/page-routes.ts'
import { connectPage } from './page/page-socket.ts'
import { addApiRoutes } from './web-api/api-routes.ts'
import type { RateLimits } from './web-api/rate-limits.ts'
import { openSession } from './workspace/sessions.ts'
import type { Slack } from './workspace/slack.ts'
import { findUserByHandle, isBot } from './workspace/users.ts'

type ServerOptions = { slack: Slack; controls: Controls; rateLimits: RateLimits; port: number }

export type Server = { url: string; close: () => Promise<void> }

/** The local Slack accepts connections from this machine only. */
const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 4 * 1024 * 1024
const CLOSE_TIMEOUT_MS = 300

/** Serves the Web API, the page, the files and the controls. */
export async function startServer({ slack, controls, rateLimits, port }: ServerOptions): Promise<Server> {
  const server = fastify({ bodyLimit: MAX_BODY_BYTES, forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async ({ headers }, reply) => {
    if (!isLocalRequest(slack, headers)) return reply.code(403).send({ ok: false, error: 'not_from_here' })
  })
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ ok: false, error: z.prettifyError(error) })
    const isClientError = error instanceof SyntaxError || (error.statusCode ?? 500) < 500
    if (isClientError) return reply.code(error.statusCode ?? 400).send({ ok: false, error: error.message })
    slack.log(error)
    return reply.code(500).send({ ok: false, error: 'internal_error' })
  })
  // A route with other caching says so itself.
  server.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })
  addApiRoutes(server, { slack, rateLimits })
  addResponseUrlRoutes(server, slack)
  addFileRoutes(server, slack)
  addOauthRoutes(server, slack)
  addControlRoutes(server, controls)
  addPageRoutes(server, slack)

  const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  server.server.on('upgrade', (request, socket, head) =>
    acceptWebSocket({ slack, webSocketServer }, request, socket, head),
  )
  slack.url = await server.listen({ host: HOST, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(
      `Port ${port} is already in use, maybe by another local Slack. Stop it or choose another port.`,
    )
  })
  return {
    url: slack.url,
    async close() {
      slack.transport.stop()
      await closeSockets(webSocketServer)
      slack.clock.stop()
      await server.close()
    },
  }
}

async function closeSockets({ clients }: WebSocketServer): Promise<void> {
  const closed = [...clients].map((socket) => {
    socket.close(1001)
    return once(socket, 'close')
  })
  await Promise.race([Promise.allSettled(closed), setTimeout(CLOSE_TIMEOUT_MS)])
  for (const socket of clients) socket.terminate()
}

/** Protects against websites that send requests to this machine, including through a domain name that resolves to it. */
function isLocalRequest({ url }: Slack, { host, origin }: IncomingMessage['headers']): boolean {
  const { port } = new URL(url)
  const names = [HOST, 'localhost']
  // Some WebSocket clients leave the port out.
  const isThisHost = names.some((name) => host === name || host === `${name}:${port}`)
  return isThisHost && (!origin || names.some((name) => origin === `http://${name}:${port}`))
}

/** Accepts the Socket Mode connections of the app and the connections of pages. */
function acceptWebSocket(
  { slack, webSocketServer }: { slack: Slack; webSocketServer: WebSocketServer },
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const reject = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  socket.on('error', () => socket.destroy())
  if (!isLocalRequest(slack, request.headers)) {
    reject('403 Forbidden')
    return
  }
  const url = slack.url + request.url
  if (!URL.canParse(url)) {
    reject('400 Bad Request')
    return
  }
  const { pathname, searchParams } = new URL(url)
  if (pathname === '/link/') {
    const { socketMode } = slack
    if (!socketMode?.acceptTicket(searchParams.get('ticket') ?? '')) {
      reject('401 Unauthorized')
      return
    }
    webSocketServer.handleUpgrade(request, socket, head, socketMode.addSocket)
    return
  }
  const user = findUserByHandle(slack, searchParams.get('as') ?? '') ?? [...slack.users.values()][0]
  const name = searchParams.get('session')
  if (pathname !== '/page' || !user || isBot(user) || user.isDeactivated || !name) {
    reject('404 Not Found')
    return
  }
  webSocketServer.handleUpgrade(request, socket, head, (page) =>
    connectPage(page, { slack, session: openSession(slack, { name, user: user.id }) }),
  )
}
