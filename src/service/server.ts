import { STATUS_CODES } from 'node:http'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify'
import { isConnectionError } from '../database/connection-error.ts'
import type { Runtime } from '../runtime.ts'
import { authorizeRequest, handleRequest } from './handle-request.ts'
import { operations } from './operations/index.ts'
import { checkConnection } from './stores/database.ts'
import type { Db } from './stores/tables.ts'
import type { Caller } from './stores/tokens-store.ts'
import { RequestError, type ValidationError } from './validation/errors.ts'
import { MAX_JSON_BODY_BYTES } from './values-and-limits.ts'

/** Translates between HTTP and the operations. */
export function createServer(db: Db, log: FastifyBaseLogger, runtime: Runtime): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? runtime.newId(),
    bodyLimit: MAX_JSON_BODY_BYTES,
    routerOptions: { ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: 20_000, // Milliseconds that a client has to send a whole request.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendError(reply, error.statusCode ?? 400, error.message)
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  let isClosing = false
  server.addHook('preClose', async () => {
    isClosing = true
  })
  server.addHook('onSend', async (_request, reply) => {
    // Without this header, closing the server waits until its clients disconnect.
    if (isClosing) reply.header('connection', 'close')
  })
  server.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'Not Found'))
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof RequestError) {
      if (error.status === 401) reply.header('www-authenticate', 'Bearer')
      return sendError(reply, error.status, error.detail)
    }
    if (error.statusCode && error.statusCode < 500) return sendError(reply, error.statusCode, error.message)
    request.log.error(error)
    if (!isConnectionError(error)) return sendError(reply, 500, 'Internal Server Error')
    reply.header('retry-after', '1')
    return sendError(reply, 503, "The database can't be reached right now.")
  })

  addOperationRoutes(server, db, runtime)
  addMethodNotAllowedRoutes(server)
  server.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  server.get('/readyz', { logLevel: 'silent' }, async () => {
    await checkConnection(db)
    return { status: 'ready' }
  })
  return server
}

function addOperationRoutes(server: FastifyInstance, db: Db, runtime: Runtime): void {
  server.decorateRequest('caller')
  for (const operation of Object.values(operations))
    server.route({
      method: operation.method,
      url: toRoute(operation.path),
      ...(operation.maxRawBodyBytes && { bodyLimit: operation.maxRawBodyBytes }),
      // Requests are authorized before Fastify reads their body into memory.
      onRequest: async (request) => {
        const { project_id } = request.params as Record<string, string>
        const caller = await authorizeRequest(db, operation, request.headers.authorization, project_id)
        request.setDecorator<Caller>('caller', caller)
      },
      handler: async (request, reply) => {
        const data = await handleRequest(operation, {
          db,
          now: runtime.now(),
          caller: request.getDecorator<Caller>('caller'),
          contentType: request.headers['content-type'],
          // Fastify can't infer these types without schemas. The parser above turns every body into a Buffer.
          params: request.params as Record<string, string>,
          query: request.query as Record<string, unknown>,
          request_id: request.id,
          rawBody: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
        })
        // The POST operations create a record.
        return reply.code(operation.method === 'POST' ? 201 : 200).send({ data, success: true })
      },
    })
}

/** A client may name its request, to find it in the log again. */
const readRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w-]{1,64}$/.test(header) ? header : undefined

function addMethodNotAllowedRoutes(server: FastifyInstance): void {
  for (const path of new Set(Object.values(operations).map((operation) => operation.path))) {
    const operationsOfPath = Object.values(operations).filter((operation) => operation.path === path)
    const allowed = operationsOfPath.map(({ method }): string => method).sort()
    server.route({
      method: server.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toRoute(path),
      handler: (_request, reply) =>
        sendError(reply.header('allow', allowed.join(', ')), 405, 'Method Not Allowed'),
    })
  }
}

const toRoute = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Some framework errors have no message, so the name of the status replaces it. */
const sendError = (reply: FastifyReply, status: number, detail: string | ValidationError[]) =>
  reply.code(status).send({ detail: detail || STATUS_CODES[status] })
