import { type Platform, platformName } from './platform-names.ts'

/** The properties of an image or video that limits depend on. Unknown ones are null or undefined. */
export type MediaFacts = {
  /** "image/jpeg" */
  content_type: string
  size: number
  width?: number | null | undefined
  height?: number | null | undefined
  seconds?: number | null | undefined
}

/** "1080 × 1350, 64.7 KB" */
export function describeMedia({ width, height, seconds, size }: MediaFacts): string {
  const facts = [
    width && height ? `${width} × ${height}` : '',
    seconds ? `${Math.round(seconds)} s` : '',
    formatBytes(size),
  ]
  return facts.filter(Boolean).join(', ')
}

type Range = [min: number, max: number]

type KindLimits = {
  /** The file types that the platform accepts, such as "jpeg". Undefined if it documents none. */
  types?: string[]
  maxBytes?: number
  /** Width divided by height. */
  ratio?: Range
  seconds?: Range
}

/**
 * A platform's documented limits for one attached file, collected on 22 November 2026. A service may convert files, so
 * a post with a file outside these limits isn't necessarily rejected. Sources:
 * Instagram: developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
 * Facebook: developers.facebook.com/docs/graph-api/reference/page/photos and /docs/graph-api/video-uploads
 * LinkedIn: learn.microsoft.com/linkedin/marketing/community-management/shares/images-api and …/videos-api
 * X: docs.x.com/x-api/media/quickstart/best-practices. For videos, the stricter figures of older pages apply.
 * YouTube: developers.google.com/youtube/v3/docs/videos/insert
 * TikTok: developers.tiktok.com/doc/content-posting-api-media-transfer-guide
 * Pinterest: help.pinterest.com/en/business/article/pinterest-product-specs
 * Reddit: docs.bulkit.io/docs/platforms/reddit. Reddit itself publishes no figures for its API.
 * Telegram: core.telegram.org/bots/api#sending-files, for files that are sent as a link
 * Threads: developers.facebook.com/docs/threads/overview
 */
const MEDIA_LIMITS: Record<Platform, { image?: KindLimits; video: KindLimits }> = {
  INSTAGRAM: {
    image: { types: ['jpeg'], maxBytes: 8e6, ratio: [0.8, 1.91] },
    video: { maxBytes: 300e6, seconds: [3, 900], ratio: [0.01, 10] },
  },
  FACEBOOK: {
    image: { types: ['jpeg', 'png', 'gif'], maxBytes: 10e6 },
    video: { maxBytes: 1e9, seconds: [0, 1200] },
  },
  LINKEDIN: {
    image: { types: ['jpeg', 'png', 'gif'] },
    video: { types: ['mp4'], maxBytes: 500e6, seconds: [3, 1800] },
  },
  X: {
    image: { maxBytes: 5e6 },
    video: { maxBytes: 512e6, seconds: [0.5, 140], ratio: [1 / 3, 3] },
  },
  YOUTUBE: { video: { maxBytes: 256e9, seconds: [0, 43_200] } },
  TIKTOK: {
    image: { types: ['jpeg', 'webp'], maxBytes: 20e6 },
    video: { maxBytes: 4e9, seconds: [3, 600] },
  },
  PINTEREST: {
    image: { types: ['jpeg', 'png'], maxBytes: 20e6 },
    video: { maxBytes: 2e9, seconds: [4, 900], ratio: [0.5, 1.91] },
  },
  REDDIT: { image: { maxBytes: 20e6 }, video: { maxBytes: 1e9, seconds: [2, 900] } },
  TELEGRAM: { image: { maxBytes: 5e6, ratio: [0.05, 20] }, video: { types: ['mp4'], maxBytes: 20e6 } },
  THREADS: {
    image: { types: ['jpeg', 'png'], maxBytes: 8e6, ratio: [0.1, 10] },
    video: { maxBytes: 1e9, seconds: [0, 300], ratio: [0.01, 10] },
  },
}

