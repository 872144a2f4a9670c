import { STATUS_CODES } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestAsyncHookHandler,
} from 'fastify'
import { isTemporaryDatabaseError } from '../database/connection-error.ts'
import { KEEP_ALIVE_TIMEOUT_MS } from '../listen-address.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Runtime } from '../runtime.ts'
import { readTraceId, withTrace } from '../tracing/spans.ts'
import { VERSION } from '../version.ts'
import { type ApiDocument, addDocumentRoutes } from './api-document.ts'
import { createCallerCache } from './caller-cache.ts'
import { createDateFormat } from './date-format.ts'
import { addDemoImageRoutes } from './demo-images.ts'
import { authorize, handleRequest, readToken } from './handle-request.ts'
import { operations } from './operations/index.ts'
import type { PublisherSettings } from './publishing/create-publishers.ts'
import type { Publishers } from './publishing/publisher.ts'
import { createRateLimit, findNetwork, type RateLimit } from './rate-limit.ts'
import type { Db } from './stores/tables.ts'
import { type Caller, hashToken } from './stores/tokens-store.ts'
import { RequestError, type ValidationError } from './validation/errors.ts'
import { isId } from './validation/fields.ts'

const MAX_JSON_BODY_BYTES = 1024 * 1024

export type ServerOptions = {
  db: Db
  log: FastifyBaseLogger
  metrics: Metrics
  runtime: Runtime
  publishing: Pick<PublisherSettings, 'requireAccounts'>
  publishers: Publishers
  /** How many requests a token may send, and how many requests without a valid token may come from a network. */
  requestsPerMinute: number
  /** The token of the bot in this process. Its requests don't count toward the limit. */
  botToken?: string | undefined
  apiDocument: ApiDocument
  /** How long a client has to send a whole request. */
  requestTimeoutMs: number
  /** Returns why the service isn't ready, or undefined if it is. */
  findProblem: () => Promise<string | undefined>
}

const COMMON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function createServer(options: ServerOptions): FastifyInstance {
  const { log, metrics, runtime, requestsPerMinute, botToken, apiDocument } = options
  const { requestTimeoutMs, findProblem } = options
  const botKey = botToken && toLimitKey(hashToken(botToken))
  const rateLimit = createRateLimit({
    maxRequests: requestsPerMinute,
    unlimitedKey: botKey,
    now: runtime.now,
  })
  const countByNetwork = async (request: FastifyRequest, reply: FastifyReply) =>
    rateLimit.countRequest(findNetwork(request.ip), reply)
  const server = fastify({
    loggerInstance: log,
    genReqId: ({ headers }) => readRequestId(headers['x-request-id']) ?? runtime.newId(),
    bodyLimit: MAX_JSON_BODY_BYTES,
    routerOptions: { ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: requestTimeoutMs,
    // If the headers timeout is longer than the request timeout, as it is by default, Node.js swaps the two.
    http: { headersTimeout: requestTimeoutMs, connectionsCheckingInterval: requestTimeoutMs / 4 },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...COMMON_HEADERS, 'x-request-id': request.id })
      sendError(reply, error.statusCode ?? 400, error.message)
    },
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(COMMON_HEADERS).header('x-request-id', request.id)
    // Shows the client that the key has arrived, because a proxy in between may drop headers that it doesn't know.
    const key = request.headers['idempotency-key']
    if (key !== undefined) reply.header('idempotency-key', key)
    if (request.is404) countByNetwork(request, reply).then(() => done(), done)
    else done()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // Without this header, closing the server waits until its clients disconnect.
    if (!server.server.listening) reply.header('connection', 'close')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const labels = {
      upnext_server: 'service',
      http_request_method: request.method,
      http_route: request.routeOptions.url ?? 'unknown',
      http_response_status_code: reply.statusCode,
    }
    metrics.httpRequests.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  metrics.collectors.push(async () =>
    metrics.ready.set({ upnext_server: 'service' }, (await findProblem()) ? 0 : 1),
  )
  server.setNotFoundHandler((_request, reply) => sendError(reply, 404, 'Not Found'))
  server.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof RequestError) {
      if (error.status === 401) reply.header('www-authenticate', 'Bearer')
      return sendError(reply, error.status, error.detail)
    }
    if (error.statusCode && error.statusCode < 500) return sendError(reply, error.statusCode, error.message)
    request.log.error(error)
    if (!isTemporaryDatabaseError(error)) return sendError(reply, 500, 'Internal Server Error')
    reply.header('retry-after', '1')
    return sendError(reply, 503, "The database can't be reached right now.")
  })

  addOperationRoutes(server, { rateLimit, botKey }, options)
  addMethodNotAllowedRoutes(server, countByNetwork)
  addDocumentRoutes(server, countByNetwork, apiDocument)
  addDemoImageRoutes(server, countByNetwork)
  server.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok', version: VERSION }))
  server.get('/readyz', { logLevel: 'silent', onRequest: countByNetwork }, async (_request, reply) => {
    const problem = await findProblem()
    return problem ? sendError(reply, 503, problem) : { status: 'ready' }
  })
  return server
}

