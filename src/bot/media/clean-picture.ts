import PQueue from 'p-queue'
import sharp, { type Sharp } from 'sharp'
import { MAX_MEGAPIXELS } from './media-problems.ts'

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'

/** With a small JPEG of it. */
export type CleanPicture = { bytes: Buffer; width: number; height: number; thumbnail: Buffer }

export type PictureCleaner = (
  bytes: Uint8Array,
  type: PictureType,
) => Promise<CleanPicture | { problem: 'damaged' | 'too many pixels' }>

/** A small file can unpack to any number of pixels. The frames of an animation count together. */
const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000
const MAX_SECONDS = 30
const MAX_CONCURRENT_PICTURES = 2

/** The library's other decoders are blocked. */
const DECODERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
  // For the pictures that Upnext draws. Uploads don't reach it: see SIGNATURES.
  'VipsForeignLoadSvgBuffer',
]

/** The library chooses the decoder by the content. With these beginnings, it chooses the one of the type. */
const SIGNATURES: Record<PictureType, RegExp> = {
  'image/jpeg': /^\xff\xd8\xff/,
  'image/png': /^\x89PNG/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/gif': /^GIF8[79]a/,
}
const MAX_SIGNATURE_LENGTH = 12

/** Optimized coding would keep the whole image in memory. */
const ENCODERS: Record<PictureType, (image: Sharp) => Sharp> = {
  'image/jpeg': (image) => image.jpeg({ quality: 90, optimizeCoding: false }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 90 }),
  'image/gif': (image) => image.gif(),
}

/**
 * Decodes pictures and encodes them again. This removes metadata, such as the place of a photo, and anything hidden in
 * the file.
 */
export function createPictureCleaner(): PictureCleaner {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  sharp.cache(false)
  sharp.concurrency(1)
  const queue = new PQueue({ concurrency: MAX_CONCURRENT_PICTURES })
  return (bytes, type) => queue.add(() => cleanPicture(bytes, type))
}

const THUMBNAIL_SIZE = 480

const drawThumbnail = (cleaned: Uint8Array): Promise<Buffer> =>
  sharp(cleaned, { limitInputPixels: MAX_PIXELS })
    .resize({ width: THUMBNAIL_SIZE, height: THUMBNAIL_SIZE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer()

async function cleanPicture(bytes: Uint8Array, type: PictureType): ReturnType<PictureCleaner> {
  const beginning = Buffer.from(bytes.subarray(0, MAX_SIGNATURE_LENGTH)).toString('latin1')
  if (!SIGNATURES[type].test(beginning)) return { problem: 'damaged' }
  const options = { animated: type === 'image/gif' || type === 'image/webp', limitInputPixels: MAX_PIXELS }
  const image = sharp(bytes, { ...options, failOn: 'error' }).timeout({ seconds: MAX_SECONDS })
  try {
    const { data, info } = await ENCODERS[type](image.autoOrient()).toBuffer({ resolveWithObject: true })
    const height = info.pageHeight ?? info.height
    return { bytes: data, width: info.width, height, thumbnail: await drawThumbnail(data) }
  } catch (error) {
    const isTooLarge = /pixel limit/i.test((error as Error).message)
    return { problem: isTooLarge ? 'too many pixels' : 'damaged' }
  }
}
