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
  close: () => Promise<void>
}

/** Stands between the bot and the service, and lets some requests fail. */
export async function startFaultyProxy(
  target: string,
  random: SeededRandom,
  reshape: Reshape = (_method, text) => text,
): Promise<FaultyProxy> {
  const counts = new Map<Fault, number>()
  let hasFaults = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const fault = hasFaults && random.next() <= FAULT_RATE ? random.oneOf(FAULTS) : undefined
    if (fault) counts.set(fault, (counts.get(fault) ?? 0) + 1)
    const exchange = { target, reshape, request, response, body, delayMs: random.below(MAX_DELAY_MS) }
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
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
  const { status, text, etag } = await forward(exchange)
  if (fault === 'cut before the response') response.destroy()
  else if (fault === 'status 502 after success') response.writeHead(502).end()
  else {
    response.writeHead(status, { 'content-type': 'application/json', ...(etag && { etag }) })
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
}: Exchange): Promise<{ status: number; text: string; etag: string | null }> {
  const response = await sendRequest(target, request, body.length ? body : undefined)
  const text = await response.text()
  const etag = response.headers.get('etag')
  return { status: response.status, etag, text: response.ok ? reshape(request.method ?? '', text) : text }
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
    },
    ...(body && { body, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit)
