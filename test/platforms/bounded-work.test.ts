import { afterEach, expect, it, vi } from 'vitest'
import { readVideo } from '../../src/bot/features/media/read-video.ts'
import { previewBlocks } from '../../src/bot/features/posts/display/preview.ts'
import { checkPost } from '../../src/platforms/check-post.ts'
import { PLATFORMS } from '../../src/platforms/platform-names.ts'
import { measureTweet } from '../../src/platforms/tweet-text.ts'
import { countRegExpSteps } from '../support/count-regexp-steps.ts'

// These tests count steps, so they also pass on a slow machine.
vi.setConfig({ testTimeout: 0 })
afterEach(() => vi.restoreAllMocks())

const SHAPES: [name: string, fragment: string][] = [
  ['one letter', 'a'],
  ['Korean', '가'],
  ['Korean labels of 300 characters', `${'가'.repeat(300)}.`],
  ['Cyrillic labels of 60 characters', `${'ж'.repeat(60)}.`],
  ['emoji between dots', `${'🎉'.repeat(150)}.`],
  ['domains', 'a.'],
  ['links', 'https://a.co/b?c=d&'],
  ['brackets in a link', 'a.com/(a)'],
  ['hashtags', '#가'],
  ['mentions', '@a'],
  ['words', 'word '],
  ['Korean words', '가나다 '],
  ['lines', '가\n'],
]

const WORK: [name: string, run: (Content: string) => unknown][] = [
  ['checking a post', (Content) => checkPost({ Content, Media: undefined, Platforms: [...PLATFORMS] })],
  [
    'the blocks of a preview',
    (Content) => previewBlocks({ Content, Platforms: ['X', 'REDDIT'] }, { zone: 'UTC', now: new Date(0) }),
  ],
]

function expectDoubling([shape, fragment]: [string, string], length: number, run: (text: string) => unknown) {
  const countSteps = (size: number) =>
    countRegExpSteps(() => run(fragment.repeat(Math.ceil(size / fragment.length))))
  expect(countSteps(2 * length), shape).toBeLessThanOrEqual(2.2 * countSteps(length) + 1000)
}

it.each(WORK)('does at most twice the work for twice the text: %s', (_name, run) => {
  for (const shape of SHAPES) expectDoubling(shape, 2000, run)
})

// A message shortcut passes a whole message on.
it('does at most twice the work to check long text of twice the length', () => {
  const check = (Content: string) => checkPost({ Content, Media: undefined, Platforms: [...PLATFORMS] })
  const shapes = SHAPES.filter(([name]) => ['one letter', 'Korean', 'links', 'words'].includes(name))
  for (const shape of shapes) expectDoubling(shape, 10_000, check)
})

it('still counts a link in long text without spaces as 23 characters', () => {
  const link = `https://a.co/${'b'.repeat(200)}`
  expect(measureTweet('한'.repeat(2000) + link)).toBe(2 * 2000 + 23)
  expect(measureTweet('a'.repeat(5000))).toBe(5000)
  expect(measureTweet('🎉'.repeat(3000))).toBe(6000)
})

it('does at most twice the work for a video with twice as many boxes', async () => {
  const box = (type: string, body = Buffer.alloc(0)) => {
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length + 8)
    return Buffer.concat([size, Buffer.from(type), body])
  }
  const countReads = async (count: number, type: string) => {
    const index = Buffer.concat(Array(count).fill(box(type)))
    const file = Buffer.concat([box('ftyp'), box('mdat'), box('moov', index)])
    const spy = vi.spyOn(Buffer.prototype, 'readUInt32BE')
    expect(await readVideo(file.length, async ({ from, to }) => file.subarray(from, to + 1))).toBeUndefined()
    const { length } = spy.mock.calls
    spy.mockRestore()
    return length
  }
  for (const type of ['trak', 'free', 'mvhd'])
    expect(await countReads(2_000_000, type)).toBeLessThanOrEqual(2 * (await countReads(1_000_000, type)))
  expect(await countReads(2_000_000, 'trak')).toBeLessThan(5000)
})
