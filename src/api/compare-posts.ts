import { isDeepStrictEqual } from 'node:util'
import { isPlatform, normalizeName, platformCode } from '../platforms/platform-names.ts'
import { decodeEntities, htmlToText } from './html-text.ts'
import { type Post, type PostBody, posts } from './records.ts'
import { hasOffset, isDateOnly, isZone, readTimestamp } from './timestamps.ts'

/** The result is unknown if the found post may be the one that was sent, but its values don't prove it. */
export type Comparison = 'same' | 'different' | 'unknown'

/** A part of a post is similar if it differs from the sent part, but a service may have made that change. */
type PartComparison = Comparison | 'similar'

/** Compares the meaning of a found post with the sent one's, because services change notation, case and white space. */
export function comparePosts(sent: PostBody | Post, found: Post): Comparison {
  const moment = compareMoments(sent, found)
  if (moment === 'different' || moment === 'similar') return 'different'
  const parts = [moment, ...compareContent(sent, found)]
  if (parts.includes('different') || parts.includes('similar')) return 'different'
  return parts.includes('unknown') ? 'unknown' : 'same'
}

/**
 * Compares a sent post with one that a service may have made from it: services round times, add hashtags, escape or
 * convert characters, and make one post for each platform. If only the time, the text or the platforms differ, the
 * found post may still be the one that was sent.
 */
export function recognizePost(sent: PostBody, found: Post): Comparison {
  const moment = compareMoments(sent, found)
  if (moment === 'different') return 'different'
  const [text, platforms] = compareContent(sent, found)
  const parts = [moment, text, platforms === 'similar' ? 'same' : platforms]
  const count = (comparison: PartComparison) => parts.filter((part) => part === comparison).length
  if (count('same') === parts.length) return 'same'
  const isSimilar =
    count('different') === 0 ||
    count('same') === parts.length - 1 ||
    (moment !== 'unknown' && count('different') === 1)
  return isSimilar ? 'unknown' : 'different'
}

const compareContent = (
  { Content = '', Platforms = [] }: PostBody | Post,
  found: Post,
): [text: PartComparison, platforms: PartComparison] => [
  compareText(Content, found.Content),
  comparePlatforms(Platforms, found.Platforms),
]

const OTHER_FIELDS = ['Media', 'MediaDescription', 'TemplateId', 'PromptId', 'Status'] as const

export const isSamePost = (sent: PostBody | Post, found: Post): boolean =>
  comparePosts(sent, found) === 'same' &&
  OTHER_FIELDS.every((name) => (sent[name] ?? '') === (found[name] ?? '')) &&
  isDeepStrictEqual(sent.Titles, found.Titles) &&
  isDeepStrictEqual(sent.Texts, found.Texts)

const DAY_MS = 24 * 60 * 60_000
const MAX_ROUNDING_MS = 15 * 60_000
/** No time zone is further than this from UTC. */
const MAX_OFFSET_MS = 14 * 60 * 60_000

/** Compares dates as they were written, because a service may return the sent zone, but write dates in another zone. */
function compareMoments({ ScheduleDate, Timezone }: PostBody | Post, found: Post): PartComparison {
  const foundDate = posts.writtenDate(found)
  if (!ScheduleDate && !foundDate) return 'same'
  const sentAt = ScheduleDate && readTimestamp(ScheduleDate, Timezone ?? undefined)
  const zone = isZone(found.Timezone) ? found.Timezone : Timezone
  const foundAt = foundDate && readTimestamp(foundDate, zone ?? undefined)
  if (!sentAt || !foundAt) return 'unknown'
  if (Math.abs(+sentAt - +foundAt) < 1000 || +sentAt.startOf('minute') === +foundAt) return 'same'
  if (isDateOnly(foundDate))
    return Math.abs(+foundAt + DAY_MS / 2 - +sentAt) <= DAY_MS / 2 + MAX_OFFSET_MS ? 'unknown' : 'different'
  if (Math.abs(+sentAt - +foundAt) <= MAX_ROUNDING_MS) return 'similar'
  // A date without an offset may be local time or UTC. If the zone is unknown, local time may be up to 14 hours from UTC.
  const inUtc = hasOffset(foundDate) ? undefined : readTimestamp(foundDate, 'utc')
  const maxDifferenceMs = isZone(found.Timezone) ? MAX_ROUNDING_MS : MAX_OFFSET_MS
  return inUtc && Math.abs(+inUtc - +sentAt) <= maxDifferenceMs ? 'unknown' : 'different'
}

function compareText(sent: string, found: string | undefined): PartComparison {
  if (found === undefined) return sent ? 'unknown' : 'same'
  const [sentText, foundText] = [sent, found].map(normalizeText) as [string, string]
  const withoutTags = normalizeText(found.replace(/<[^<>]*>/g, ' '))
  // A service's list may show HTML as plain text.
  const sentAsText = normalizeText(htmlToText(sent))
  if (sentText === foundText || sentText === withoutTags || sentAsText === foundText) return 'same'
  // A list may show only the beginning of the text.
  const beginning = foundText.replace(/ ?(?:\.\.\.|…|[[(]more[\])])$/, '')
  if (beginning.length >= MIN_BEGINNING_LENGTH && sentText.startsWith(beginning)) return 'unknown'
  const [sentLetters, foundLetters] = [sentText, withoutTags].map(normalizeName) as [string, string]
  const length = Math.min(sentLetters.length, foundLetters.length)
  const hasSameBeginning = sentLetters.slice(0, length) === foundLetters.slice(0, length)
  return length >= MIN_BEGINNING_LENGTH && hasSameBeginning ? 'similar' : 'different'
}

const MIN_BEGINNING_LENGTH = 10

/** Removes differences in Unicode form, white space, line endings and HTML entities. */
const normalizeText = (text: string): string =>
  decodeEntities(text)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

function comparePlatforms(sent: string[], found: string[] | undefined): PartComparison {
  if (!found) return sent.length ? 'unknown' : 'same'
  const codes = (names: string[]) => [...new Set(names.map(platformCode))].sort()
  const [sentCodes, foundCodes] = [codes(sent), codes(found)]
  if (sentCodes.join() === foundCodes.join()) return 'same'
  if (!foundCodes.length || !foundCodes.every(isPlatform)) return 'unknown'
  return foundCodes.every((code) => sentCodes.includes(code)) ? 'similar' : 'different'
}
