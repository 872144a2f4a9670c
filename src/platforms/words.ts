import type { components } from '../api/schema.d.ts'

export type Platform = components['schemas']['Platform']

/** What people call the platforms; the first is how we write it. */
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

const ANY = Object.values(NAMES).flat().join('|')

const named = (words: string): Platform[] =>
  PLATFORMS.filter((platform) => new RegExp(`(?<!\\w)(${NAMES[platform].join('|')})(?!\\w)`, 'i').test(words))

/** Takes the platforms out of words that are no post, wherever they stand. */
export function takePlatforms(words: string): { rest: string; named: Platform[] } {
  const rest = words.replace(new RegExp(`(?<!\\w)(${ANY})(?!\\w)`, 'gi'), ' ')
  return { rest, named: named(words) }
}

/** "… on LinkedIn and X" at the end of a sentence says where it goes; anywhere else a name may belong to the post. */
export function takePlatformsAtEnd(words: string): { rest: string; named: Platform[] } {
  const trimmed = words.trimEnd()
  const tail = new RegExp(
    `(?:^|\\s+)(?:on|to|for)\\s+((?:(?:${ANY})(?!\\w)(?:\\s*(?:,|and\\b|&|\\+)\\s*)*)+)[.!]?$`,
    'i',
  )
  const [whole = '', listed = ''] = tail.exec(trimmed) ?? []
  return whole ? { rest: trimmed.slice(0, -whole.length), named: named(listed) } : { rest: words, named: [] }
}
