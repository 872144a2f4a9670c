import { offsetLabel } from './describe.ts'
import { normalizeText } from './normalize.ts'
import { WEEKDAY_NAME } from './pattern-parts.ts'
import { isTooLong } from './refusals.ts'
import { findZoneName, ZONE_ABBREVIATIONS, zonesOfAbbreviation, zonesOfPlace } from './zone-names.ts'

/** A zone that the words may mean. */
export type ZoneOption = {
  zone: string
  /** The offset in minutes that the words demand. */
  offset?: number | undefined
}

export type NamedZone = {
  /** The words that name the zone. */
  words: string
  /** Empty if no zone matches the words. */
  options: ZoneOption[]
}

export type ExtractedZone = {
  namedZone: NamedZone | undefined
  /** The text without the zone. */
  text: string
}

/** Finds the zones that the text names. Returns none if the text contains anything else. */
export function readZones(text: string): string[] {
  if (isTooLong(text)) return []
  const extracted = extractZone(normalizeText(`12:00 ${text}`).text)
  if (extracted.text !== '12:00') return []
  return [...new Set(extracted.namedZone?.options.map(({ zone }) => zone))]
}

/** Finds zones as the user types: first the zones that the text names, then every IANA name that contains the text. */
export function searchZones(text: string): string[] {
  const query = text.trim().toLowerCase().replaceAll(' ', '_')
  const named = query ? readZones(text) : []
  const matching = Intl.supportedValuesOf('timeZone').filter((zone) => zone.toLowerCase().includes(query))
  return [...new Set([...named, ...matching])]
}

/** Separates the zone from the rest of normalized text. */
export function extractZone(text: string): ExtractedZone {
  const extracted =
    extractIanaName(text) ?? extractOffset(text) ?? extractAbbreviation(text) ?? extractPlace(text)
  return extracted
    ? { ...extracted, text: extracted.text.replace(/\s+/g, ' ').trim() }
    : { namedZone: undefined, text }
}

const TIME = "(?:\\d{1,2}(?:[:.h]\\d{2}(?::\\d{2})?)?(?: ?[ap]\\.?m?\\.?)?|noon|midnight|o'?clock|eod)"

const TIME_IN_ZONE = String.raw`(?<![\d.:/-])(\d{1,2}(?:[:.]\d{2})?(?: ?[ap]\.?m\.?)?|noon|midnight) ?([a-z]{2,}(?: [a-z]{3,}){0,2}?)(?: time)?`
const TIMES_IN_ZONES = new RegExp(TIME_IN_ZONE, 'g')
const ZONE_PAIR = new RegExp(
  String.raw`(?=\d|noon|midnight)${TIME_IN_ZONE}(?: ?[/=,;-]| (?:and|or)|,? i\.?e\.?,?)? ?(?:at )?${TIME_IN_ZONE}(?= (?:on|tomorrow|today|next|this|${WEEKDAY_NAME})|,|$)`,
)

/** Splits text such as "friday 9am PT / 12pm ET", which names one time in two zones, into two strings with one zone each. */
export function splitZonePair(text: string): [string, string] | undefined {
  const match = ZONE_PAIR.exec(text)
  // Each of the two strings is read like any other text, so neither may contain another pair.
  if (!match || [...text.matchAll(TIMES_IN_ZONES)].length > 2) return undefined
  const [words, time, zone = '', otherTime, otherZone = ''] = match
  if (!readZones(zone).length || !readZones(otherZone).length) return undefined
  const withWords = (replacement: string) => text.replace(words, () => replacement)
  return [withWords(`${time} ${zone} time`), withWords(`${otherTime} ${otherZone} time`)]
}

/** Removes exactly this match, because the same letters may also occur in other words. */
const extractMatch = (match: RegExpExecArray, namedZone: NamedZone | undefined): ExtractedZone => ({
  namedZone,
  text: `${match.input.slice(0, match.index)} ${match.input.slice(match.index + match[0].length)}`,
})

/** "Europe/Berlin", "America/Argentina/Ushuaia" */
function extractIanaName(text: string): ExtractedZone | undefined {
  if (!text.includes('/')) return undefined
  for (const match of text.matchAll(IANA_NAME)) {
    const zone = findZoneName(match[1] ?? '')
    if (zone) return extractMatch(match, { words: zone, options: [{ zone }] })
  }
  return undefined
}

const IANA_NAME = /(?:\bin )?(?<![\w/])([a-z_]{2,20}(?:\/[a-z_+-]{2,20}\d{0,2}){1,2})(?: time)?(?![\w/])/g

/** A hyphen after a time may make a range, so it is a sign only after a date. The lookaheads avoid slow lookbehinds. */
const OFFSETS = [
  /\b(?:utc|gmt) ?([+-]) ?(\d{1,2})(?::?(\d{2}))?(?!\d)(?: time)?/,
  /(?=\+)(?<=\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)? ?|\d ?[ap]m )(\+)(\d{2}):?(\d{2})(?!\d)/,
  /(?=-)(?<=\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(-)(\d{2}):?(\d{2})(?!\d)/,
  /(?=z)(?<=\d{2}:?\d{2}(?::\d{2}(?:[.,]\d+)?)?)z\b/,
]

/** "UTC+2", "GMT-05:30", "14:00+02:00", "14:00Z" */
function extractOffset(text: string): ExtractedZone | undefined {
  for (const pattern of OFFSETS) {
    const match = pattern.exec(text)
    if (!match) continue
    const [, sign, hours = 0, minutes = 0] = match
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
    return extractMatch(match, { words: offsetLabel(offset), options: zonesWithOffset(offset) })
  }
  return undefined
}

