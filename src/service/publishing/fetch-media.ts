import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileTypeFromBuffer } from 'file-type'
import type { Runtime } from '../../runtime.ts'
import { type Dispatcher, PrivateAddressError } from './public-dispatcher.ts'

/** A file that goes out with a post. Its bytes stay on the disk. */
export type Media = { file: Blob; name: string; type: string }

export type MediaOutcome =
  | { state: 'fetched'; media: Media | undefined; release: () => Promise<void> }
  | { state: 'failed'; error: string }
  | { state: 'postponed'; error: string }

type MediaOptions = {
  runtime: Pick<Runtime, 'nodeFetch'>
  publicDispatcher: Dispatcher
  ownMediaPrefixes: string[]
}

const MAX_BYTES = 100e6
const TIMEOUT_MS = 2 * 60_000
/** The type detector reads only this many bytes. */
const TYPE_SAMPLE_BYTES = 4100

const NO_MEDIA: MediaOutcome = { state: 'fetched', media: undefined, release: async () => {} }

/** Downloads a post's media file, so that the networks don't need to reach the file's address. */
export async function fetchMedia(url: string | null, options: MediaOptions): Promise<MediaOutcome> {
  if (!url) return NO_MEDIA
  const folder = await mkdtemp(join(tmpdir(), 'upnext-media-'))
  const release = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, 'file')
  const outcome = await download(url, path, options)
    .catch((error) => {
      const upload = error.cause instanceof PrivateAddressError && findLocalUploadUrl(url, options)
      if (!upload) throw error
      return download(upload, path, options)
    })
    .catch((error) => explainFailure(error))
  if ('state' in outcome) {
    await release()
    return outcome
  }
  return { state: 'fetched', media: outcome, release }
}

const UPLOAD_PATH = /\/media\/[\w-]{32}\.\w+$/

/** An upload's link may name another instance, or an earlier address of this one. Every instance serves all uploads. */
function findLocalUploadUrl(
  url: string,
  { ownMediaPrefixes: [prefix = ''] }: MediaOptions,
): string | undefined {
  const [path] = UPLOAD_PATH.exec(new URL(url).pathname) ?? []
  const address = path && prefix + path.slice('/media/'.length)
  return address === new URL(url).href ? undefined : address
}

async function download(url: string, path: string, options: MediaOptions): Promise<Media | MediaOutcome> {
  const { runtime, publicDispatcher: dispatcher, ownMediaPrefixes } = options
  const isOwn = ownMediaPrefixes.some((prefix) => new URL(url).href.startsWith(prefix))
  const response = await runtime.nodeFetch(url, {
    redirect: isOwn ? 'error' : 'follow',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(!isOwn && { dispatcher }),
  })
  const { status, body } = response
  if (!response.ok || !body) {
    await body?.cancel()
    const isTemporary = status >= 500 || status === 429 || status === 408
    return {
      state: isTemporary ? 'postponed' : 'failed',
      error: `the media file's server responded with ${status}`,
    }
  }
  // The cast is needed because `fetch` and `Readable` have separate types for the same stream.
  await pipeline(
    Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
    limitBytes(),
    createWriteStream(path),
  )
  const type = await detectType(path)
  // Some servers send a web page or an error message in place of the file, even with status 200 and a media type.
  if (!type || type === 'application/xml')
    return { state: 'failed', error: 'the media link leads to a web page or to a file of an unknown type' }
  return { file: await openAsBlob(path, { type }), name: toFileName(url, type), type }
}

class TooLargeError extends Error {}

function limitBytes(): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      done(size > MAX_BYTES ? new TooLargeError() : null, chunk)
    },
  })
}

/** Detects the type from the first bytes, because a server can claim any type. */
async function detectType(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TYPE_SAMPLE_BYTES), 0, TYPE_SAMPLE_BYTES, 0)
    const detected = await fileTypeFromBuffer(buffer.subarray(0, bytesRead)).catch(() => undefined)
    return detected?.mime.split(';', 1)[0] ?? ''
  } finally {
    await file.close()
  }
}

/** Networks judge some files by their extension. */
function toFileName(url: string, type: string): string {
  const name = basename(new URL(url).pathname) || 'file'
  const [, extension] = type.split('/')
  return /\.\w{2,4}$/.test(name) ? name : `${name}.${extension === 'jpeg' ? 'jpg' : extension}`
}

function explainFailure(error: Error): MediaOutcome {
  if (error instanceof TooLargeError)
    return { state: 'failed', error: `the media file is larger than ${MAX_BYTES / 1e6} MB` }
  if (error.cause instanceof PrivateAddressError)
    return { state: 'failed', error: 'the media file is at a private address' }
  return { state: 'postponed', error: "the media file couldn't be downloaded" }
}
