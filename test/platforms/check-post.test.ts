import { describe, expect, it } from 'vitest'
import { checkPost } from '../../src/platforms/check-post.ts'
import { LIMITS } from '../../src/platforms/check-post.ts'
import { PLATFORMS, type Platform } from '../../src/platforms/platform-names.ts'

const MEDIA = 'https://acme.example/film.mp4'
const check = (platform: Platform, Content: string, Media: string | undefined = MEDIA) =>
  checkPost({ Content, Media, Platforms: [platform] })

describe('the room that a text has', () => {
  it.each<[Platform, number]>([
    ['INSTAGRAM', 2200],
    ['FACEBOOK', 63_206],
    ['LINKEDIN', 3000],
    ['YOUTUBE', 5000],
    ['TIKTOK', 2200],
    ['TELEGRAM', 1024],
    ['THREADS', 500],
  ])('ends on %s at %i characters for certain', (platform, most) => {
    expect(check(platform, 'a'.repeat(most))).toMatchObject({ breaches: { Content: [] }, doubts: [] })
    expect(check(platform, 'a'.repeat(most + 1)).breaches.Content).toEqual([
      expect.stringMatching(/takes .* characters.*, this is 1 too many\.$/),
    ])
  })

  it.each<[Platform, number, number]>([
    ['X', 280, 25_000],
    ['PINTEREST', 500, 800],
    ['REDDIT', 10_000, 40_000],
  ])('is in doubt on %s beyond %i, and ends at %i', (platform, most, certain) => {
    expect(check(platform, 'a'.repeat(most)).doubts).toEqual([])
    const between = check(platform, 'a'.repeat(certain))
    expect(between.breaches.Content).toEqual([])
    expect(between.doubts).toEqual([expect.stringContaining('too many; ')])
    expect(check(platform, 'a'.repeat(certain + 1)).breaches.Content).toHaveLength(1)
  })

  it('is said for each platform, left or over', () => {
    const Content = 'a'.repeat(300)
    expect(checkPost({ Content, Media: undefined, Platforms: ['X', 'LINKEDIN'] }).room).toEqual([
      'X: 20 over of 280',
      'LinkedIn: 2,700 left of 3,000',
    ])
  })

  it.each([
    ['an address as 23, however long', `https://example.com/${'a'.repeat(90)}`, 23],
    ['an emoji as 2, a family of them too', '👨‍👩‍👧‍👦', 2],
    ['a letter of Chinese as 2', '発', 2],
    ['an accent with its letter as 1', 'e\u0301', 1],
  ])('counts on X %s', (_, text, length) => {
    expect(check('X', text).room).toEqual([`X: ${280 - length} left of 280`])
  })

  it('counts a sign outside the basic plane once everywhere else', () => {
    expect(check('LINKEDIN', '😀').room).toEqual(['LinkedIn: 2,999 left of 3,000'])
  })

  it('doubts emoji on Threads, where some count their bytes', () => {
    const { breaches, doubts } = check('THREADS', `${'a'.repeat(497)}😀`)
    expect(breaches.Content).toEqual([])
    expect(doubts).toEqual([
      'Threads takes 500 characters, this is 1 too many; how it counts emoji is disputed.',
    ])
  })

  it('is less on Telegram beside media', () => {
    expect(
      checkPost({ Content: 'a'.repeat(4096), Media: undefined, Platforms: ['TELEGRAM'] }).breaches,
    ).toEqual({
      Content: [],
      Media: [],
    })
    expect(check('TELEGRAM', 'a'.repeat(1025)).breaches.Content).toEqual([
      'Telegram takes 1,024 characters beside media, this is 1 too many.',
    ])
  })
})

describe('what a platform demands', () => {
  it.each(PLATFORMS)('is known of %s: media, or none needed', (platform) => {
    const { breaches } = checkPost({ Content: 'Hello', Media: undefined, Platforms: [platform] })
    const demands = ['INSTAGRAM', 'PINTEREST', 'TIKTOK', 'YOUTUBE'].includes(platform)
    expect(breaches.Media).toHaveLength(demands ? 1 : 0)
    expect(check(platform, 'Hello').breaches.Media).toEqual([])
    expect(LIMITS[platform].most).toBeLessThanOrEqual(LIMITS[platform].certain)
  })

  it('is at most 30 hashtags on Instagram', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ')
    expect(check('INSTAGRAM', tags(30)).breaches.Content).toEqual([])
    expect(check('INSTAGRAM', tags(31)).breaches.Content).toEqual([
      'Instagram takes 30 hashtags, these are 31.',
    ])
    expect(check('LINKEDIN', tags(31)).breaches.Content).toEqual([])
  })
})
