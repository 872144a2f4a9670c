import { constants, crc32, deflateRawSync } from 'node:zlib'
import sharp from 'sharp'
import type { ImageType } from '../../../src/bot/features/media/media-type.ts'

export type HostileImage = {
  name: string
  type: ImageType
  bytes: Buffer
  /** Whether it is refused before it is decoded. The others are refused or cleaned within the limits. */
  isRefusedByHeader: boolean
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const uint16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const uint24le = (value: number) => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16])

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

type Png = {
  width: number
  height: number
  depth?: number
  color?: number
  interlace?: number
  chunks?: Buffer[]
}

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

const MAX_PIXEL_BYTES = 400_000_000

const BLOCK_BYTES = 2 ** 20
const compressedBlock = deflateRawSync(Buffer.alloc(BLOCK_BYTES), { finishFlush: constants.Z_FULL_FLUSH })

/** Compresses zeros. Hundreds of megabytes take no time, because the same compressed block is repeated. */
function compressZeros(length: number): Buffer {
  const blocks = Array.from({ length: Math.floor(length / BLOCK_BYTES) }, () => compressedBlock)
  const rest = deflateRawSync(Buffer.alloc(length % BLOCK_BYTES))
  const adler32 = uint32((length % 65_521) * 2 ** 16 + 1)
  return Buffer.concat([Buffer.from([0x78, 0x01]), ...blocks, rest, adler32])
}

/** A PNG whose pixels are all zero. */
function png({ width, height, depth = 8, color = 0, interlace = 0, chunks = [] }: Png): Buffer {
  const rowBytes = 1 + Math.ceil((width * depth * (CHANNELS[color] ?? 1)) / 8)
  const data = compressZeros(Math.min(rowBytes * height, MAX_PIXEL_BYTES))
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, color, 0, 0, interlace])])
  const palette = color === 3 ? [pngChunk('PLTE', Buffer.alloc(3))] : []
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const all = [pngChunk('IHDR', header), ...palette, ...chunks, pngChunk('IDAT', data)]
  return Buffer.concat([signature, ...all, pngChunk('IEND', Buffer.alloc(0))])
}

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(content.length + 2), content])

/** A JPEG with this many scans of its first part. */
async function jpegOfScans(scans: number, size: { width: number; height: number }): Promise<Buffer> {
  const image = sharp({ create: { ...size, channels: 3, background: '#777' } })
  const bytes = await image.jpeg({ progressive: true, mozjpeg: false }).toBuffer()
  const start = bytes.indexOf(Buffer.from([0xff, 0xda]))
  const next = bytes.indexOf(Buffer.from([0xff, 0xc4]), start)
  const end = next < 0 ? bytes.length - 2 : next
  const scan = bytes.subarray(start, end)
  return Buffer.concat([
    bytes.subarray(0, end),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9]),
  ])
}

/** The size that the frame header of a JPEG names. */
async function jpegOfSize(width: number, height: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 16, height: 16, channels: 3, background: '#777' } })
    .jpeg()
    .toBuffer()
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

const riff = (...chunks: Buffer[]) => {
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), size, content])
}
const webpChunk = (type: string, data: Buffer) => {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(type), size, data, Buffer.alloc(data.length % 2)])
}

async function webpOfFrames(frames: number, width = 1, height = 1): Promise<Buffer> {
  const still = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#777' } })
    .webp()
    .toBuffer()
  const image = still.subarray(12)
  const canvas = Buffer.concat([Buffer.from([2, 0, 0, 0]), uint24le(width - 1), uint24le(height - 1)])
  const frame = webpChunk('ANMF', Buffer.concat([Buffer.alloc(12), uint24le(10), Buffer.alloc(1), image]))
  const animation = webpChunk('ANIM', Buffer.alloc(6))
  return riff(webpChunk('VP8X', canvas), animation, Buffer.concat(Array(frames).fill(frame)))
}

type Gif = {
  width: number
  height: number
  frames?: number
  extensions?: number
  frameSize?: [number, number]
}

function gif({ width, height, frames = 1, extensions = 1, frameSize = [1, 1] }: Gif): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 1, 0])
  frame.writeUInt16LE(frameSize[0], 5)
  frame.writeUInt16LE(frameSize[1], 7)
  const one = Buffer.concat([...Array.from({ length: extensions }, () => control), frame])
  const palette = Buffer.from([0, 0, 0, 255, 255, 255])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    palette,
    ...Array.from({ length: frames }, () => one),
    Buffer.from([0x3b]),
  ])
}

