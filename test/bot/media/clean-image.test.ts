import { existsSync, readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { cleanImage } from '../../../src/bot/features/media/clean-image.ts'
import {
  detectMediaType,
  type ImageType,
  isImage,
  TYPE_SAMPLE_BYTES,
} from '../../../src/bot/features/media/media-type.ts'
import { MAX_IMAGE_BYTES } from '../../../src/bot/features/media/upload-limits.ts'
import { createHostileFiles, type HostileFile } from './hostile-files.ts'
import { createHostileImages, type HostileImage } from './hostile-images.ts'

async function* chunksOf(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes
}
const clean = (bytes: Buffer, type: ImageType, signal = new AbortController().signal) =>
  cleanImage({ type, content: chunksOf(bytes), signal }, async ({ content, ...facts }) => ({
    ...facts,
    bytes: await buffer(content),
  }))

/** What becomes of a file: a clean image with its type, or the reason why not. */
async function process(bytes: Buffer) {
  const detected = await detectMediaType(bytes.subarray(0, TYPE_SAMPLE_BYTES))
  if ('problem' in detected) return { outcome: detected.problem }
  if (!isImage(detected.type)) return { outcome: detected.type }
  const result = await clean(bytes, detected.type)
  return 'problem' in result ? { outcome: result.problem } : { outcome: detected.type, image: result }
}

/** Two at a time, like uploads. */
async function processAll(files: { bytes: Buffer }[]) {
  const outcomes: Awaited<ReturnType<typeof process>>[] = []
  const remaining = files.entries()
  const processRemaining = async () => {
    for (const [index, { bytes }] of remaining) outcomes[index] = await process(bytes)
  }
  await Promise.all([processRemaining(), processRemaining()])
  return outcomes
}

const animate = async (frameCount: number) => {
  const drawFrame = (index: number) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background: `rgb(${index * 40}, 0, 0)` } })
  const frames = Array.from({ length: frameCount }, (_, index) => drawFrame(index).png().toBuffer())
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

describe('a hostile file', () => {
  let files: HostileFile[]
  let outcomes: Awaited<ReturnType<typeof processAll>>
  beforeAll(async () => {
    files = await createHostileFiles()
    outcomes = await processAll(files)
  })

  it('is refused or cleaned as expected', () => {
    expect(files.length).toBeGreaterThanOrEqual(40)
    expect(Object.fromEntries(outcomes.map(({ outcome }, index) => [files[index]?.name, outcome]))).toEqual(
      Object.fromEntries(files.map(({ name, expected }) => [name, expected])),
    )
  })

  it('becomes no image larger than allowed', () => {
    for (const [index, { image }] of outcomes.entries())
      expect((image?.width ?? 0) * (image?.height ?? 0), files[index]?.name).toBeLessThanOrEqual(40_000_000)
  })

  it('leaves no hidden data in a clean image', () => {
    const secrets = ['script', 'secret', 'ELF', 'alert', 'GPS', 'Ada', 'xmpmeta', 'Exif']
    for (const [index, { image }] of outcomes.entries())
      for (const secret of secrets)
        expect(image?.bytes.includes(secret) ?? false, `${files[index]?.name}: ${secret}`).toBe(false)
  })

  it('is not drawn from SVG, whatever its declared type', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const)
      expect(await clean(svg, type), type).toEqual({ problem: 'damaged' })
  })

  it('does not fill the memory, even the second time', async () => {
    const before = globalThis.process.memoryUsage().rss
    await processAll(files)
    expect(globalThis.process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2)
  })
})

