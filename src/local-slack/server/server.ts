import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import type { Judge } from '../blocks/judge.ts'
import type { Control } from './control/control.ts'
import { addControlRoutes } from './control/routes.ts'
import { addFileRoutes } from './file-routes.ts'
import { addOauthPage, OAUTH_STYLE } from './oauth-page.ts'
import { readAsset } from './page/assets.ts'
import { drawAvatar } from './page/avatar.ts'
import { connectPage } from './page/page-socket.ts'
import { addResponseUrlRoutes } from './response-url-routes.ts'
import type { RateLimits } from './web-api/rate-limits.ts'
import { addApiRoutes } from './web-api/routes.ts'
import { sitDown } from './workspace/desks.ts'
import { personByHandle } from './workspace/people.ts'
import type { Slack } from './workspace/slack.ts'

type ServerOptions = { slack: Slack; judge: Judge; control: Control; rateLimits: RateLimits; port: number }

export type Server = { url: string; close: () => Promise<void> }

/** This Slack is for this machine alone. */
const HOST = '127.0.0.1'
const BODY_LIMIT = 4 * 1024 * 1024
const GOODBYE_MS = 300

/** Opens all doors of this Slack: the Web API, what the app answers at, the page, and the control. */
export async function startServer({
  slack,
  judge,
  control,
  rateLimits,
  port,
}: ServerOptions): Promise<Server> {
  const server = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async ({ headers }, reply) => {
    if (!isFromHere(slack, headers)) return reply.code(403).send({ ok: false, error: 'not_from_here' })
  })
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ ok: false, error: z.prettifyError(error) })
    const theirs = error instanceof SyntaxError || (error.statusCode ?? 500) < 500
    if (theirs) return reply.code(error.statusCode ?? 400).send({ ok: false, error: error.message })
    slack.log(error)
    return reply.code(500).send({ ok: false, error: 'internal_error' })
  })
  addApiRoutes(server, { slack, judge, rateLimits })
  addResponseUrlRoutes(server, { slack, judge })
  addFileRoutes(server, slack)
  addOauthPage(server, slack)
  addControlRoutes(server, control)
  addPageRoutes(server, slack)

  const sockets = new WebSocketServer({ noServer: true, maxPayload: BODY_LIMIT })
  server.server.on('upgrade', (request, socket, head) =>
    upgrade({ slack, judge, sockets }, request, socket, head),
  )
  slack.url = await server.listen({ host: HOST, port }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(port) : error
  })
  return {
    url: slack.url,
    async close() {
      slack.carrier.stop()
      await hangUp(sockets)
      slack.clock.stop()
      await server.close()
    },
  }
}

const portTaken = (port: number) =>
  new Error(`Port ${port} is taken, perhaps by another local Slack. Stop that one, or choose another port.`)

/** Says goodbye to all who are connected, and does not wait long for theirs. */
async function hangUp({ clients }: WebSocketServer): Promise<void> {
  const gone = [...clients].map((socket) => {
    socket.close(1001)
    return once(socket, 'close')
  })
  await Promise.race([Promise.allSettled(gone), setTimeout(GOODBYE_MS)])
  for (const socket of clients) socket.terminate()
}

/** No website that a person happens to look at may act here: not as itself, not under a borrowed name. */
function isFromHere({ url }: Slack, { host, origin }: IncomingMessage['headers']): boolean {
  const { port } = new URL(url)
  const names = [HOST, 'localhost'].map((name) => `${name}:${port}`)
  return names.includes(host ?? '') && (!origin || names.some((name) => origin === `http://${name}`))
}

function addPageRoutes(server: FastifyInstance, slack: Slack): void {
  server.get('/avatars/:file', async ({ params }, reply) => {
    const id = (params as { file: string }).file.replace(/\.svg$/, '')
    return reply.type('image/svg+xml').header('cache-control', 'max-age=3600').send(drawAvatar(slack, id))
  })
  server.get('/oauth.css', async (_request, reply) => reply.type('text/css').send(OAUTH_STYLE))
  server.get('/archives/:channel/:message', async ({ params }, reply) => {
    const { channel, message } = params as { channel: string; message: string }
    const ts = message.replace(/^p(\d+)(\d{6})$/, '$1.$2')
    return reply.redirect(`/?channel=${encodeURIComponent(channel)}&message=${encodeURIComponent(ts)}`, 302)
  })
  server.get('/*', async ({ params }, reply) => {
    const path = (params as { '*': string })['*'] || 'index.html'
    const asset = readAsset(path)
    if (!asset) return reply.code(404).type('text/plain').send('There is nothing here.')
    return reply
      .type(asset.type)
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', path.startsWith('assets/') ? 'max-age=31536000, immutable' : 'no-cache')
      .send(asset.bytes)
  })
}

/** The page runs only what came with it; the app's pictures may come from anywhere. */
const PAGE_POLICY =
  "default-src 'self'; img-src * data: blob:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws:; frame-ancestors 'none'"

type Upgrading = { slack: Slack; judge: Judge; sockets: WebSocketServer }

function upgrade(
  { slack, judge, sockets }: Upgrading,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const refuse = (status: string) => socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  socket.on('error', () => socket.destroy())
  if (!isFromHere(slack, request.headers)) return void refuse('403 Forbidden')
  const address = slack.url + request.url
  if (!URL.canParse(address)) return void refuse('400 Bad Request')
  const { pathname, searchParams } = new URL(address)
  if (pathname === '/link/') {
    const { socketMode } = slack
    if (!socketMode?.admit(searchParams.get('ticket') ?? '')) return void refuse('401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, socketMode.connect)
    return
  }
  const person = personByHandle(slack, searchParams.get('as') ?? '') ?? [...slack.people.values()][0]
  const name = searchParams.get('session')
  if (pathname !== '/page' || !person || person.role === 'bot' || !name) return void refuse('404 Not Found')
  sockets.handleUpgrade(request, socket, head, (page) =>
    connectPage(page, { slack, judge, desk: sitDown(slack, { name, user: person.id }) }),
  )
}