export async function createHostileImages(): Promise<HostileImage[]> {
  const images: HostileImage[] = []
  const add = (name: string, type: ImageType, bytes: Buffer, isRefusedByHeader: boolean) =>
    images.push({ name, type, bytes, isRefusedByHeader })
  for (const [scans, side] of [
    [20, 64],
    [99, 3000],
    [150, 64],
    [2000, 64],
    [200_000, 64],
    [2000, 2000],
  ] as const)
    add(
      `a JPEG of ${scans} scans and ${side} px`,
      'image/jpeg',
      await jpegOfScans(scans, { width: side, height: side }),
      scans >= 100,
    )
  for (const [width, height] of [
    [65_535, 1],
    [1, 65_535],
    [20_001, 8],
    [6400, 6400],
    [20_000, 1999],
    [0, 16],
  ] as const)
    add(
      `a JPEG of ${width} x ${height} px`,
      'image/jpeg',
      await jpegOfSize(width, height),
      width * height > 40e6 || Math.max(width, height) > 20_000 || !width,
    )
  for (const [width, height, depth] of [
    [39_999_999, 1, 8],
    [1, 39_999_999, 8],
    [20_001, 1, 8],
    [1, 20_001, 8],
    [6400, 6300, 1],
    [6400, 6300, 16],
  ] as const)
    add(
      `a PNG of ${width} x ${height} px with ${depth} bits`,
      'image/png',
      png({ width, height, depth }),
      true,
    )
  for (const color of [0, 2, 4, 6])
    for (const [width, height, interlace] of [
      [6000, 6600, 1],
      [20_000, 1900, 0],
    ] as const)
      add(
        `a PNG of ${width} x ${height} px with 16 bits, colors ${color}${interlace ? ', interlaced' : ''}`,
        'image/png',
        png({ width, height, depth: 16, color, interlace }),
        false,
      )
  add(
    'a PNG with a palette of one',
    'image/png',
    png({ width: 6000, height: 6000, depth: 1, color: 3 }),
    false,
  )
  add(
    'a PNG with 100,000 comments',
    'image/png',
    png({
      width: 9,
      height: 9,
      chunks: Array.from({ length: 100_000 }, () => pngChunk('tEXt', Buffer.from('a\0b'))),
    }),
    false,
  )
  add(
    'a PNG with a compressed comment of 100 MB',
    'image/png',
    png({
      width: 9,
      height: 9,
      chunks: [pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), compressZeros(100e6)]))],
    }),
    false,
  )
  add(
    'a PNG with a compressed profile of 100 MB',
    'image/png',
    png({
      width: 9,
      height: 9,
      chunks: [pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), compressZeros(100e6)]))],
    }),
    false,
  )
  add('a PNG that ends in its header', 'image/png', png({ width: 9, height: 9 }).subarray(0, 20), true)
  for (const frames of [900, 1001, 30_000, 300_000])
    add(`a WebP of ${frames} frames`, 'image/webp', await webpOfFrames(frames), frames > 1000)
  for (const [width, height] of [
    [16_777_216, 1],
    [1, 16_777_216],
    [20_001, 2],
    [6400, 6400],
    [20_000, 2000],
  ] as const)
    add(
      `a WebP of ${width} x ${height} px`,
      'image/webp',
      await webpOfFrames(2, width, height),
      width * height > 40e6 || Math.max(width, height) > 20_000,
    )
  add('a WebP of 900 large frames', 'image/webp', await webpOfFrames(900, 6000, 6000), false)
  add(
    'a WebP chunk of 4 GB',
    'image/webp',
    riff(Buffer.concat([Buffer.from('VP8X'), Buffer.from([0xff, 0xff, 0xff, 0xff])])),
    true,
  )
  for (const frames of [900, 1001, 30_000, 500_000])
    add(`a GIF of ${frames} frames`, 'image/gif', gif({ width: 1, height: 1, frames }), frames > 1000)
  for (const [width, height] of [
    [65_535, 65_535],
    [65_535, 1],
    [1, 65_535],
    [6400, 6400],
  ] as const)
    add(
      `a GIF of ${width} x ${height} px`,
      'image/gif',
      gif({ width, height, frameSize: [width, height] }),
      true,
    )
  add('a GIF of 900 large frames', 'image/gif', gif({ width: 6000, height: 6000, frames: 900 }), false)
  add(
    'a GIF of 1,000,000 extensions',
    'image/gif',
    gif({ width: 1, height: 1, extensions: 1_000_000 }),
    false,
  )
  add('a JPEG with 300 profiles', 'image/jpeg', await withSegments(300), false)
  add(
    'a JPEG of marker bytes',
    'image/jpeg',
    Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(20e6, 0xff)]),
    true,
  )
  return images
}

async function withSegments(count: number): Promise<Buffer> {
  const bytes = await jpegOfSize(16, 16)
  const profile = segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x01'), Buffer.alloc(60_000)]))
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...Array.from({ length: count }, () => profile),
    bytes.subarray(2),
  ])
}
