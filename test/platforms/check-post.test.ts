import { describe, expect, it } from 'vitest'
import { checkPost, PLATFORM_LIMITS } from '../../src/platforms/check-post.ts'
import { PLATFORMS, type Platform } from '../../src/platforms/platform-names.ts'

const MEDIA = 'https://acme.example/video.mp4'
const check = (platform: Platform, Content: string, Media: string | undefined = MEDIA) =>
  checkPost({ Content, Media, Platforms: [platform] })

describe('length limits', () => {
  it.each<[Platform, number]>([
    ['INSTAGRAM', 2200],
    ['FACEBOOK', 63_206],
    ['LINKEDIN', 3000],
    ['YOUTUBE', 5000],
    ['TIKTOK', 2200],
    ['TELEGRAM', 1024],
    ['THREADS', 500],
  ])('returns an error on %s for more than %i characters', (platform, limit) => {
    expect(check(platform, 'a'.repeat(limit))).toMatchObject({ errors: { Content: [] }, warnings: [] })
    expect(check(platform, 'a'.repeat(limit + 1)).errors.Content).toEqual([
      expect.stringMatching(/: 1 over the .* limit.*\. Shorten the text\.$/),
    ])
  })

  it.each<[Platform, number, number]>([
    ['X', 280, 25_000],
    ['PINTEREST', 500, 800],
    ['REDDIT', 10_000, 40_000],
  ])('warns on %s above %i characters and returns an error above %i', (platform, limit, hardLimit) => {
    expect(check(platform, 'a'.repeat(limit)).warnings).toEqual([])
    const betweenLimits = check(platform, 'a'.repeat(hardLimit))
    expect(betweenLimits.errors.Content).toEqual([])
    expect(betweenLimits.warnings).toEqual([expect.stringMatching(/ over the .* limit\. \w/)])
    expect(check(platform, 'a'.repeat(hardLimit + 1)).errors.Content).toHaveLength(1)
  })

  it('counts the remaining or excess characters for each platform', () => {
    const Content = 'a'.repeat(300)
    expect(checkPost({ Content, Media: undefined, Platforms: ['X', 'LINKEDIN'] }).characterCounts).toEqual([
      'X: 20 over the 280 limit',
      'LinkedIn: 2,700 left',
    ])
  })

  it.each([
    ['a link of any length as 23', `https://example.com/${'a'.repeat(90)}`, 23],
    ['an emoji as 2, even a family', '👨‍👩‍👧‍👦', 2],
    ['a Chinese character as 2', '発', 2],
    ['a letter with a separate accent as 1', 'e\u0301', 1],
  ])('counts %s on X', (_name, text, length) => {
    expect(check('X', text).characterCounts).toEqual([`X: ${280 - length} left`])
  })

  it.each([
    ['dots', `${'a.'.repeat(35_000)}`, 70_000],
    ['hyphens', `${'a-'.repeat(34_999)}a.`, 70_000],
    ['dots between slashes', `${'a.'.repeat(120)}/`.repeat(280), 67_480],
    ['long parts', `${'a'.repeat(500)}.`.repeat(120), 60_120],
  ])(
    'counts text of 70,000 characters with many %s within seconds',
    (_name, text, length) => {
      expect(check('X', text).characterCounts).toEqual([
        `X: ${(length - 280).toLocaleString('en-US')} over the 280 limit`,
      ])
    },
    20_000,
  )

  it('counts a link after a row of dots', () => {
    const text = `${'.'.repeat(126)} example.com ${'x'.repeat(300)}`
    expect(check('X', text).characterCounts).toEqual(['X: 171 over the 280 limit'])
  })

  it('counts an emoji as one character on LinkedIn', () => {
    expect(check('LINKEDIN', '😀').characterCounts).toEqual(['LinkedIn: 2,999 left'])
  })

  it('warns on Threads if the text is too long only when emoji count as bytes', () => {
    const { errors, warnings } = check('THREADS', `${'a'.repeat(497)}😀`)
    expect(errors.Content).toEqual([])
    expect(warnings).toEqual([
      'Threads: 1 over the 500 limit. Threads may count an emoji as several characters.',
    ])
  })

  it('counts an emoji as two characters on Telegram', () => {
    const checkText = (Content: string) => checkPost({ Content, Media: undefined, Platforms: ['TELEGRAM'] })
    const { errors, warnings } = checkText(`${'a'.repeat(4095)}😀`)
    expect(errors.Content).toEqual(['Telegram: 1 over the 4,096 limit. Shorten the text.'])
    expect(warnings).toEqual([])
    expect(checkText(`${'a'.repeat(4094)}😀`).errors.Content).toEqual([])
  })

  it('uses a lower limit on Telegram for posts with media', () => {
    const withoutMedia = checkPost({ Content: 'a'.repeat(4096), Media: undefined, Platforms: ['TELEGRAM'] })
    expect(withoutMedia.errors).toEqual({ Content: [], Media: [] })
    expect(check('TELEGRAM', 'a'.repeat(1025)).errors.Content).toEqual([
      'Telegram: 1 over the 1,024 limit for posts with media. Shorten the text.',
    ])
  })
})

describe('other requirements', () => {
  it.each(PLATFORMS)('knows whether %s posts need media', (platform) => {
    const { errors } = checkPost({ Content: 'Hello', Media: undefined, Platforms: [platform] })
    const needsMedia = ['INSTAGRAM', 'PINTEREST', 'TIKTOK', 'YOUTUBE'].includes(platform)
    expect(errors.Media).toHaveLength(needsMedia ? 1 : 0)
    expect(check(platform, 'Hello').errors.Media).toEqual([])
    const { maxLength, hardMaxLength = maxLength } = PLATFORM_LIMITS[platform]
    expect(maxLength).toBeLessThanOrEqual(hardMaxLength)
  })

  it('allows up to 30 hashtags on Instagram', () => {
    const hashtags = (count: number) => Array.from({ length: count }, (_, index) => `#tag${index}`).join(' ')
    expect(check('INSTAGRAM', hashtags(30)).errors.Content).toEqual([])
    expect(check('INSTAGRAM', hashtags(31)).errors.Content).toEqual([
      'Instagram allows up to 30 hashtags. Remove 1.',
    ])
    expect(check('LINKEDIN', hashtags(31)).errors.Content).toEqual([])
  })
})
