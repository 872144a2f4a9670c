import type { components } from '../api/schema.d.ts'

export type Platform = components['schemas']['Platform']

/** Every name that users type for a platform. The first is the name we display. */
const NAMES: Record<Platform, [string, ...string[]]> = {
  INSTAGRAM: ['Instagram', 'insta', 'ig'],
  FACEBOOK: ['Facebook', 'fb'],
  LINKEDIN: ['LinkedIn', 'li'],
  X: ['X', 'Twitter'],
  YOUTUBE: ['YouTube', 'yt'],
  TIKTOK: ['TikTok', 'tik tok'],
  PINTEREST: ['Pinterest'],
  REDDIT: ['Reddit'],
  TELEGRAM: ['Telegram'],
  THREADS: ['Threads'],
}

export const PLATFORMS = Object.keys(NAMES) as Platform[]

export const isPlatform = (value: string): value is Platform => Object.hasOwn(NAMES, value)

export const platformName = (platform: string) => (isPlatform(platform) ? NAMES[platform][0] : platform)

const matchAny = (names: string[]) => `(?:${names.join('|')})(?!\\w)`
const ANY_NAME = matchAny(Object.values(NAMES).flat())

const platformsIn = (text: string): Platform[] =>
  PLATFORMS.filter((platform) => new RegExp(`(?<!\\w)${matchAny(NAMES[platform])}`, 'i').test(text))

/** Removes every platform name from the text. Use it only for text that contains no post. */
export const extractPlatforms = (text: string) => ({
  platforms: platformsIn(text),
  rest: text.replace(new RegExp(`(?<!\\w)${ANY_NAME}`, 'gi'), ' '),
})

/** Removes "… on LinkedIn and X" from the end of the text. A name anywhere else may be part of the post. */
export function extractPlatformsAtEnd(text: string) {
  const trimmed = text.trimEnd()
  const [match, names = ''] = PLATFORMS_AT_END.exec(trimmed) ?? []
  if (!match) return { platforms: [], rest: text }
  return { platforms: platformsIn(names), rest: trimmed.slice(0, -match.length).trimEnd() }
}

const PLATFORMS_AT_END = new RegExp(
  `(?<!\\S)(?:on|to|for)\\s+((?:${ANY_NAME}(?:(?:\\s*(?:,|and\\b|&|\\+))+\\s*)?)+)[.!]?$`,
  'i',
)