describe('a clean image', () => {
  const cleaned = async (bytes: Buffer) =>
    (await process(bytes)).image ?? { bytes: Buffer.alloc(0), width: 0, height: 0 }

  it('is upright', async () => {
    const sideways = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { bytes, width, height } = await cleaned(sideways)
    expect([width, height]).toEqual([40, 60])
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined()
  })

  it('keeps its animation', async () => {
    for (const format of ['gif', 'webp'] as const) {
      const { bytes, width, height } = await cleaned(await (await animate(5)).toFormat(format).toBuffer())
      expect([width, height], format).toEqual([20, 10])
      expect((await sharp(bytes, { animated: true }).metadata()).pages, format).toBe(5)
    }
  })

  it('keeps its transparency', async () => {
    const transparent = await sharp({ create: { width: 4, height: 4, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer()
    const { bytes } = await cleaned(transparent)
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(transparent).raw().toBuffer())
  })
})

const PAGE_BYTES = 4096
const hasProc = existsSync('/proc/self/statm')

/** The resident memory of this process's children. */
function childMemory(): number[] {
  const { pid } = globalThis.process
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.map((child) => {
    try {
      return Number(readFileSync(`/proc/${child}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
    } catch {
      // It has ended.
      return 0
    }
  })
}

/** What it took to clean an image. */
type Cleaning = HostileImage & {
  result: Awaited<ReturnType<typeof clean>>
  ms: number
  /** By how much the memory of the bot grew since the first image. */
  growthBytes: number
  /** The largest memory of the process that decodes. */
  decoderBytes: number
}

async function cleanAndMeasure(images: HostileImage[]): Promise<Cleaning[]> {
  const rss = () => globalThis.process.memoryUsage().rss
  const before = rss()
  const cleanings: Cleaning[] = []
  for (const image of images) {
    let decoderBytes = 0
    const sampling = setInterval(() => {
      if (hasProc) decoderBytes = Math.max(decoderBytes, ...childMemory())
    }, 10)
    const startedAt = performance.now()
    const result = await clean(image.bytes, image.type)
    clearInterval(sampling)
    const ms = performance.now() - startedAt
    cleanings.push({ ...image, result, ms, growthBytes: rss() - before, decoderBytes })
  }
  return cleanings
}

describe('a hostile image', () => {
  let images: HostileImage[]
  let cleanings: Cleaning[]
  beforeAll(async () => {
    images = await createHostileImages()
    expect(images.length).toBeGreaterThanOrEqual(50)
    for (const { name, bytes } of images) expect(bytes.length, name).toBeLessThan(MAX_IMAGE_BYTES)
    cleanings = await cleanAndMeasure(images)
  }, 600_000)

  it('is refused by its header if decoding it would take too much time or memory', () => {
    for (const { name, result, ms } of cleanings.filter(({ isRefusedByHeader }) => isRefusedByHeader)) {
      expect(result, name).toHaveProperty('problem')
      // A decoder that doesn't end is killed after 30 seconds.
      expect(ms, name).toBeLessThan(15_000)
    }
  })

  it('becomes no image larger than allowed', () => {
    for (const { name, result } of cleanings)
      if ('problem' in result)
        expect(['damaged', 'too many pixels', 'too complex', 'too large'], name).toContain(result.problem)
      else expect(result.width * result.height, name).toBeLessThanOrEqual(40_000_000)
  })

  it('does not fill the memory of the bot', () => {
    for (const { name, growthBytes } of cleanings) expect(growthBytes, name).toBeLessThan(50 * 1024 ** 2)
  })

  it.runIf(hasProc)('is decoded in at most 600 MB', () => {
    const largest = Math.max(...cleanings.map(({ decoderBytes }) => decoderBytes))
    expect(largest).toBeGreaterThan(50e6)
    expect(largest).toBeLessThan(650 * 1024 ** 2)
  })

  it('is given up immediately when the bot stops', async () => {
    const stopping = new AbortController()
    const slow = images.find(({ name }) => name === 'a JPEG of 99 scans and 3000 px') as HostileImage
    const cleaning = clean(slow.bytes, slow.type, stopping.signal)
    stopping.abort()
    expect(await cleaning).toEqual({ problem: 'unreachable' })
  })
})
