// A program of its own: it decodes the picture on its standard input and writes it, encoded again, to its standard
// output. This removes metadata, such as the place of a photo, and anything hidden in the file. It has no secrets, and the
// bot ends it when it takes too long.

import { buffer } from 'node:stream/consumers'
import sharp, { type Sharp } from 'sharp'
import type { MediaProblem } from './media-problems.ts'
import type { PictureType } from './picture-header.ts'
import { findHeaderProblem, MAX_PIXELS } from './picture-limits.ts'

/** What comes first on the standard output, behind its length. The thumbnail and the picture follow. */
export type DecodedHeader =
  | { problem: MediaProblem }
  | { width: number; height: number; thumbnailBytes: number; pictureBytes: number }

const MAX_MEMORY_BYTES = 600 * 1024 ** 2
const MEMORY_CHECK_MS = 10

/** The library's other decoders are blocked. */
const DECODERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]

/** Optimized coding would keep the whole image in memory. */
const ENCODERS: Record<PictureType, (image: Sharp) => Sharp> = {
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

async function decode(bytes: Buffer, type: PictureType): Promise<[header: DecodedHeader, ...Buffer[]]> {
  // The library chooses the decoder by the content. With the header of the type, it chooses that of the type.
  const problem = findHeaderProblem(bytes, type)
  if (problem) return [{ problem }]
  const animated = type === 'image/gif' || type === 'image/webp'
  const image = sharp(bytes, { animated, limitInputPixels: MAX_PIXELS, failOn: 'error' })
  try {
    const { data, info } = await ENCODERS[type](image.autoOrient()).toBuffer({ resolveWithObject: true })
    const thumbnail = await drawThumbnail(data)
    const size = { width: info.width, height: info.pageHeight ?? info.height }
    return [{ ...size, thumbnailBytes: thumbnail.length, pictureBytes: data.length }, thumbnail, data]
  } catch (error) {
    const isTooLarge = /pixel limit/i.test((error as Error).message)
    return [{ problem: isTooLarge ? 'too many pixels' : 'damaged' }]
  }
}

// The library works in other threads, so this timer runs meanwhile.
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGKILL')
}, MEMORY_CHECK_MS).unref()
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: DECODERS })
sharp.cache(false)
sharp.concurrency(1)

const [header, ...parts] = await decode(await buffer(process.stdin), process.argv[2] as PictureType)
const json = Buffer.from(JSON.stringify(header))
const length = Buffer.alloc(4)
length.writeUInt32BE(json.length)
for (const part of [length, json, ...parts]) process.stdout.write(part)