const ABBREVIATION = ZONE_ABBREVIATIONS.join('|')
/** Abbreviations that count anywhere in a text. The others may be words, so they need a time or "time" next to them. */
const STANDALONE_ABBREVIATION = ZONE_ABBREVIATIONS.filter(
  (abbreviation) =>
    !/^(art|west|et|pt|ct|mt|wet|ist|ast|mst|hst|cat|eat|wit|pet|cot|wat)$/.test(abbreviation),
).join('|')
// The lookahead comes first, because few words are abbreviations and the lookbehind is slow.
const ABBREVIATION_AFTER_TIME = new RegExp(
  `(?=\\(?(?:${ABBREVIATION})\\b)(?<=${TIME},? ?)\\(?(?:\\b|(?<=\\d(?: ?[ap]m)?))(${ABBREVIATION})\\b\\)?(?: time)?|^(${ABBREVIATION}) (?=\\d)`,
)
const ABBREVIATION_ANYWHERE = new RegExp(
  `\\b(${STANDALONE_ABBREVIATION})\\b(?: time)?|\\b(${ABBREVIATION}) time\\b|\\b(et|pt|ct|mt|ist|mst|ast|hst|wet|west)$`,
)

function extractAbbreviation(text: string): ExtractedZone | undefined {
  const match = ABBREVIATION_AFTER_TIME.exec(text) ?? ABBREVIATION_ANYWHERE.exec(text)
  const abbreviation = match && (match[1] ?? match[2] ?? match[3])
  if (!abbreviation) return undefined
  const words = abbreviation.toUpperCase()
  return extractMatch(match, { words, options: zonesOfAbbreviation(abbreviation) })
}

/** "Berlin time", "eastern", "in Tokyo", "9am Sydney". "My time" is the user's own zone. */
function extractPlace(text: string): ExtractedZone | undefined {
  const ownTime = /\b(?:my|local|our)(?: local)? time\b/.exec(text)
  if (ownTime) return extractMatch(ownTime, undefined)
  for (const pattern of PLACES) {
    const match = pattern.exec(text)
    const found = match && extractPlaceName(match)
    if (found) return found
  }
  return undefined
}

/** The name of the place may begin after other words: "post it sydney time". */
function extractPlaceName(match: RegExpExecArray): ExtractedZone | undefined {
  const words = (match[1] ?? '')
    .replace(/ (?:standard|daylight|summer)$/, '')
    .trim()
    .split(' ')
  for (let first = 0; first < words.length; first++) {
    const placeName = words.slice(first).join(' ')
    const zones = zonesOfPlace(placeName)
    if (!zones?.length) continue
    const start = match.index + match[0].indexOf(placeName)
    const before = match.input.slice(0, start).replace(/\b(?:in|at) $/, '')
    return {
      namedZone: { words: placeName, options: zones.map((zone) => ({ zone })) },
      text: `${before} ${match.input.slice(match.index + match[0].length)}`,
    }
  }
  return undefined
}

const PLACES = [
  // The lookbehind admits only the first letter of a word. Otherwise, the words would be read again for each letter.
  /(?=[a-z])(?<![a-z][.'-]*)(?:\b(?:in|at) )?((?:[a-z][a-z.'-]+ ){0,3}[a-z][a-z.'-]+?)(?: (?:standard|daylight|summer))? time\b/,
  new RegExp(
    `(?<=${TIME},? )(?:in |at )?([a-z][a-z.'-]+(?: [a-z][a-z.'-]+){0,2}?)(?= (?:on|tomorrow|today|next|this|mon|tue|wed|thu|fri|sat|sun)|,|$)`,
  ),
  /\bin ([a-z][a-z.'-]+(?: [a-z][a-z.'-]+){0,2})$/,
  /^([a-z][a-z.'-]+(?: [a-z][a-z.'-]+)?),? (?=\d{1,2}(?:[:.]\d{2})? ?(?:[ap]m)?\b)/,
  /\b(eastern|pacific)$/,
]

/** IANA has names for whole hours only, and their signs are inverted: UTC+2 is "Etc/GMT-2". */
export function zoneFromOffset(minutes: number): string | undefined {
  const hours = minutes / 60
  if (hours === 0) return 'UTC'
  if (!Number.isInteger(hours) || hours < -12 || hours > 14) return undefined
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

function zonesWithOffset(minutes: number): ZoneOption[] {
  const zone = zoneFromOffset(minutes)
  if (zone) return [{ zone }]
  return (PLACES_BY_OFFSET[minutes] ?? []).map((zone) => ({ zone, offset: minutes }))
}

/** Places whose clocks show an offset that has no IANA name, at least for a part of the year. */
const PLACES_BY_OFFSET: Record<number, string[]> = {
  '-570': ['Pacific/Marquesas'],
  '-210': ['America/St_Johns'],
  '-150': ['America/St_Johns'],
  210: ['Asia/Tehran'],
  270: ['Asia/Kabul'],
  330: ['Asia/Kolkata', 'Asia/Colombo'],
  345: ['Asia/Kathmandu'],
  390: ['Asia/Yangon', 'Indian/Cocos'],
  525: ['Australia/Eucla'],
  570: ['Australia/Darwin', 'Australia/Adelaide'],
  630: ['Australia/Lord_Howe', 'Australia/Adelaide'],
  765: ['Pacific/Chatham'],
  825: ['Pacific/Chatham'],
}