/** Some clients write ids in upper case. */
const lowerCaseIds = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isId(value) ? value.toLowerCase() : value]),
  )

function addOperationRoutes(
  server: FastifyInstance,
  { rateLimit, botKey }: { rateLimit: RateLimit; botKey: string | undefined },
  { db, runtime, publishers, publishing: { requireAccounts } }: ServerOptions,
): void {
  server.decorateRequest('caller')
  const callerCache = createCallerCache(db, runtime.now)
  const formatDate = createDateFormat()
  for (const operation of Object.values(operations))
    server.route({
      method: operation.method,
      url: toRoute(operation.path),
      ...(operation.maxRawBodyBytes && { bodyLimit: operation.maxRawBodyBytes }),
      // Requests are authorized before Fastify reads their body into memory.
      onRequest: async (request, reply) => {
        const { project_id } = request.params as Record<string, string>
        const token = readToken(request.headers.authorization)
        const tokenHash = token && hashToken(token)
        const tokenKey = tokenHash ? toLimitKey(tokenHash) : ''
        const isKnown = rateLimit.isKnownToken(tokenKey)
        rateLimit.requireQuota(isKnown ? tokenKey : findNetwork(request.ip), reply)
        const membership = tokenHash && (await callerCache.find(tokenHash, project_id))
        if (membership) rateLimit.rememberToken(tokenKey)
        rateLimit.countRequest(membership ? tokenKey : findNetwork(request.ip), reply)
        if (!membership) throw new RequestError(401, token ? 'Invalid token' : 'Not authenticated')
        const caller = await authorize(db, operation, membership, { isBot: tokenKey === botKey })
        request.setDecorator<Caller>('caller', caller)
      },
      handler: (request, reply) =>
        traceRequest(request, reply, async () => {
          const data = await handleRequest(operation, {
            db,
            now: runtime.now(),
            caller: request.getDecorator<Caller>('caller'),
            contentType: request.headers['content-type'],
            // Fastify can't infer these types without schemas. The content type parser turns every body into a Buffer.
            params: lowerCaseIds(request.params as Record<string, string>),
            query: request.query as Record<string, unknown>,
            request_id: request.id,
            formatDate,
            ifMatch: request.headers['if-match'],
            newId: runtime.newId,
            publishers,
            requireAccounts,
            idempotencyKey: request.headers['idempotency-key'],
            rawBody: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
          })
          if (operation.changesRoles) callerCache.forget()
          // The ETag of a record with a version is that version.
          if (typeof data === 'object' && data !== null && 'Version' in data)
            reply.header('etag', `"${data.Version}"`)
          const createsRecord = operation.method === 'POST' && !operation.createsNothing
          return reply.code(createsRecord ? 201 : 200).send({ data, success: true })
        }),
    })
}

/** Requests without a valid token aren't traced, so strangers can't add to a trace. */
async function traceRequest<Result>(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Promise<Result>,
): Promise<Result> {
  const { method, routeOptions, headers, id } = request
  const route = routeOptions.url
  const attributes = { 'http.request.method': method, 'http.route': route, 'upnext.request.id': id }
  const entry = { kind: 'server' as const, attributes, traceparent: headers.traceparent?.toString() }
  const outcome = await withTrace(`${method} ${route}`, entry, async (span) => {
    const trace_id = readTraceId()
    if (trace_id) request.log = request.log.child({ trace_id })
    try {
      const result = await handle()
      span.setAttributes({ 'http.response.status_code': reply.statusCode })
      return { result }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      span.setAttributes({ 'http.response.status_code': error.status })
      return { refusal: error }
    }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.result
}

const toLimitKey = (tokenHash: Buffer): string => tokenHash.toString('base64')

/** A client may send an id for its request, to find the request in the log. */
const readRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^[\w-]{1,64}$/.test(header) ? header : undefined

function addMethodNotAllowedRoutes(server: FastifyInstance, onRequest: onRequestAsyncHookHandler): void {
  for (const path of new Set(Object.values(operations).map((operation) => operation.path))) {
    const operationsOfPath = Object.values(operations).filter((operation) => operation.path === path)
    const allowed = operationsOfPath.map(({ method }): string => method).sort()
    server.route({
      method: server.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toRoute(path),
      onRequest,
      handler: (_request, reply) =>
        sendError(reply.header('allow', allowed.join(', ')), 405, 'Method Not Allowed'),
    })
  }
}

const toRoute = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

/** Some framework errors have no message, so the name of the status is sent instead. */
const sendError = (reply: FastifyReply, status: number, detail: string | ValidationError[]) =>
  reply.code(status).send({ detail: detail || STATUS_CODES[status] })
