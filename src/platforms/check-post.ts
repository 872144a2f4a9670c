import { acceptsImages, checkMedia, type MediaFacts } from './platform-media.ts'
import { type Platform, platformName } from './platform-names.ts'
import { countHashtags, measureTweet } from './tweet-text.ts'

type PlatformLimits = {
  /** The published limit, in characters. */
  maxLength: number
  /** The highest limit that any account has or any source reports. Only longer text is certain to be rejected. */
  hardMaxLength?: number
  /** Why a length between the two limits may still be accepted. */
  uncertainty?: string
  /** The limit for the text of a post with an image or video, if it differs. */
  maxLengthWithMedia?: number
  maxHashtags?: number
  /** The media that every post needs. */
  requiredMedia?: string
}

/** Collected on 20 November 2026 from the platforms' own pages and from other scheduling tools. */
export const PLATFORM_LIMITS: Record<Platform, PlatformLimits> = {
  INSTAGRAM: { maxLength: 2200, maxHashtags: 30, requiredMedia: 'an image or video' },
  FACEBOOK: { maxLength: 63_206 },
  LINKEDIN: { maxLength: 3000 },
  X: {
    maxLength: 280,
    hardMaxLength: 25_000,
    uncertainty: 'Only premium accounts can publish longer posts.',
  },
  YOUTUBE: { maxLength: 5000, requiredMedia: 'a video' },
  TIKTOK: { maxLength: 2200, requiredMedia: 'a video or images' },
  PINTEREST: {
    maxLength: 500,
    hardMaxLength: 800,
    uncertainty: 'Pinterest may shorten or reject the text.',
    requiredMedia: 'an image or video',
  },
  REDDIT: { maxLength: 10_000, hardMaxLength: 40_000, uncertainty: 'Some subreddits allow more.' },
  TELEGRAM: { maxLength: 4096, maxLengthWithMedia: 1024 },
  THREADS: { maxLength: 500, uncertainty: 'Threads may count an emoji as several characters.' },
}

type PostContent = {
  Content: string
  Media: string | undefined
  /** A picked file, which replaces the link in `Media`. */
  file?: MediaFacts | undefined
  Platforms: Platform[]
}

export type PostCheck = {
  /** Problems that make a platform reject the post, by field. */
  errors: { Content: string[]; Media: string[] }
  /** Problems that may make a platform reject the post. */
  warnings: string[]
  /** One line per platform: "X: 40 left" or "X: 121 over the 280 limit". */
  characterCounts: string[]
}

export function checkPost({ Content, Media, file, Platforms }: PostContent): PostCheck {
  const check: PostCheck = { errors: { Content: [], Media: [] }, warnings: [], characterCounts: [] }
  const { errors, warnings, characterCounts } = check
  const hashtagCount = countHashtags(Content)
  for (const platform of Platforms) {
    const name = platformName(platform)
    const limits = PLATFORM_LIMITS[platform]
    const hasMedia = Boolean(Media || file)
    const limitWithMedia = hasMedia ? limits.maxLengthWithMedia : undefined
    const maxLength = limitWithMedia ?? limits.maxLength
    const hardMaxLength = limitWithMedia ?? limits.hardMaxLength ?? maxLength
    const { minPossibleLength, maxPossibleLength } = measureContent(platform, Content)
    const remaining = maxLength - maxPossibleLength
    const overLimit = (excess: number) =>
      `${name}: ${formatNumber(excess)} over the ${formatNumber(maxLength)} limit`
    const charactersLeft = `${name}: ${formatNumber(remaining)} left`
    characterCounts.push(remaining < 0 ? overLimit(-remaining) : charactersLeft)
    const mediaNote = limitWithMedia ? ' for posts with media' : ''
    if (minPossibleLength > hardMaxLength)
      errors.Content.push(`${overLimit(minPossibleLength - maxLength)}${mediaNote}. Shorten the text.`)
    else if (remaining < 0)
      warnings.push([`${overLimit(-remaining)}${mediaNote}.`, limits.uncertainty].filter(Boolean).join(' '))
    const { maxHashtags = Number.POSITIVE_INFINITY } = limits
    if (hashtagCount > maxHashtags)
      errors.Content.push(
        `${name} allows up to ${maxHashtags} hashtags. Remove ${hashtagCount - maxHashtags}.`,
      )
    if (limits.requiredMedia && !hasMedia) errors.Media.push(`${name} posts need ${limits.requiredMedia}.`)
    if (!acceptsImages(platform) && (file?.content_type.startsWith('image/') || isImageLink(Media)))
      errors.Media.push(`${name} posts need a video, but this is an image.`)
    if (file) warnings.push(...checkMedia(platform, file))
  }
  return check
}

const IMAGE_PATH = /\.(?:png|jpe?g|gif|webp|avif|heic|bmp|tiff?|svg)$/i

/** Judged by the file's extension. A link without one may lead to a video. */
const isImageLink = (url = ''): boolean => URL.canParse(url) && IMAGE_PATH.test(new URL(url).pathname)

/**
 * Returns two lengths, because sources disagree on how Threads counts. For Telegram, an emoji counts as two characters,
 * as in Upnext's own publisher.
 */
function measureContent(platform: Platform, content: string) {
  const minPossibleLength =
    platform === 'X' ? measureTweet(content) : platform === 'TELEGRAM' ? content.length : [...content].length
  if (platform !== 'THREADS') return { minPossibleLength, maxPossibleLength: minPossibleLength }
  // Some sources say that Threads counts an emoji by its UTF-8 bytes.
  const emoji = content.match(/\p{Extended_Pictographic}/gu) ?? []
  return {
    minPossibleLength,
    maxPossibleLength: minPossibleLength + Buffer.byteLength(emoji.join('')) - emoji.length,
  }
}

const formatNumber = (value: number): string => value.toLocaleString('en-US')
