import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { explainListenError, formatUrl, KEEP_ALIVE_TIMEOUT_MS } from '../../listen-address.ts'
import { VERSION } from '../../version.ts'
import type { Bot } from './bot.ts'

type ServerOptions = {
  log: Bot['log']
  metrics: Bot['metrics']
  host: string
  port: number
  /** Handles the requests of Slack. Undefined in Socket Mode. */
  receiveFromSlack?: RequestListener | undefined
  /** Serves files whose URLs begin with `path`. */
  files: {
    path: string
    /** Returns false if there is no file of this name. */
    serve: (name: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>
  }
  /** Returns the reason why the bot isn't ready, if it isn't. */
  findProblem: () => Promise<string | undefined>
}

/** Node answers 408 to a request that isn't complete within these times. */
const REQUEST_TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 }

/** Each slow download keeps part of a file in memory, so their number is limited. */
const MAX_CONCURRENT_DOWNLOADS = 50
/** A download is ended if its client reads no data for this long. */
const DOWNLOAD_IDLE_TIMEOUT_MS = 20_000
const MAX_CONNECTIONS = 1000

/** How long a shutdown waits for requests to end, such as downloads of large files. */
const MAX_SHUTDOWN_MS = 10_000

/** Reports health to monitors, serves files and, without Socket Mode, receives Slack's requests. */
export async function startHttpServer(options: ServerOptions) {
  const { host, port, files, metrics, receiveFromSlack = answerNotFound, findProblem } = options
  /** Connections with a download, at most one each. A pipelined response emits no `close`, so the socket is watched. */
  const downloads = new Set<Socket>()
  const server = createServer(
    { ...REQUEST_TIMEOUTS, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (request, response) => {
      const [path = ''] = request.url?.split('?', 1) ?? []
      measureResponse(metrics, { routes: [...ROUTES, files.path], path }, request, response)
      const isReadRequest = request.method === 'GET' || request.method === 'HEAD'
      const isFile = isReadRequest && path.startsWith(files.path)
      const { socket } = request
      if (path === '/healthz' && isReadRequest) answer(response, 200, { status: 'ok', version: VERSION })
      else if (path === '/readyz' && isReadRequest)
        void findProblem().then((problem) =>
          answer(response, problem ? 503 : 200, { status: problem ?? 'ready' }),
        )
      else if (isFile && (downloads.size >= MAX_CONCURRENT_DOWNLOADS || downloads.has(socket)))
        answer(response, 503, { status: 'Too many downloads. Try again later.' })
      else if (isFile) {
        downloads.add(socket)
        const release = () => {
          downloads.delete(socket)
          socket.off('close', release)
        }
        response.once('close', release)
        socket.once('close', release)
        response.setTimeout(DOWNLOAD_IDLE_TIMEOUT_MS, () => response.destroy())
        void answerFile(options, path, request, response)
      } else receiveFromSlack(request, response)
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw explainListenError(error, { host, port, setting: 'PORT' })
  })
  return {
    url: formatUrl(host, (server.address() as AddressInfo).port),
    async close() {
      const timer = setTimeout(() => server.closeAllConnections(), MAX_SHUTDOWN_MS)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(timer)
    },
  }
}

function measureResponse(
  { httpRequests }: Bot['metrics'],
  { routes, path }: { routes: string[]; path: string },
  { method = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const http_route =
    routes.find((route) => path === route || (route.endsWith('/') && path.startsWith(route))) ?? 'unknown'
  const labels = { http_request_method: METHODS.includes(method) ? method : '_OTHER', http_route }
  const observe = httpRequests.startTimer({ upnext_server: 'bot', ...labels })
  response.once('close', () => observe({ http_response_status_code: response.statusCode }))
}

const ROUTES = ['/healthz', '/readyz', '/slack/events']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

async function answerFile(
  { log, files }: Pick<ServerOptions, 'log' | 'files'>,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (!(await files.serve(path.slice(files.path.length), request, response)))
      answerNotFound(request, response)
  } catch (err) {
    // A client may stop reading a large file before its end.
    if (response.headersSent) return void response.destroy()
    log.error({ err }, 'Failed to serve a file')
    answer(response, 503, { status: "The file can't be read right now." })
  }
}

const answerNotFound: RequestListener = (_request, response) => answer(response, 404, { status: 'Not Found' })

function answer(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .end(JSON.stringify(body))
}
