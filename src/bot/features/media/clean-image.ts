import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { PACKAGE_FOLDER } from '../../../package-folder.ts'
import type { EncoderResult } from './encode-image.ts'
import { limitSize } from './fetch-slack-file.ts'
import { MediaError, type MediaProblem } from './media-problems.ts'
import type { ImageType } from './media-type.ts'
import { MAX_IMAGE_BYTES } from './upload-limits.ts'

/** An image that was decoded and encoded again, with a small JPEG of it as its thumbnail. */
export type CleanImage = {
  width: number
  height: number
  thumbnail: Buffer
  content: AsyncIterable<Uint8Array>
}

type Exit = [code: number | null, killedBy: string | null]

type Image = { type: ImageType; content: AsyncIterable<Uint8Array>; signal: AbortSignal }

const ENCODE_TIMEOUT_SECONDS = 30

const ENCODER_PATH = join(PACKAGE_FOLDER, 'dist/bot/features/media/encode-image.js')

/**
 * Encodes an image again in a separate process, so that a hostile image can neither stop the bot nor fill the bot's memory.
 * `use` reads the cleaned content. If `use` rejects, so does `cleanImage`.
 */
export async function cleanImage<T>(
  { type, content, signal }: Image,
  use: (cleaned: CleanImage) => Promise<T>,
): Promise<T | { problem: MediaProblem }> {
  if (signal.aborted) return { problem: 'unreachable' }
  // The process gets no environment variables, because they contain secrets.
  const encoder = spawn(process.execPath, [ENCODER_PATH, type], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  })
  const [input, output, , answer] = encoder.stdio as [Writable, Readable, null, Readable, undefined]
  // `answer` and `output` are read immediately, because Node.js discards unread output when the process exits.
  const answered = text(answer).catch(() => '')
  const cleaned = output.pipe(new PassThrough())
  // Rejects if the process can't be started.
  const exit = once(encoder, 'close') as Promise<Exit>
  exit.catch(() => {})
  const end = () => void encoder.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  try {
    await pipeline(limitSize(content, MAX_IMAGE_BYTES), input).catch((error) => {
      // If the process ends before it has read everything, its exit explains why.
      if (error instanceof MediaError) throw error
    })
    AbortSignal.timeout(ENCODE_TIMEOUT_SECONDS * 1000).addEventListener('abort', end, { once: true })
    const json = await answered
    if (!json) return { problem: explainExit(await exit, signal) }
    const encoded: EncoderResult = JSON.parse(json)
    if ('problem' in encoded) return encoded
    const thumbnail = Buffer.from(encoded.thumbnail, 'base64')
    return await use({ ...encoded, thumbnail, content: readCleaned(cleaned, exit) })
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Throws if the process ended before it had written everything. */
async function* readCleaned(cleaned: Readable, exit: Promise<Exit>): AsyncIterable<Uint8Array> {
  yield* cleaned
  const [code] = await exit
  if (code !== 0) throw new Error('The encoder exited before it had written the whole image.')
}

/** The process ended because it hit a limit, the bot is stopping, a decoder crashed or the program is broken. */
function explainExit([code, killedBy]: Exit, signal: AbortSignal): MediaProblem {
  if (signal.aborted) return 'unreachable'
  if (killedBy === 'SIGKILL') return 'too complex'
  // A signal to the whole process group also stops the bot, so the file is uploaded again later.
  if (killedBy && ['SIGTERM', 'SIGINT', 'SIGHUP'].includes(killedBy)) return 'unreachable'
  if (killedBy) return 'damaged'
  throw new Error(`The program that encodes images exited with code ${code}.`)
}
