import { MAX_MEGAPIXELS, MAX_PICTURE_SIDE, type MediaProblem } from './media-problems.ts'
import { type PictureHeader, type PictureType, readPictureHeader } from './picture-header.ts'

/** A small file can unpack to any number of pixels. The frames of an animation count together. */
export const MAX_PIXELS = MAX_MEGAPIXELS * 1_000_000
/** Each scan of a JPEG passes all its pixels. Programs write about ten. */
const MAX_SCANS = 100
const MAX_FRAMES = 1000

/** Why a picture is refused before it is decoded, however small its file is. */
export function findHeaderProblem(bytes: Buffer, type: PictureType): MediaProblem | undefined {
  const header = readPictureHeader(bytes, type)
  return header ? findExcess(header) : 'damaged'
}

function findExcess({ width, height, frames, scans }: PictureHeader): MediaProblem | undefined {
  if (!width || !height) return 'damaged'
  if (Math.max(width, height) > MAX_PICTURE_SIDE || width * height > MAX_PIXELS) return 'too many pixels'
  return frames > MAX_FRAMES || scans > MAX_SCANS ? 'too complex' : undefined
}
