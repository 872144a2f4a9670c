import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CleanPicture, createPictureCleaner } from '../../../src/bot/media/clean-picture.ts'
import { detectMediaType, isPicture, TYPE_SAMPLE_BYTES } from '../../../src/bot/media/media-type.ts'
import { createHostileFiles, type HostileFile } from './hostile-files.ts'

const clean = createPictureCleaner()

/** What becomes of a file: a clean picture with its type, or the reason why not. */
async function process(bytes: Buffer) {
  const detected = await detectMediaType(bytes.subarray(0, TYPE_SAMPLE_BYTES))
  if ('problem' in detected) return { outcome: detected.problem }
  if (!isPicture(detected.type)) return { outcome: detected.type }
  const result = await clean(bytes, detected.type)
  return 'problem' in result ? { outcome: result.problem } : { outcome: detected.type, picture: result }
}

const animate = async (frameCount: number) => {
  const drawFrame = (index: number) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background: `rgb(${index * 40}, 0, 0)` } })
  const frames = Array.from({ length: frameCount }, (_, index) => drawFrame(index).png().toBuffer())
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

describe('Hostile files', () => {
  let files: HostileFile[]
  beforeAll(async () => {
    files = await createHostileFiles()
  })

  it('are refused or cleaned, each as expected', async () => {
    expect(files.length).toBeGreaterThanOrEqual(40)
    const outcomes = await Promise.all(
      files.map(async ({ name, bytes }) => [name, (await process(bytes)).outcome]),
    )
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(files.map(({ name, expected }) => [name, expected])),
    )
  })

  it('come out no larger than a picture may be', async () => {
    for (const { name, bytes } of files) {
      const { picture } = await process(bytes)
      expect((picture?.width ?? 0) * (picture?.height ?? 0), name).toBeLessThanOrEqual(40_000_000)
    }
  })

  it('leave nothing of what they hid in a clean picture', async () => {
    const secrets = ['script', 'secret', 'ELF', 'alert', 'GPS', 'Ada', 'xmpmeta', 'Exif']
    for (const { name, bytes } of files) {
      const { picture } = await process(bytes)
      for (const secret of secrets)
        expect(picture?.bytes.includes(secret) ?? false, `${name}: ${secret}`).toBe(false)
    }
  })

  it('are not drawn from SVG, whatever type they are said to have', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const type of ['image/jpeg', 'image/png', 'image/webp', 'image/gif'] as const)
      expect(await clean(svg, type), type).toEqual({ problem: 'damaged' })
  })

  it('do not fill the memory, also many at once', async () => {
    const before = globalThis.process.memoryUsage().rss
    await Promise.all([...files, ...files, ...files].map(({ bytes }) => process(bytes)))
    expect(globalThis.process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2)
  })
})

describe('A clean picture', () => {
  const cleaned = async (bytes: Buffer) => (await process(bytes)).picture as CleanPicture

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
