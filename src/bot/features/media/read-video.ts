export type VideoProperties = { width: number; height: number; seconds: number | null }

type ByteReader = (range: { from: number; to: number }) => Promise<Buffer>

type Box = { type: string; start: number; headerBytes: number; end: number }

const HEADER_BYTES = 16
/** A fragmented video has two boxes for every few seconds. The important boxes come before them. */
const MAX_BOXES = 200
const MAX_INDEX_BYTES = 16 * 1024 ** 2
/** No camera records larger frames, and no platform accepts them. */
const MAX_SIDE = 16_384
const MAX_SECONDS = 24 * 60 * 60

/**
 * Reads the frame size and the duration of an MP4 or MOV video. Returns undefined if the file has no video or is
 * damaged. Only the headers and the index are read, so a hostile file can't keep Upnext busy.
 */
export async function readVideo(size: number, read: ByteReader): Promise<VideoProperties | undefined> {
  let index: Buffer | undefined
  let hasFrames = false
  let start = 0
  for (let count = 0; start < size && count < MAX_BOXES; count++) {
    const header = await read({ from: start, to: Math.min(start + HEADER_BYTES, size) - 1 })
    const box = readBox(header, { start: 0, end: size - start })
    if (!box) return undefined
    if (box.type === 'moov' && box.end <= MAX_INDEX_BYTES)
      index = await read({ from: start + box.headerBytes, to: start + box.end - 1 })
    hasFrames ||= box.type === 'mdat'
    start += box.end
  }
  return index && hasFrames ? readIndex(index) : undefined
}

/** Reads the box that begins at `start`. Returns undefined if the header is cut off or the box outgrows its parent. */
function readBox(bytes: Buffer, { start, end }: Pick<Box, 'start' | 'end'>): Box | undefined {
  if (bytes.length < start + 8) return undefined
  const type = bytes.toString('latin1', start + 4, start + 8)
  const shortSize = bytes.readUInt32BE(start)
  if (shortSize === 0) return { type, start, headerBytes: 8, end }
  const isLong = shortSize === 1
  if (isLong && bytes.length < start + HEADER_BYTES) return undefined
  const size = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : shortSize
  const headerBytes = isLong ? HEADER_BYTES : 8
  return size >= headerBytes && start + size <= end
    ? { type, start, headerBytes, end: start + size }
    : undefined
}

/** Returns the contents of the boxes of this type. Only the first `MAX_BOXES` boxes are searched. */
function findBoxes(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let start = 0, count = 0; start < bytes.length && count < MAX_BOXES; count++) {
    const box = readBox(bytes, { start, end: bytes.length })
    if (!box) return found
    if (box.type === type) found.push(bytes.subarray(start + box.headerBytes, box.end))
    start = box.end
  }
  return found
}

const findBox = (bytes: Buffer | undefined, ...path: string[]): Buffer | undefined =>
  path.reduce((parent: Buffer | undefined, type) => parent && findBoxes(parent, type)[0], bytes)

function readIndex(index: Buffer): VideoProperties | undefined {
  const track = findBoxes(index, 'trak').find(
    (candidate) => findBox(candidate, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === 'vide',
  )
  const frame = readFrameSize(findBox(track, 'tkhd'))
  const seconds = readDurationSeconds(index)
  if (seconds > MAX_SECONDS) return undefined
  const isFragmented = findBox(index, 'mvex') !== undefined
  return frame && (seconds || isFragmented) ? { ...frame, seconds: seconds || null } : undefined
}

/** The size of the end of a track's header, which has a matrix of nine numbers, then the width and the height. */
const TRACK_HEADER_END_BYTES = 44

function readFrameSize(header: Buffer | undefined): { width: number; height: number } | undefined {
  if (!header || header.length < TRACK_HEADER_END_BYTES) return undefined
  const frame = header.subarray(header.length - TRACK_HEADER_END_BYTES)
  const [width, height] = [frame.readUInt32BE(36) / 65_536, frame.readUInt32BE(40) / 65_536].map(Math.round)
  if (!width || !height || Math.max(width, height) > MAX_SIDE) return undefined
  // A phone that was held upright stores the frame on its side, with a rotation.
  const isRotated = frame.readInt32BE(0) === 0 && frame.readInt32BE(16) === 0
  return isRotated ? { width: height, height: width } : { width, height }
}

/** Returns 0 if the length is unknown. A fragmented video may state its length elsewhere, or not at all. */
function readDurationSeconds(index: Buffer): number {
  const header = findBox(index, 'mvhd')
  if (!header || header.length < 20) return 0
  const isLong = header[0] === 1
  if (isLong && header.length < 32) return 0
  const unitsPerSecond = header.readUInt32BE(isLong ? 20 : 12)
  const units = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return unitsPerSecond ? (units || readFragmentedDurationUnits(index)) / unitsPerSecond : 0
}

function readFragmentedDurationUnits(index: Buffer): number {
  const header = findBox(index, 'mvex', 'mehd')
  if (!header || header.length < 8) return 0
  if (header[0] !== 1) return header.readUInt32BE(4)
  return header.length >= 12 ? Number(header.readBigUInt64BE(4)) : 0
}