const TYPE_NAMES: Record<string, string> = { webp: 'WebP', quicktime: 'MOV' }

const typeName = (type: string): string => TYPE_NAMES[type] ?? type.toUpperCase()

export const acceptsImages = (platform: Platform): boolean => MEDIA_LIMITS[platform].image !== undefined

/** Returns the reasons why a platform may reject this file, even though it accepts images or videos in general. */
export function checkMedia(platform: Platform, media: MediaFacts): string[] {
  const [kind = '', type = ''] = media.content_type.split('/')
  // Slack doesn't report the type of every file.
  if (!kind) return []
  const { image, video } = MEDIA_LIMITS[platform]
  const limits = (kind === 'video' ? video : image) ?? {}
  const warnings = [
    limits.types &&
      !limits.types.includes(type) &&
      `accepts only ${listTypes(limits.types)}, but this is ${typeName(type)}`,
    isOutside(media.size, [0, limits.maxBytes]) &&
      `accepts ${kind}s up to ${formatBytes(limits.maxBytes ?? 0)}`,
    isOutside(media.seconds, limits.seconds) && `accepts videos of ${formatDurationRange(limits.seconds)}`,
    isOutside(ratioOf(media), limits.ratio) &&
      `accepts ${kind}s with an aspect ratio between ${formatRatios(limits.ratio)}`,
  ]
  return warnings.flatMap((text) => (text ? [`${platformName(platform)} ${text}.`] : []))
}

const isOutside = (
  value: number | null | undefined,
  [min, max]: [number, number | undefined] = [0, undefined],
): boolean => typeof value === 'number' && (value < min || value > (max ?? Number.POSITIVE_INFINITY))

const ratioOf = ({ width, height }: MediaFacts) => (width && height ? width / height : undefined)

/** "Instagram: JPEG (up to 8 MB, 4:5 to 1.91:1) · video (up to 300 MB, 15 min)" */
export function describeMediaLimits(platform: Platform): string {
  const { image, video } = MEDIA_LIMITS[platform]
  const kinds = [...(image ? [describeKind('image', image)] : []), describeKind('video', video)]
  return `${platformName(platform)}: ${kinds.join(' · ')}`
}

/** If the lowest ratio is below this, the range isn't shown, because hardly any image is that narrow. */
const MIN_RATIO_TO_SHOW = 1 / 3

function describeKind(name: string, { types, maxBytes, seconds, ratio }: KindLimits): string {
  const limits = [
    maxBytes && `up to ${formatBytes(maxBytes)}`,
    seconds && formatDuration(seconds[1]),
    ratio && ratio[0] >= MIN_RATIO_TO_SHOW && `${formatRatio(ratio[0])} to ${formatRatio(ratio[1])}`,
  ].filter(Boolean)
  const label = types ? listTypes(types) : name
  return limits.length ? `${label} (${limits.join(', ')})` : label
}

const listTypes = (types: string[]): string => {
  const names = types.map(typeName)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
}

/** "3.2 MB" */
export function formatBytes(bytes: number): string {
  const [divisor, unit] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'KB']
  const value = bytes / divisor
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} ${unit}`
}

const formatDuration = (seconds: number): string =>
  seconds >= 7200
    ? `${seconds / 3600} hours`
    : seconds >= 120
      ? `${Math.round(seconds / 60)} min`
      : `${seconds} s`

const formatDurationRange = ([min, max]: Range = [0, 0]): string =>
  min ? `${formatDuration(min)} to ${formatDuration(max)}` : `up to ${formatDuration(max)}`

const formatRatios = ([min, max]: Range = [0, 0]): string => `${formatRatio(min)} and ${formatRatio(max)}`

/** "4:5" for 0.8, "1.91:1" for 1.91. */
const formatRatio = (ratio: number): string => {
  if (ratio === 0.8) return '4:5'
  const rounded = (value: number) => Math.round(value * 100) / 100
  return ratio < 1 ? `1:${rounded(1 / ratio)}` : `${rounded(ratio)}:1`
}
