export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'

/** What a picture takes to decode, as its headers say. */
export type PictureHeader = { width: number; height: number; frames: number; scans: number }

/** Undefined if the headers are damaged. Nothing is decoded, so a file of any content takes one pass. */
export function readPictureHeader(bytes: Buffer, type: PictureType): PictureHeader | undefined {
  try {
    return READERS[type](bytes)
  } catch (error) {
    // The file ends within a header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const READERS: Record<PictureType, (bytes: Buffer) => PictureHeader | undefined> = {
  'image/jpeg': readJpeg,
  'image/png': readPng,
  'image/webp': readWebp,
  'image/gif': readGif,
}

const STILL = { frames: 1, scans: 1 }

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function readPng(bytes: Buffer): PictureHeader | undefined {
  const isPng = bytes.subarray(0, 8).equals(PNG_SIGNATURE) && bytes.toString('latin1', 12, 16) === 'IHDR'
  return isPng ? { ...STILL, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined
}

/** A frame header has the size. DHT, JPG and DAC lie among the frame headers. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9
/** Markers without a segment: fill bytes, escaped bytes, restarts and the start of the image. */
const isBare = (marker: number) => marker === 0xff || marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)

function readJpeg(bytes: Buffer): PictureHeader | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let size: { width: number; height: number } | undefined
  let scans = 0
  let position = 2
  while (position < bytes.length - 1) {
    position = bytes.indexOf(0xff, position)
    if (position < 0 || position >= bytes.length - 1) break
    const marker = bytes.readUInt8(position + 1)
    if (marker === END_OF_IMAGE) break
    if (isBare(marker)) {
      position += marker === 0xff ? 1 : 2
      continue
    }
    if (marker === START_OF_SCAN) scans += 1
    if (isFrameHeader(marker))
      size = { height: bytes.readUInt16BE(position + 5), width: bytes.readUInt16BE(position + 7) }
    position += 2 + Math.max(2, bytes.readUInt16BE(position + 2))
  }
  return size && { ...size, frames: 1, scans }
}

const GIF_HEADER_BYTES = 13
const EXTENSION = 0x21
const IMAGE = 0x2c

function readGif(bytes: Buffer): PictureHeader | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
  let frames = 0
  let position = GIF_HEADER_BYTES + paletteBytes(bytes.readUInt8(10))
  while (position < bytes.length) {
    const block = bytes.readUInt8(position)
    if (block === EXTENSION) position = skipSubBlocks(bytes, position + 2)
    else if (block === IMAGE) {
      frames += 1
      // A byte with the size of the codes comes before the data.
      position = skipSubBlocks(bytes, position + 11 + paletteBytes(bytes.readUInt8(position + 9)))
    } else break
  }
  return frames ? { ...size, frames, scans: 1 } : undefined
}

const paletteBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Sub-blocks begin with their length. An empty one ends them. */
function skipSubBlocks(bytes: Buffer, start: number): number {
  let position = start
  while (position < bytes.length && bytes[position] !== 0) position += 1 + bytes.readUInt8(position)
  return position + 1
}

function readWebp(bytes: Buffer): PictureHeader | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  let size: { width: number; height: number } | undefined
  let frames = 0
  for (let position = 12; position + 8 <= bytes.length; ) {
    const [chunk, length] = [
      bytes.toString('latin1', position, position + 4),
      bytes.readUInt32LE(position + 4),
    ]
    const content = position + 8
    if (chunk === 'VP8X')
      size = { width: bytes.readUIntLE(content + 4, 3) + 1, height: bytes.readUIntLE(content + 7, 3) + 1 }
    else if (chunk === 'VP8 ')
      size ??= {
        width: bytes.readUInt16LE(content + 6) & 0x3fff,
        height: bytes.readUInt16LE(content + 8) & 0x3fff,
      }
    else if (chunk === 'VP8L') {
      const bits = bytes.readUInt32LE(content + 1)
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    } else if (chunk === 'ANMF') frames += 1
    position = content + length + (length % 2)
  }
  return size && { ...size, frames: Math.max(1, frames), scans: 1 }
}
