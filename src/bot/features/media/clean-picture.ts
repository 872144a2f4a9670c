import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PROJECT_FOLDER } from '../../../project-folder.ts'
import type { DecodedHeader } from './decode-picture.ts'
import { limitSize } from './fetch-slack-file.ts'
import { MAX_PICTURE_BYTES, MediaError, type MediaProblem } from './media-problems.ts'
import type { PictureType } from './media-type.ts'

/** With a small JPEG of it. */
export type CleanPicture = {
  width: number
  height: number
  thumbnail: Buffer
  content: AsyncIterable<Uint8Array>
}

type Picture = { type: PictureType; content: AsyncIterable<Uint8Array>; signal: AbortSignal }

const MAX_SECONDS = 30

const PROGRAM = join(PROJECT_FOLDER, 'dist/bot/features/media/decode-picture.js')

/**
 * Has a picture decoded by a process of its own, so that a hostile one can neither stop the bot nor fill its memory. `use`
 * reads the content. If it rejects, so does `cleanPicture`.
 */
export async function cleanPicture<T>(
  { type, content, signal }: Picture,
  use: (cleaned: CleanPicture) => Promise<T>,
): Promise<T | { problem: MediaProblem }> {
  if (signal.aborted) return { problem: 'unreachable' }
  // The process gets nothing of the environment, which has secrets.
  const decoder = spawn(process.execPath, [PROGRAM, type], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  // Rejects if the process can't be started.
  const exit = once(decoder, 'close') as Promise<[code: number | null, killedBy: string | null]>
  exit.catch(() => {})
  const end = () => void decoder.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  try {
    await pipeline(limitSize(content, MAX_PICTURE_BYTES), decoder.stdin).catch((error) => {
      // If the process ends before it has read everything, its exit explains why.
      if (error instanceof MediaError) throw error
    })
    AbortSignal.timeout(MAX_SECONDS * 1000).addEventListener('abort', end, { once: true })
    const output = createReader(decoder.stdout)
    const header = await readHeader(output)
    if (!header) return { problem: explainExit(await exit, signal) }
    if ('problem' in header) return header
    const { width, height, thumbnailBytes, pictureBytes } = header
    const thumbnail = await output.read(thumbnailBytes)
    if (!thumbnail) throw new Error('A decoded picture ended early.')
    return await use({ width, height, thumbnail, content: output.readRest(pictureBytes) })
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

async function readHeader({ read }: ReturnType<typeof createReader>): Promise<DecodedHeader | undefined> {
  const length = (await read(4))?.readUInt32BE()
  const json = length && (await read(length))
  return json ? JSON.parse(json.toString()) : undefined
}

/** The process was ended at a limit or with the bot, a decoder crashed, or the program is broken. */
function explainExit([code, killedBy]: [number | null, string | null], signal: AbortSignal): MediaProblem {
  if (signal.aborted) return 'unreachable'
  if (killedBy === 'SIGKILL') return 'too complex'
  // A signal to the whole process group also ends the bot.
  if (killedBy && ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(killedBy)) return 'unreachable'
  if (killedBy) return 'damaged'
  throw new Error(`The program that decodes pictures exited with code ${code}.`)
}

function createReader(stream: Readable) {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    /** Undefined if the stream ends before that. */
    async read(length: number): Promise<Buffer | undefined> {
      while (rest.length < length) {
        const { value, done } = await chunks.next()
        if (done) return undefined
        rest = Buffer.concat([rest, value])
      }
      const bytes = rest.subarray(0, length)
      rest = rest.subarray(length)
      return bytes
    },
    async *readRest(length: number): AsyncIterable<Uint8Array> {
      yield rest
      let size = rest.length
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
        size += next.value.length
        yield next.value
      }
      if (size !== length) throw new Error('A decoded picture ended early.')
    },
  }
}
