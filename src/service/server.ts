import { STATUS_CODES } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { isConnectionError } from '../database/connection-error.ts'
import type { Runtime } from '../runtime.ts'
import { admit } from './access.ts'
import type { Answer } from './answer.ts'
import { LIMITS } from './limits.ts'
import type { Operation } from './operation.ts'
import { perform } from './perform.ts'
import type { Db } from './storage/tables.ts'
import type { Caller } from './storage/tokens.ts'

export type ServerOptions = {
  db: Db
  operations: Operation[]
  log: FastifyBaseLogger
  runtime: Runtime
  isReady: () => Promise<boolean>
}

/** For a request to arrive in full. */
const REQUEST_TIMEOUT_MS = 20_000

/** HTTP and JSON, and nothing of what the operations mean. */
export function createServer({ db, operations, log, runtime, isReady }: ServerOptions): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    genReqId: runtime.newId,
    bodyLimit: LIMITS.jsonBody,
    routerOptions: { ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      answerFault(reply, error.statusCode ?? 400, error.message)
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close') // or the close would wait for the client to hang up
  })
  server.setNotFoundHandler((_request, reply) => answerFault(reply, 404, 'Not Found'))
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode && error.statusCode < 500) return answerFault(reply, error.statusCode, error.message)
    request.log.error(error)
    if (!isConnectionError(error)) return answerFault(reply, 500, 'Internal Server Error')
    reply.header('retry-after', '1')
    return answerFault(reply, 503, 'The database cannot be reached at the moment.')
  })

  const callers = new WeakMap<FastifyRequest, Caller>()
  for (const operation of operations)
    server.route({
      method: operation.method,
      url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
      ...(operation.rawBodyLimit && { bodyLimit: operation.rawBodyLimit }),
      // Before the body is read: nobody is to fill our memory who may not.
      onRequest: async (request, reply) => {
        const { project_id } = request.params as Record<string, string>
        const { authorization } = request.headers
        const admission = await admit(db, { authorization, project_id, needs: operation.needs })
        if ('refusal' in admission) return send(reply, admission.refusal)
        callers.set(request, admission.caller)
      },
      handler: async (request, reply) => {
        const caller = callers.get(request)
        if (!caller) throw new Error(`Nobody was let in to ${operation.id}.`)
        const received = {
          caller,
          contentType: request.headers['content-type'],
          // Without schemas Fastify cannot know: path and query hold texts, the parser above makes buffers.
          params: request.params as Record<string, string>,
          query: request.query as Record<string, unknown>,
          rawBody: request.body as Buffer | undefined,
        }
        return send(reply, await perform(operation, received, db, runtime.now()))
      },
    })
  refuseOtherMethods(server, operations)

  server.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  server.get('/readyz', { logLevel: 'silent' }, async (_request, reply) =>
    (await isReady())
      ? { status: 'ready' }
      : answerFault(reply, 503, 'The database cannot be reached at the moment.'),
  )
  return server
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('data' in answer) return reply.code(answer.status).send({ data: answer.data, success: true })
  if (answer.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(answer.status).send({ detail: answer.detail })
}

/** An empty detail would tell nothing: then the status speaks for itself. */
const answerFault = (reply: FastifyReply, status: number, detail: string) =>
  reply.code(status).send({ detail: detail || STATUS_CODES[status] })

function refuseOtherMethods(server: FastifyInstance, operations: Operation[]): void {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const allowed = operations.filter((operation) => operation.path === path).map(({ method }) => method)
    const others = server.supportedMethods.filter((method) => !allowed.some((one) => one === method))
    server.route({
      method: others,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        return answerFault(reply, 405, 'Method Not Allowed')
      },
    })
  }
}
