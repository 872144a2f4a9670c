import type { components } from '../api/schema.d.ts'

export type Platform = components['schemas']['Platform']

/** The names that users may type for a platform. The first one is displayed. */
export const PLATFORM_NAMES: Record<Platform, [string, ...string[]]> = {
  INSTAGRAM: ['Instagram', 'insta', 'ig'],
  FACEBOOK: ['Facebook', 'fb'],
  LINKEDIN: ['LinkedIn', 'linked in', 'li'],
  X: ['X', 'Twitter'],
  YOUTUBE: ['YouTube', 'you tube', 'yt'],
  TIKTOK: ['TikTok', 'tik tok', 'tt'],
  PINTEREST: ['Pinterest'],
  REDDIT: ['Reddit'],
  TELEGRAM: ['Telegram', 'tg'],
  THREADS: ['Threads'],
}

/** Networks on which Upnext can't publish, separated by commas. The post command reports them instead of keeping them as text. */
export const UNSUPPORTED_NETWORKS = `mastodon, bluesky, blue sky, bsky, snap, snapchat, whatsapp, whats app, discord, tumblr, twitch, twitch.tv,
  vimeo, xing, wechat, weibo, vk, bereal, truth social, google business, google my business, gmb, substack, nextdoor, quora, flickr`

const ALL_PLATFORMS_WORDS = [
  'everywhere',
  'all (?:the |our |of the )?(?:platforms|channels|networks|socials?|accounts)',
]

export const PLATFORMS = Object.keys(PLATFORM_NAMES) as Platform[]

export const isPlatform = (value: string): value is Platform => Object.hasOwn(PLATFORM_NAMES, value)

/** Lowercases a name and removes separators, because both vary between its spellings: "linkedin", "Linked-In". */
export const normalizeName = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

const CODES = new Map(
  Object.entries(PLATFORM_NAMES).flatMap(([code, names]) =>
    [code, ...names].map((name) => [normalizeName(name), code]),
  ),
)

/** Returns the platform's code for a name such as "linkedin" or "Linked-In". Returns an unknown name unchanged. */
export const platformCode = (name: string): string => CODES.get(normalizeName(name)) ?? name

/** Returns "unknown platform" for an id, which would mean nothing to people. */
export function platformName(platform: string): string {
  if (isPlatform(platform)) return PLATFORM_NAMES[platform][0]
  return /^(?:\d+|[0-9a-f-]{20,})$/i.test(platform) ? 'unknown platform' : platform
}

/** The "x" of "x-mas" and "X-ray" isn't a platform. */
const toPattern = (names: string[]) => `(?:${names.join('|')})(?!\\w|(?<=\\bx)-\\w)`
const ANY_NAME = toPattern(Object.values(PLATFORM_NAMES).flat())
const ALL_PLATFORMS_PATTERN = new RegExp(`(?<!\\w)${toPattern(ALL_PLATFORMS_WORDS)}`, 'i')

function platformsIn(text: string): Platform[] {
  if (ALL_PLATFORMS_PATTERN.test(text)) return PLATFORMS
  return PLATFORMS.filter((platform) =>
    new RegExp(`(?<!\\w)${toPattern(PLATFORM_NAMES[platform])}`, 'i').test(text),
  )
}

type FoundPlatforms = { platforms: Platform[]; rest: string }

/** Removes every platform name from the text. Use it only for text that isn't part of a post. */
export const extractPlatforms = (text: string): FoundPlatforms => ({
  platforms: platformsIn(text),
  rest: text.replace(new RegExp(`(?<!\\w)(?:${ANY_NAME}|${toPattern(ALL_PLATFORMS_WORDS)})`, 'gi'), ' '),
})
