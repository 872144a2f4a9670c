import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { type AgentOptions, Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

/** The request didn't leave this process. */
export class UnsentRequestError extends TypeError {}

/** Some servers close a connection after two idle seconds. A request that arrives just then is lost. */
const IDLE_TIMEOUT_MS = 1000

/** For requests whose caller sets no limit. */
const DEFAULT_TIMEOUT_MS = 30_000

const DEFAULT_HEADERS = { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'upnext' }

/**
 * A `fetch` for API calls that needs half as much CPU time as Node's own. It rejects with UnsentRequestError if nothing
 * was sent. It doesn't follow redirects, and returns a response once all of it has arrived. `ca` replaces the
 * certificates that Node trusts.
 */
export function createApiFetch(tls: Pick<AgentOptions, 'ca'> = {}): typeof fetch {
  const options = { keepAlive: true, timeout: IDLE_TIMEOUT_MS }
  const http = { createRequest: requestHttp, agent: new HttpAgent(options), connectEvent: 'connect' }
  const https = {
    createRequest: requestHttps,
    agent: new HttpsAgent({ ...options, ...tls }),
    connectEvent: 'secureConnect',
  }
  return async (input, init) => {
    const { url, body, signal, redirect, ...request } = await readRequest(input, init)
    // Files are sent to Slack as forms, which Node's own `fetch` encodes.
    if (body && typeof body !== 'string') return fetch(input, init)
    if (signal.aborted)
      throw new UnsentRequestError('The request was aborted before it was sent.', { cause: signal.reason })
    const { createRequest, agent, connectEvent } = url.protocol === 'https:' ? https : http
    const outgoing = createRequest(url, { ...request, agent })
    if (body) outgoing.setHeader('content-length', Buffer.byteLength(body))
    const abort = () => outgoing.destroy(signal.reason)
    signal.addEventListener('abort', abort)
    let isSent = false
    const markSent = () => {
      isSent = true
    }
    outgoing.on('socket', (socket) =>
      isConnected(socket) ? markSent() : socket.once(connectEvent, markSent),
    )
    try {
      const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.on('response', resolve).on('error', reject)
        // If the server upgrades the protocol, Node emits only `close`.
        outgoing.on('close', () => reject(new Error('The connection closed without a response.')))
        outgoing.end(body)
      })
      const response = await readResponse(incoming, signal)
      if (redirect === 'error' && response.status >= 300 && response.status < 400)
        throw new Error(`The response with status ${response.status} is a redirect.`)
      return response
    } catch (cause) {
      if (!isSent) throw new UnsentRequestError("The request couldn't be sent.", { cause })
      throw signal.aborted ? cause : new TypeError('The request failed.', { cause })
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}

async function readRequest(input: string | URL | Request, init?: RequestInit) {
  const request = input instanceof Request && init ? new Request(input, init) : input
  const options = request instanceof Request ? request : (init ?? {})
  return {
    url: new URL(request instanceof Request ? request.url : request),
    method: options.method ?? 'GET',
    headers: { ...DEFAULT_HEADERS, ...Object.fromEntries(new Headers(options.headers)) },
    body: request instanceof Request ? request.body && (await request.text()) : init?.body,
    signal: options.signal ?? AbortSignal.timeout(DEFAULT_TIMEOUT_MS),
    redirect: options.redirect,
  }
}

/** Whether the socket is already connected: it was used before, or another request waited for it. */
const isConnected = (socket: Socket): boolean =>
  !socket.connecting && !('secureConnecting' in socket && socket.secureConnecting)

const STATUSES_WITHOUT_BODY = [204, 205, 304]
/** A `Response` can't have a higher status. */
const MAX_STATUS = 599

/** If the body is cut off, the returned response still has the status, but its body can't be read. */
async function readResponse(incoming: IncomingMessage, signal: AbortSignal): Promise<Response> {
  const { statusCode = 0, statusMessage: statusText = '' } = incoming
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const status = Math.min(statusCode, MAX_STATUS)
  const body = await readBody(incoming, signal).catch(
    (error) => new ReadableStream({ start: (stream) => stream.error(error) }),
  )
  return new Response(STATUSES_WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers })
}

const decompress = promisify(gunzip)

async function readBody(incoming: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const body = await new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => resolve(Buffer.concat(chunks)))
    incoming.on('error', reject)
  })
  // When a request is aborted, Node treats a body without a length as complete.
  signal.throwIfAborted()
  const encoding = incoming.headers['content-encoding'] ?? 'identity'
  if (!body.length || /^identity$/i.test(encoding)) return body
  if (/^(?:x-)?gzip$/i.test(encoding)) return decompress(body)
  throw new Error(`The response has the unknown encoding "${encoding}".`)
}
