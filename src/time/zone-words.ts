import type { Meaning } from './chart.ts'
import { offsetLabel } from './describe.ts'
import { type Token, type TokenizedText, tokenAfter } from './tokens.ts'
import { findZoneName, mayBeginPlace, ZONE_ABBREVIATIONS, zonesOfPlace } from './zone-names.ts'
import { type NamedZone, zonesWithOffset } from './zones.ts'

/** Abbreviations that are also words, so they need a time or "time" next to them. */
const AMBIGUOUS_ABBREVIATIONS = new Set(
  'art west et pt ct mt wet ist ast mst hst cat eat wit pet cot wat sg hk kl'.split(' '),
)

const IANA_NAME = /[a-z_]{2,20}(?:\/[a-z_+-]{2,20}\d{0,2}){1,2}(?![\w/])/y
const OFFSET_NAME = /(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?!\d)/y
/** Matches an offset after a time. A "-" there may also mean a range, so it is a minus sign only in ISO format. */
const OFFSET = /([+-])(\d{2}):?(\d{2})?(?![\d:])/y
/** Matches "9:00-10:00". In the daytime, that is much likelier to be a range than a time with the offset -10:00. */
const END_OF_RANGE = /[\d-] (\d{1,2}):\d{2} ?-(\d{2}):?\d{2}$/
const FIRST_DAYTIME_HOUR = 7
const RANGE_LENGTH = '03 09:00 -10:00'.length
const ISO_DATE = /\d{4}-\d{2}-\d{2}|\d{8}t|\d:\d{2}:\d{2}/
const MAX_PLACE_WORDS = 5
const CLOCK_AT_END = /\d(?: ?[ap]\.?m\.?|[:h]\d\d|h)\s*$/
const CLOCK_LENGTH = '12:00 p.m. '.length

/** Finds the zones whose names begin at a token. `isWord` returns whether a name is also another word of the user's language. */
export function readZoneWords(
  { text, plain, tokens }: TokenizedText,
  start: number,
  isWord: (word: string) => boolean,
): Meaning[] {
  const token = tokens[start]
  if (!token) return []
  const items: Meaning[] = []
  const add = (type: string, value: NamedZone, end: number) =>
    items.push({ type, value, start, end, cost: 0 })
  const endAt = (length: number) => tokenAfter(tokens, start, length)
  const matchAt = (pattern: RegExp) => {
    pattern.lastIndex = token.plainStart
    return pattern.exec(plain)
  }
  if (token.word === '+' || token.word === '-') {
    const match = /\d|m/.test(tokens[start - 1]?.word.at(-1) ?? '') ? matchAt(OFFSET) : null
    if (
      match &&
      (token.word === '+' ||
        (ISO_DATE.test(plain) && !endsRange(plain.slice(0, OFFSET.lastIndex).slice(-RANGE_LENGTH))))
    )
      add('offset', zoneOfOffset(match), endAt(match[0].length))
  }
  if (token.kind !== 'word') return items
  if (token.word === 'z' && token.isJoined && tokens[start - 1]?.kind === 'digits')
    add('offset', { words: 'UTC', matches: zonesWithOffset(0) }, start + 1)
  const offset = matchAt(OFFSET_NAME)
  if (offset) add('strongZone', zoneOfOffset(offset), endAt(offset[0].length))
  const iana = tokens[start + 1]?.word === '/' || plain[token.plainEnd] === '_' ? matchAt(IANA_NAME) : null
  const ianaZone = iana && findZoneName(iana[0])
  if (iana && ianaZone)
    add('strongZone', { words: ianaZone, matches: [{ zone: ianaZone }] }, endAt(iana[0].length))
  const matches = ZONE_ABBREVIATIONS.get(token.word)
  if (matches && !isOtherWord(token, { text, plain }, isWord)) {
    const isWeak = AMBIGUOUS_ABBREVIATIONS.has(token.word) || isWord(token.word)
    add(isWeak ? 'weakZone' : 'strongZone', { words: token.word.toUpperCase(), matches }, start + 1)
  }
  if (!mayBeginPlace(token.word)) return items
  for (let end = start + 1; end <= start + MAX_PLACE_WORDS && tokens[end - 1]?.kind !== 'digits'; end++) {
    const words = plain.slice(token.plainStart, tokens[end - 1]?.plainEnd)
    // "New Yorker Zeit"
    const zones =
      words.length > 1 ? (zonesOfPlace(words) ?? zonesOfPlace(words.replace(/er$/, ''))) : undefined
    if (zones?.length)
      add(
        isWord(words) ? 'wordPlace' : 'place',
        { words: text.slice(token.start, tokens[end - 1]?.end), matches: zones.map((zone) => ({ zone })) },
        end,
      )
    if (!tokens[end]) break
  }
  return items
}

/** Whether an abbreviation is another word here: in "Heute ist 18 Uhr Konzert", but not in "2pm est" in French. */
function isOtherWord(
  { word, start, end, plainStart }: Token,
  { text, plain }: Pick<TokenizedText, 'text' | 'plain'>,
  isWord: (word: string) => boolean,
): boolean {
  const isTypedAsWord = isWord(word) && text.slice(start, end) === word
  return isTypedAsWord && !CLOCK_AT_END.test(plain.slice(Math.max(0, plainStart - CLOCK_LENGTH), plainStart))
}

function endsRange(text: string): boolean {
  const [, start, end] = END_OF_RANGE.exec(text) ?? []
  return Number(start) >= FIRST_DAYTIME_HOUR && Number(start) < Number(end)
}

function zoneOfOffset([, sign, hours, minutes = '0']: RegExpExecArray): NamedZone {
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return { words: offsetLabel(offset), matches: zonesWithOffset(offset) }
}
