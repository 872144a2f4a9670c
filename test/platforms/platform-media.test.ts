import { describe, expect, it } from 'vitest'
import { checkPost } from '../../src/platforms/check-post.ts'
import {
  checkMedia,
  describeMediaLimits,
  formatBytes,
  type MediaFacts,
} from '../../src/platforms/platform-media.ts'
import { PLATFORMS } from '../../src/platforms/platform-names.ts'

const PHOTO = { content_type: 'image/jpeg', size: 2_000_000, width: 1080, height: 1080 }
const CLIP = { content_type: 'video/mp4', size: 10_000_000, width: 1280, height: 720, seconds: 30 }

describe('platform media', () => {
  it('accepts a square photo everywhere but on YouTube, and a short clip everywhere', () => {
    for (const platform of PLATFORMS) {
      const check = (file: MediaFacts) => {
        const { errors, warnings } = checkPost({ Content: '', Media: undefined, file, Platforms: [platform] })
        return [...errors.Media, ...warnings]
      }
      expect(check(PHOTO)).toEqual(
        platform === 'YOUTUBE' ? ['YouTube posts need a video, but this is an image.'] : [],
      )
      expect(check(CLIP)).toEqual([])
    }
  })

  it.each([
    ['INSTAGRAM', { ...PHOTO, content_type: 'image/png' }, 'Instagram accepts only JPEG, but this is PNG.'],
    ['X', { ...PHOTO, size: 6_000_000 }, 'X accepts images up to 5 MB.'],
    [
      'INSTAGRAM',
      { ...PHOTO, height: 2000 },
      'Instagram accepts images with an aspect ratio between 4:5 and 1.91:1.',
    ],
    ['X', { ...CLIP, seconds: 141 }, 'X accepts videos of 0.5 s to 2 min.'],
    ['LINKEDIN', { ...CLIP, content_type: 'video/quicktime' }, 'LinkedIn accepts only MP4, but this is MOV.'],
    ['THREADS', { ...CLIP, seconds: 301 }, 'Threads accepts videos of up to 5 min.'],
  ] as const)('warns on %s about %o', (platform, media, warning) => {
    expect(checkMedia(platform, media)).toEqual([warning])
  })

  it('does not warn while only the type is known', () => {
    for (const platform of PLATFORMS)
      expect(checkMedia(platform, { content_type: 'video/mp4', size: 0 })).toEqual([])
  })

  it('describes the limits of each platform in one line', () => {
    expect(describeMediaLimits('INSTAGRAM')).toBe(
      'Instagram: JPEG (up to 8 MB, 4:5 to 1.91:1) · video (up to 300 MB, 15 min)',
    )
    expect(describeMediaLimits('YOUTUBE')).toBe('YouTube: video (up to 256 GB, 12 hours)')
    expect(describeMediaLimits('TELEGRAM')).toBe('Telegram: image (up to 5 MB) · MP4 (up to 20 MB)')
    expect(describeMediaLimits('LINKEDIN')).toBe('LinkedIn: JPEG, PNG or GIF · MP4 (up to 500 MB, 30 min)')
  })

  it('formats sizes in readable units', () => {
    expect([900, 64_700, 3_240_000, 100e6, 2e9].map(formatBytes)).toEqual([
      '0.9 KB',
      '64.7 KB',
      '3.2 MB',
      '100 MB',
      '2 GB',
    ])
  })
})
