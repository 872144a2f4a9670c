import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Bot } from '../../slack/bot.ts'
import { findServedFile, readBytes } from './media-store.ts'
import type { MediaFileRow } from './tables.ts'

/** Uploads are served under this path. */
export const MEDIA_PATH = '/media/'

const NAME = /^[\w-]{32}\.[a-z0-9]{3,4}$/

/** Limits how long sending a file may take, so that slow readers don't keep others from reading. */
const sendTimeoutMs = (bytes: number) => Math.min(10 * 60_000, 30_000 + Math.ceil(bytes / MIN_BYTES_PER_MS))
const MIN_BYTES_PER_MS = 20

/** The file at an address never changes, but it may be deleted, so caches must not keep copies for long. */
const COMMON_HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/** Sends an uploaded file, or the part that was asked for. Returns false if there is no such file. */
export async function serveMedia(
  { db }: Pick<Bot, 'db'>,
  name: string,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
): Promise<boolean> {
  const file = NAME.test(name) ? await findServedFile(db, name) : undefined
  if (!file) return false
  const etag = `"${file.hash}"`
  const common = { ...COMMON_HEADERS, etag, 'content-type': file.content_type }
  if (headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) {
    response.writeHead(304, common).end()
    return true
  }
  const isRangeValid = !headers['if-range'] || headers['if-range'] === etag
  const range = findRange(isRangeValid ? headers.range : undefined, file)
  if (range === 'unsatisfiable') {
    response.writeHead(416, { ...common, 'content-range': `bytes */${file.size}` }).end()
    return true
  }
  const { from, to } = range ?? { from: 0, to: file.size - 1 }
  const part = range && { 'content-range': `bytes ${from}-${to}/${file.size}` }
  response.writeHead(range ? 206 : 200, { ...common, ...part, 'content-length': to - from + 1 })
  if (method === 'HEAD') response.end()
  // Each part of the file is released once it is sent.
  else
    await pipeline(Readable.from(readBytes(db, file.id, { from, to }), { highWaterMark: 1 }), response, {
      signal: AbortSignal.timeout(sendTimeoutMs(to - from)),
    })
  return true
}

type Range = { from: number; to: number }

/** Requests for several ranges, or in units other than bytes, get the whole file. */
function findRange(header: string | undefined, { size }: MediaFileRow): Range | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (!first && !last) return undefined
  if (!first) return Number(last) ? { from: Math.max(0, size - Number(last)), to: size - 1 } : 'unsatisfiable'
  const from = Number(first)
  const to = last ? Math.min(Number(last), size - 1) : size - 1
  if (last && Number(last) < from) return undefined
  return from < size ? { from, to } : 'unsatisfiable'
}
