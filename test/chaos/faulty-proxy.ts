import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Reshape } from './shapes.ts'

/** What happens to a request, and to its response. */
const FAULTS = [
  'delayed',
  'cut before the request',
  'cut during the request',
  'cut before the response',
  'cut during the response',
  'status 429',
  'status 500',
  'status 502',
  'status 502 after success',
] as const

export type Fault = (typeof FAULTS)[number]

const FAULT_RATE = 0.25

/** The bot looks a request up after 30 seconds, so none may arrive later than that. */
const MAX_DELAY_MS = 10_000

export type FaultyProxy = {
  url: string
  /** Off at first. */
  setFaults: (isOn: boolean) => void
  counts: Map<Fault, number>
  /** How the requests to create a post were answered, by their request ids. An id is that of an outbox item. */
  creations: Map<string, Set<CreationAnswer>>
  close: () => Promise<void>
}

/** An answer is unclear if it doesn't say what became of the request, or didn't arrive. */
type CreationAnswer = 'created' | 'refused' | 'unclear'

type ProxyOptions = {
  random: SeededRandom
  reshape?: Reshape | undefined
  /** Requests whose response is lost more often than others. */
  losesAnswer?: (body: string) => boolean
  /** Requests that arrive late more often than others. */
  delays?: (body: string) => boolean
}

/** Stands between the bot and the service, and lets some requests fail. */
export async function startFaultyProxy(
  target: string,
  { random, reshape = (_method, text) => text, losesAnswer, delays }: ProxyOptions,
): Promise<FaultyProxy> {
  const counts = new Map<Fault, number>()
  const creations = new Map<string, Set<CreationAnswer>>()
  let hasFaults = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const isLost = hasFaults && losesAnswer?.(body.toString())
    const anyFault = hasFaults && random.next() <= FAULT_RATE ? random.oneOf(FAULTS) : undefined
    const isLate = hasFaults && delays?.(body.toString())
    const fault = isLost ? 'cut before the response' : isLate ? 'delayed' : anyFault
    if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1)
    const exchange = {
      target,
      reshape,
      request,
      response,
      body,
      delayMs: isLate ? MAX_DELAY_MS : random.below(MAX_DELAY_MS),
    }
    response.once('close', () => recordCreation(creations, request, response))
    await handleRequest(exchange, fault).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setFaults(isOn) {
      hasFaults = isOn
    },
    counts,
    creations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function recordCreation(
  creations: FaultyProxy['creations'],
  { method, url = '', headers }: IncomingMessage,
  { writableFinished, statusCode }: ServerResponse,
): void {
  if (method !== 'POST' || !url.endsWith('/posts')) return
  const id = String(headers['x-request-id'])
  const answers = creations.get(id) ?? new Set()
  creations.set(id, answers)
  if (!writableFinished || statusCode >= 500) answers.add('unclear')
  else if (statusCode < 400) answers.add('created')
  else if (statusCode !== 429) answers.add('refused')
}

type Exchange = {
  target: string
  reshape: Reshape
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  delayMs: number
}

async function handleRequest(exchange: Exchange, fault: Fault | undefined): Promise<void> {
  const { response, body, delayMs } = exchange
  switch (fault) {
    case 'status 429':
      response.writeHead(429, { 'retry-after': '1' }).end()
      return
    case 'status 500':
      response.writeHead(500).end()
      return
    case 'status 502':
      response.writeHead(502).end()
      return
    case 'cut before the request':
      response.destroy()
      return
    case 'cut during the request':
      await forwardPart(exchange, body.length >> 1)
      response.destroy()
      return
    case 'delayed':
      // The bot may have stopped waiting by then, but the request still arrives.
      await sleep(delayMs)
  }
  const { status, text, headers } = await forward(exchange)
  if (fault === 'cut before the response') response.destroy()
  else if (fault === 'status 502 after success') response.writeHead(502).end()
  else {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    if (fault === 'cut during the response')
      response.write(text.slice(0, text.length >> 1), () => response.destroy())
    else response.end(text)
  }
}

async function forward({
  target,
  request,
  body,
  reshape,
}: Exchange): Promise<{ status: number; text: string; headers: Record<string, string> }> {
  const response = await sendRequest(target, request, body.length ? body : undefined)
  const text = await response.text()
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => ['etag', 'idempotency-key'].includes(name)),
  )
  return { status: response.status, headers, text: response.ok ? reshape(request.method ?? '', text) : text }
}

/** The service receives only the first bytes of the body. */
async function forwardPart({ target, request, body }: Exchange, byteCount: number): Promise<void> {
  const abortion = new AbortController()
  const part = new ReadableStream({
    start(controller) {
      controller.enqueue(body.subarray(0, byteCount))
      setTimeout(() => abortion.abort(), 50)
    },
  })
  await sendRequest(target, request, part, abortion.signal).catch(() => {})
}

const sendRequest = (
  target: string,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer | ReadableStream | undefined,
  signal?: AbortSignal,
) =>
  fetch(target + url, {
    method,
    headers: {
      authorization: String(headers.authorization),
      ...(body && { 'content-type': 'application/json' }),
      ...(headers['if-match'] && { 'if-match': headers['if-match'] }),
      ...(headers['idempotency-key'] && { 'idempotency-key': String(headers['idempotency-key']) }),
    },
    ...(body && { body, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit)
