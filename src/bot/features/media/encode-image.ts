// This file runs as a separate process that has no secrets, and that the bot ends if it takes too long. The process
// decodes the image on standard input, encodes it again, and writes it to standard output. This removes metadata, such as
// where a photo was taken, and anything hidden in the file.

import { closeSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import type { MediaProblem } from './media-problems.ts'
import type { ImageType } from './media-type.ts'
import { MAX_IMAGE_SIDE, MAX_MEGAPIXELS } from './upload-limits.ts'

/** Written as JSON to file descriptor 3, before the image. The thumbnail is in Base64. */
export type EncoderResult = { problem: MediaProblem } | { width: number; height: number; thumbnail: string }

const MAX_MEMORY_BYTES = 600 * 1024 ** 2
const MEMORY_CHECK_INTERVAL_MS = 10

/** A small file can unpack to any number of pixels. The frames of an animation count together. */
const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000
/** Decoding a scan of a JPEG takes a pass over all pixels. Programs write about ten scans. */
const MAX_SCANS = 100
const MAX_FRAMES = 1000
/** Includes the first byte of the length after the marker, because other data often contains the marker's two bytes. */
const START_OF_SCAN = /\xff\xda\0/g
const WEBP_FRAME = /ANMF/g

/** The library's other decoders are blocked. */
const DECODERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]

/** Optimized coding would keep the whole image in memory. */
const ENCODERS: Record<ImageType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90, optimizeCoding: false }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 90 }),
  'image/gif': (image) => image.gif(),
}

const THUMBNAIL_SIZE = 480

const drawThumbnail = (cleaned: Uint8Array): Promise<Buffer> =>
  sharp(cleaned, { limitInputPixels: MAX_PIXELS })
    .resize({ width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer()

const countMatches = (bytes: Buffer, pattern: RegExp): number =>
  bytes.toString('latin1').match(pattern)?.length ?? 0

/** Checks the headers for a reason not to decode the image. Returns undefined if there is none. */
async function findHeaderProblem(bytes: Buffer, type: ImageType): Promise<MediaProblem | undefined> {
  // Frames are counted here first, because the library needs minutes to count many frames of a WebP.
  if (countMatches(bytes, WEBP_FRAME) > MAX_FRAMES) return 'too complex'
  const image = sharp(bytes, { limitInputPixels: false })
  const { format, width, height, pages = 1, isProgressive } = await image.metadata()
  if (`image/${format}` !== type) return 'damaged'
  if (Math.max(width, height) > MAX_IMAGE_SIDE || width * height > MAX_PIXELS) return 'too many pixels'
  const hasManyScans = isProgressive && countMatches(bytes, START_OF_SCAN) > MAX_SCANS
  return pages > MAX_FRAMES || hasManyScans ? 'too complex' : undefined
}

async function encode(bytes: Buffer, type: ImageType): Promise<{ answer: EncoderResult; encoded?: Buffer }> {
  try {
    const problem = await findHeaderProblem(bytes, type)
    if (problem) return { answer: { problem } }
    const animated = type === 'image/gif' || type === 'image/webp'
    const image = sharp(bytes, { animated, limitInputPixels: MAX_PIXELS, failOn: 'error' })
    const { data: encoded, info } = await ENCODERS[type](image.autoOrient()).toBuffer({
      resolveWithObject: true,
    })
    const thumbnail = (await drawThumbnail(encoded)).toString('base64')
    return { answer: { width: info.width, height: info.pageHeight ?? info.height, thumbnail }, encoded }
  } catch (error) {
    const isTooLarge = /pixel limit|image dimension/i.test((error as Error).message)
    return { answer: { problem: isTooLarge ? 'too many pixels' : 'damaged' } }
  }
}

// The library works in other threads, so this timer keeps running.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGKILL')
}, MEMORY_CHECK_INTERVAL_MS).unref()
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })
sharp.cache(false)
sharp.concurrency(1)

const bytes = await buffer(process.stdin)
const { answer, encoded = '' } = await encode(bytes, process.argv[2] as ImageType)
writeFileSync(3, JSON.stringify(answer))
closeSync(3)
process.stdout.write(encoded)
