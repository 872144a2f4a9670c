import type { components } from '../api/schema.d.ts'

export type Platform = components['schemas']['Platform']

/** Every name that users type for a platform. The first is the name we display. */
const NAMES: Record<Platform, [string, ...string[]]> = {
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
/** Words for every platform. */
const ALL_NAMES = [
  'everywhere',
  'all (?:the |our |of the )?(?:platforms|channels|networks|socials?|accounts)',
]

export const PLATFORMS = Object.keys(NAMES) as Platform[]

export const isPlatform = (value: string): value is Platform => Object.hasOwn(NAMES, value)

/** Removes case and separators, in which the spellings of a name differ: "linkedin", "Linked-In". */
export const onlyLetters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

const CODES = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => [code, ...names].map((name) => [onlyLetters(name), code])),
)

/** The code of a platform that a service names in another way: "linkedin", "Linked-In". An unknown name stays as it is. */
export const platformCode = (name: string): string => CODES.get(onlyLetters(name)) ?? name

/** Returns "unknown platform" for an id, which would mean nothing to people. */
export function platformName(platform: string): string {
  if (isPlatform(platform)) return NAMES[platform][0]
  return /^(?:\d+|[0-9a-f-]{20,})$/i.test(platform) ? 'unknown platform' : platform
}

const matchAny = (names: string[]) => `(?:${names.join('|')})(?!\\w)`
const ANY_NAME = matchAny(Object.values(NAMES).flat())
const ALL_PLATFORMS = new RegExp(`(?<!\\w)${matchAny(ALL_NAMES)}`, 'i')

function platformsIn(text: string): Platform[] {
  if (ALL_PLATFORMS.test(text)) return PLATFORMS
  return PLATFORMS.filter((platform) => new RegExp(`(?<!\\w)${matchAny(NAMES[platform])}`, 'i').test(text))
}

type FoundPlatforms = { platforms: Platform[]; rest: string }

/** Removes every platform name from the text. Use it only for text that contains no post. */
export const extractPlatforms = (text: string): FoundPlatforms => ({
  platforms: platformsIn(text),
  rest: text.replace(new RegExp(`(?<!\\w)(?:${ANY_NAME}|${matchAny(ALL_NAMES)})`, 'gi'), ' '),
})

/** Removes "… on LinkedIn and X" from the end of the text. */
export const extractPlatformsAtEnd = (text: string): FoundPlatforms => extractAtEnd(text, PLATFORMS_AT_END)

/** Removes even "… LinkedIn, X" from the end of the text. Use it only where such names can't be part of the post. */
export const extractBarePlatformsAtEnd = (text: string): FoundPlatforms =>
  extractAtEnd(text, BARE_PLATFORMS_AT_END)

function extractAtEnd(text: string, pattern: RegExp): FoundPlatforms {
  const trimmed = text.trimEnd()
  const [match, names = ''] = pattern.exec(trimmed.slice(-MAX_LIST_LENGTH)) ?? []
  const rest = match ? trimmed.slice(0, -match.length).trimEnd() : text
  // "On TV and on YouTube" is one list, and only a part of it would be removed.
  if (!match || ENDS_WITH_CONNECTOR.test(rest.slice(-MAX_CONNECTOR_LENGTH)))
    return { platforms: [], rest: text }
  return { platforms: platformsIn(names), rest }
}

type FoundList = FoundPlatforms & { unknownNames: string[] }

/** Removes "… on X, Mastodon and LinkedIn" from the end of the text: a list that also has names of other networks. */
export function extractListWithUnknownNames(text: string): FoundList | undefined {
  const trimmed = text.trimEnd()
  const end = trimmed.slice(-MAX_LIST_LENGTH)
  for (const { index, 0: preposition } of end.matchAll(LIST_START)) {
    const names = end
      .slice(index + preposition.length)
      .replace(/[.!]$/, '')
      .split(SEPARATOR)
      .map((name) => name.trim().replace(WORDS_BEFORE_NAME, ''))
      .filter(Boolean)
    const isKnown = names.map((name) => ONLY_NAMES.test(name))
    const unknownNames = names.filter((_name, position) => !isKnown[position])
    const isAmongKnown = isKnown[0] && isKnown.at(-1)
    const isList = unknownNames.every(
      (name) => OTHER_NETWORK.test(name) || (isAmongKnown && WORDS.test(name)),
    )
    if (isList && unknownNames.length && isKnown.includes(true))
      return {
        platforms: platformsIn(names.join(' ')),
        unknownNames,
        rest: trimmed.slice(0, index - end.length).trimEnd(),
      }
  }
  return undefined
}

/** Long enough for a list of all names. In a longer text, the pattern would be tried at every name, which is slow. */
const MAX_LIST_LENGTH = 200
const PREPOSITION = '(?:on|to|for|via|@)'
const NAME = `(?:${ANY_NAME}|${matchAny(ALL_NAMES)})`
const CONNECTOR = '(?:,|/|and\\b|plus\\b|&|\\+)'
const LIST = `${NAME}(?:(?:(?:\\s*${CONNECTOR})+\\s*(?:(?:on|to|for|via)\\s+)?|\\s+)${NAME})*`
const PLATFORMS_AT_END = new RegExp(`(?<!\\S)${PREPOSITION}(?:\\s+|(?<=@))(${LIST})\\s*[.!]?$`, 'i')
const BARE_PLATFORMS_AT_END = new RegExp(
  `(?<![\\w@#])(?:${PREPOSITION}(?:\\s+|(?<=@)))?(${LIST})\\s*[.!]?$`,
  'i',
)
const MAX_CONNECTOR_LENGTH = 10
const ENDS_WITH_CONNECTOR = /(?:(?<!\S)(?:and|plus)|[/&+])\s*$/i
const LIST_START = new RegExp(`(?<!\\S)${PREPOSITION}(?:\\s+|(?<=@))`, 'gi')
const SEPARATOR = /[,/&+]|(?<!\S)(?:and|plus)(?!\S)/i
const WORDS_BEFORE_NAME = /^(?:(?:on|to|for|via)\s+|@)/i
const ONLY_NAMES = new RegExp(`^${NAME}(?:\\s+${NAME})*$`, 'i')
/** One or two words. They count as a network's name only between the names of known platforms. */
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}._-]{1,20}(?: [\p{L}\p{N}]{2,20})?$/u
/** Networks that users post to with other tools. */
const OTHER_NETWORK =
  /^(?:mastodon|blue ?sky|bsky|snap(?:chat)?|whats ?app|discord|tumblr|twitch|twitch\.tv|vimeo|xing|wechat|weibo|vk|bereal|truth social|google (?:business|my business)|gmb|substack|nextdoor|quora|flickr)$/i
