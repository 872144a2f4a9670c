import { describe, expect, it } from 'vitest'
import { readVideo } from '../../../src/bot/features/media/read-video.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { filmVideo } from './sample-files.ts'

const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 8)
  return Buffer.concat([size, Buffer.from(type), body])
}

/** Counts the bytes that are read. */
function open(file: Buffer) {
  let bytesRead = 0
  const read = async ({ from, to }: { from: number; to: number }) => {
    bytesRead += to - from + 1
    return file.subarray(from, to + 1)
  }
  return { facts: readVideo(file.length, read), bytesRead: () => bytesRead }
}
const read = (file: Buffer) => open(file).facts

const replaceSize = (file: Buffer, type: string, size: number): Buffer => {
  const copy = Buffer.from(file)
  copy.writeUInt32BE(size, copy.indexOf(type) - 4)
  return copy
}

describe('reading a video', () => {
  it('finds its size and its length', async () => {
    expect(await read(await filmVideo(12))).toEqual({ width: 640, height: 360, seconds: 12 })
  })

  it('finds the size as people see it if a phone was held upright', async () => {
    expect(await read(await filmVideo(3, { rotation: 90 }))).toEqual({ width: 360, height: 640, seconds: 3 })
  })

  it('finds the length of a fragmented video only if the file contains it', async () => {
    const facts = await read(await filmVideo(12, { isFragmented: true }))
    expect(facts).toMatchObject({ width: 640, height: 360 })
    expect([null, 12]).toContain(facts?.seconds)
  })

  it('needs few bytes, however long the video is', async () => {
    const video = open(await filmVideo(500))
    await video.facts
    expect(video.bytesRead()).toBeLessThan(50_000)
  })
})

describe('a damaged or hostile video', () => {
  it('is refused if it was cut off anywhere', async () => {
    const video = await filmVideo(5)
    for (let size = 0; size < video.length; size += 101)
      expect(await read(video.subarray(0, size)), `${size} bytes`).toBeUndefined()
  })

  it('is refused without frames, without a video track and with impossible sizes', async () => {
    const video = await filmVideo(5)
    const brand = box('ftyp', Buffer.from('isom\0\0\0\0isom'))
    expect(await read(Buffer.concat([brand, box('mdat', Buffer.alloc(100))]))).toBeUndefined()
    expect(await read(Buffer.concat([brand, box('moov'), box('mdat')]))).toBeUndefined()
    expect(
      await read(Buffer.from(video.toString('latin1').replaceAll('vide', 'soun'), 'latin1')),
    ).toBeUndefined()
    for (const size of [1, 2, 7, 0x7fffffff, 0xffffffff])
      expect(await read(replaceSize(video, 'moov', size)), `moov of ${size}`).toBeUndefined()
  })

  it('is refused with a width or a length that no camera produces', async () => {
    const video = await filmVideo(5)
    const header = video.indexOf('tkhd') + 4
    const wide = Buffer.from(video)
    wide.writeUInt32BE(65_535 * 65_536, header + 76)
    expect(await read(wide)).toBeUndefined()
    const long = Buffer.from(video)
    long.writeUInt32BE(0xffffffff, video.indexOf('mvhd') + 4 + 16)
    long.writeUInt32BE(1, video.indexOf('mvhd') + 4 + 12)
    expect(await read(long)).toBeUndefined()
  })

  it("doesn't keep the bot busy with endless lists of samples or boxes", async () => {
    const samples = Buffer.alloc(16)
    samples.writeUInt32BE(0xffffffff, 4)
    const bomb = box('moof', box('traf', box('trun', samples)))
    const video = await filmVideo(5)
    const manyBoxes = Buffer.concat([video, ...Array.from({ length: 100_000 }, () => box('free'))])
    for (const file of [Buffer.concat([video, bomb]), manyBoxes]) {
      const opened = open(file)
      expect(await opened.facts).toMatchObject({ seconds: 5 })
      expect(opened.bytesRead()).toBeLessThan(10_000)
    }
  })

  it('never makes the reader fail, whichever bytes are changed', async () => {
    const random = createSeededRandom(7)
    const video = await filmVideo(3)
    for (let round = 0; round < 2000; round++) {
      const changed = Buffer.from(video)
      for (let count = 0; count < 3; count++) changed[random.below(2000)] = random.below(256)
      const facts = await read(changed)
      if (facts) expect(facts.width * facts.height).toBeGreaterThan(0)
    }
  })
})
