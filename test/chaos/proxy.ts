import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from './chance.ts'

export type Trouble =
  | 'none'
  | 'late'
  | 'cut before'
  | 'cut during'
  | 'cut after'
  | 'half an answer'
  | '429'
  | '500'
  | '502'
  | '502 after'

/** Three of four get through; the rest meet with each of the troubles alike. */
const TROUBLES: Trouble[] = [
  'late',
  'cut before',
  'cut during',
  'cut after',
  'half an answer',
  '429',
  '500',
  '502',
  '502 after',
]
const SHARE = 0.25

/** What looks waits half a minute before it looks: nothing may be held back for longer than this. */
const LONGEST_DELAY_MS = 10_000

export type Proxy = {
  url: string
  /** All goes well until the first, and from the second on. */
  storm: () => void
  calm: () => void
  met: Map<Trouble, number>
  close: () => Promise<void>
}

/** Stands between the bot and the service, and is no good at it. */
export async function startProxy(target: string, chance: Chance): Promise<Proxy> {
  const met = new Map<Trouble, number>()
  let isCalm = true
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const trouble = isCalm || chance.next() > SHARE ? 'none' : chance.oneOf(TROUBLES)
    met.set(trouble, (met.get(trouble) ?? 0) + 1)
    await answer({ target, request, response, body, delayMs: chance.below(LONGEST_DELAY_MS) }, trouble).catch(
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    storm: () => {
      isCalm = false
    },
    calm: () => {
      isCalm = true
    },
    met,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Passing = {
  target: string
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  delayMs: number
}

async function answer(passing: Passing, trouble: Trouble): Promise<void> {
  const { response, delayMs } = passing
  const say = (status: number, headers: Record<string, string> = {}) =>
    void response.writeHead(status, headers).end()
  switch (trouble) {
    case '429':
      return say(429, { 'retry-after': '1' })
    case '500':
      return say(500)
    case '502':
      return say(502)
    case 'cut before':
      return void response.destroy()
    case 'cut during':
      // Some of the request arrives: the service waits for the rest, and gets none.
      await forward(passing, passing.body.length >> 1)
      return void response.destroy()
    case 'late':
      // Whoever asked may have gone by then; it arrives all the same.
      await sleep(delayMs)
  }
  const answered = await forward(passing, passing.body.length)
  if (!answered || trouble === 'cut after') return void response.destroy()
  if (trouble === '502 after') return say(502)
  response.writeHead(answered.status, { 'content-type': 'application/json' })
  if (trouble !== 'half an answer') return void response.end(answered.text)
  response.write(answered.text.slice(0, answered.text.length >> 1), () => response.destroy())
}

/** As much of the request as that; undefined where that is not all. */
async function forward(
  { target, request, body }: Passing,
  bytes: number,
): Promise<{ status: number; text: string } | undefined> {
  const { method = 'GET', url = '/', headers } = request
  if (bytes < body.length) {
    const cut = new AbortController()
    const half = new ReadableStream({
      start: (controller) => {
        controller.enqueue(body.subarray(0, bytes))
        setTimeout(() => cut.abort(), 50)
      },
    })
    await send(target + url, { method, headers, body: half, signal: cut.signal }).catch(() => {})
    return undefined
  }
  const answered = await send(target + url, { method, headers, body: body.length ? body : undefined })
  return { status: answered.status, text: await answered.text() }
}

type Sent = {
  method: string
  headers: IncomingMessage['headers']
  body: Buffer | ReadableStream | undefined
  signal?: AbortSignal
}

const send = (url: string, { method, headers, body, signal }: Sent) =>
  fetch(url, {
    method,
    headers: {
      authorization: String(headers.authorization),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body, duplex: 'half' }),
    ...(signal && { signal }),
  } as RequestInit)
