import { isPlatform, platformCode } from '../platforms/platform-names.ts'
import type { Post, PostBody } from './records.ts'
import { hasOffset, readTimestamp } from './timestamps.ts'

/** A post is unknown if it may be the one that was sent, but lacks something to compare. */
export type Comparison = 'same' | 'different' | 'unknown'

/** Compares a post with one that was sent, by meaning: services change notations, case and white space. */
export function comparePosts(sent: PostBody | Post, found: Post): Comparison {
  const { ScheduleDate, Timezone, Content = '', Platforms = [] } = sent
  const moment = compareMoments(
    { date: ScheduleDate ?? undefined, zone: Timezone ?? undefined },
    { date: found.ScheduleDate, zone: found.Timezone ?? Timezone ?? undefined },
  )
  if (moment === 'different') return 'different'
  const texts = compareTexts(Content, found.Content)
  const platforms = comparePlatforms(Platforms, found.Platforms)
  const parts = [moment, texts, platforms]
  if (parts.includes('different')) return 'different'
  return parts.includes('unknown') ? 'unknown' : 'same'
}

const OTHER_FIELDS = ['Media', 'TemplateId', 'PromptId', 'Status'] as const

export const isSamePost = (sent: PostBody | Post, found: Post): boolean =>
  comparePosts(sent, found) === 'same' &&
  OTHER_FIELDS.every((name) => (sent[name] ?? '') === (found[name] ?? ''))

type WrittenMoment = { date: string | undefined; zone: string | undefined }

function compareMoments(sent: WrittenMoment, found: WrittenMoment): Comparison {
  const sentAt = sent.date && readTimestamp(sent.date, sent.zone)
  const foundAt = found.date && readTimestamp(found.date, found.zone)
  if (!sentAt || !foundAt) return 'unknown'
  if (Math.abs(+sentAt - +foundAt) < 1000 || +sentAt.startOf('minute') === +foundAt) return 'same'
  if (/^\d{4}-\d{2}-\d{2}$/.test(found.date ?? ''))
    return sentAt.toISODate() === found.date ? 'unknown' : 'different'
  // A date without an offset may be the local time or UTC.
  const inUtc = found.date && !hasOffset(found.date) ? readTimestamp(found.date, 'utc') : undefined
  return inUtc && +inUtc === +sentAt ? 'unknown' : 'different'
}

function compareTexts(sent: string, found: string | undefined): Comparison {
  if (found === undefined) return sent ? 'unknown' : 'same'
  const [sentText, foundText] = [sent, found].map(normalizeText) as [string, string]
  if (sentText === foundText || sentText === normalizeText(found.replace(/<[^<>]*>/g, ' '))) return 'same'
  // A list may show only the beginning.
  const beginning = foundText.replace(/ ?(?:\.\.\.|…)$/, '')
  return beginning.length >= MIN_BEGINNING && sentText.startsWith(beginning) ? 'unknown' : 'different'
}

const MIN_BEGINNING = 10

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Without differences in Unicode form, white space, line ends and HTML entities. */
const normalizeText = (text: string): string =>
  text
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => ENTITIES[name] ?? '')
    .replace(/&#(x?)([0-9a-f]{1,6});/gi, (entity, hex, digits) => {
      const code = Number.parseInt(digits, hex ? 16 : 10)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    })
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

function comparePlatforms(sent: string[], found: string[] | undefined): Comparison {
  if (!found) return sent.length ? 'unknown' : 'same'
  const codes = (names: string[]) => [...new Set(names.map(platformCode))].sort()
  const foundCodes = codes(found)
  if (codes(sent).join() === foundCodes.join()) return 'same'
  return foundCodes.every(isPlatform) && foundCodes.length ? 'different' : 'unknown'
}
