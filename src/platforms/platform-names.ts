import type { components } from '../api/schema.d.ts'

export type Platform = components['schemas']['Platform']

/** Every name that users type for a platform. The first is the name we display. */
const NAMES: Record<Platform, string[]> = {
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

export const platformName = (platform: string): string =>
  isPlatform(platform) ? (NAMES[platform][0] ?? platform) : platform

const ANY_NAME = Object.values(NAMES).flat().join('|')

const platformsIn = (text: string): Platform[] =>
  PLATFORMS.filter((platform) => new RegExp(`(?<!\\w)(${NAMES[platform].join('|')})(?!\\w)`, 'i').test(text))

export type ExtractedPlatforms = {
  platforms: Platform[]
  /** The text without the platform names. */
  rest: string
}

/** Removes every platform name from the text. Use it only for text that contains no post. */
export function extractPlatforms(text: string): ExtractedPlatforms {
  const rest = text.replace(new RegExp(`(?<!\\w)(${ANY_NAME})(?!\\w)`, 'gi'), ' ')
  return { platforms: platformsIn(text), rest }
}

/** Removes "… on LinkedIn and X" from the end of the text. A name anywhere else may be part of the post. */
export function extractPlatformsAtEnd(text: string): ExtractedPlatforms {
  const trimmed = text.trimEnd()
  const ending = new RegExp(
    `(?:^|\\s+)(?:on|to|for)\\s+((?:(?:${ANY_NAME})(?!\\w)(?:\\s*(?:,|and\\b|&|\\+)\\s*)*)+)[.!]?$`,
    'i',
  )
  const [match = '', names = ''] = ending.exec(trimmed) ?? []
  if (!match) return { platforms: [], rest: text }
  return { platforms: platformsIn(names), rest: trimmed.slice(0, -match.length) }
}
