import { isForeignWord } from './other-languages.ts'
import { MONTHS, WEEKDAYS } from './pattern-parts.ts'

/**
 * Prepares text for the patterns: removes markup, rewrites synonyms, abbreviations, and misspellings as the one word
 * that the patterns know ("tmrw" becomes "tomorrow"), and separates days from digits ("2pmtmrw" becomes "2pm tomorrow").
 */
export const normalizeText = (text: string) => normalizeWords(cleanText(text))

/**
 * Removes Slack markup, emoji, invisible characters and accents, and unifies spaces and quotes. Private-use characters
 * are removed too, because the phrases use them as marks.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text.trim().replace(/ {2,}/g, ' ').toLowerCase()
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/&(gt|lt|amp);/g, (_match, name) => ({ gt: '>', lt: '<', amp: '&' })[name as string] ?? ' ')
    .replace(/\bhttps?:\/\/\S+/gi, ' link ')
    .replace(/[\p{Cc}\p{Z}]/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .replace(/<(?:[@#!][^<>]*)>/g, ' ')
    .replace(/(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])/gi, ' ')
    .replace(/\p{Extended_Pictographic}|\p{RI}/gu, ' ')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/~(?=\s*\d)/g, ' about ')
    .replace(/[*~`"“”„«»>•|·]/g, ' ')
    .replace(/(?<=^|\s)_+|_+(?=\s|$)/g, ' ')
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[()[\]{}]/g, ' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Most text matches this and needs no cleaning. A colon may begin an emoji or end the scheme of a link. */
const PLAIN = /^(?:[a-z\d ,.'!?/-]|:(?=[ \d]|$))*$/i

/** Each canonical word with its synonyms, abbreviations, and common misspellings. */
const SYNONYMS_BY_WORD: Record<string, string> = {
  monday: 'mon mond',
  mondays: 'mons',
  tuesday: 'tue tues tuesd',
  wednesday: 'wed weds wedn wednes wensday wendsday wenesday',
  thursday: 'thu thur thurs thursd thrusday thurday',
  friday: 'fri frid',
  fridays: 'fris',
  saturday: 'sat satur',
  saturdays: 'sats',
  sunday: 'sun sund',
  sundays: 'suns',
  today: 'tdy 2day',
  tomorrow: 'tmrw tmrrw tmr tmw 2morrow 2moro 2mrw tommorw',
  tonight: 'tonite 2nite',
  yesterday: 'yest ytd',
  noon: 'midday mid-day',
  midnight: 'mid-night',
  until: 'till til',
  through: 'thru',
  seconds: 'sec secs',
  min: 'mins',
  minutes: 'minuets',
  h: 'hr hrs',
  week: 'wk',
  weeks: 'wks',
  weekend: 'week-end wkend wknd',
  month: 'mth',
  months: 'mths mos',
  quarter: 'qtr',
  quarters: 'qtrs',
  year: 'yr',
  years: 'yrs',
  every: 'evry evrey everey',
  'every day': 'everyday',
  daily: 'dialy',
  eod: 'cob',
  christmas: 'xmas',
  approximately: 'approx',
  please: 'pls plz',
  thanks: 'thx thnx cheers ta',
  next: 'nxt',
}

const CANONICAL_WORDS = new Map(
  Object.entries(SYNONYMS_BY_WORD).flatMap(([word, synonyms]) =>
    synonyms.split(' ').map((synonym) => [synonym, word]),
  ),
)

const SHORT_WEEKDAYS = new Set(WEEKDAYS.map((name) => name.slice(0, 3)))

/** Words that may touch digits: "9tomorrow", "monday9am", "24dec". */
const DAY_WORDS = new Set([
  ...WEEKDAYS,
  ...MONTHS,
  ...MONTHS.map((name) => name.slice(0, 3)),
  ...['febr', 'sept', 'today', 'tomorrow', 'tonight', 'yesterday'],
])

/** Long enough for the longest word in the two patterns below, and the character before it. */
const MAX_CONTEXT_LENGTH = 12

/** The words before "mo" when it means "month" and not "Monday". */
const MONTH_CONTEXT =
  /(?:\d ?|\b(?:next|this|last|past|previous|coming|following|current|a|per|each|every) )$/

/** The words before "eve" when it means the day before a holiday and not "evening". */
const HOLIDAY_CONTEXT = /(?:christmas|xmas|years|year's) $/

// "in 2day" means two days.
const WORD =
  /(?<![\d.:,/+-]|\bin )2(?:morrow|moro|mrw|day|nite)(?![a-z])|(?:mid[ -](?:day|night)|week-end)(?![a-z])|[a-z]+/g

/** Normalizes the words of lowercase text. */
export function normalizeWords(lowercase: string) {
  let hasShortWeekday = false
  const text = lowercase.replace(WORD, (word, index: number) => {
    const before = lowercase.slice(Math.max(0, index - MAX_CONTEXT_LENGTH), index)
    const after = lowercase[index + word.length]
    const isAfterDigit = isDigit(before.at(-1))
    const isBeforeDigit = isDigit(after)
    if (isAfterDigit && /^[ap]m.../.test(word)) {
      const day = canonicalWord(word.slice(2))
      if (DAY_WORDS.has(day)) return `${word.slice(0, 2)} ${day}${isBeforeDigit ? ' ' : ''}`
    }
    if (word === 'mo') return MONTH_CONTEXT.test(before) ? 'month' : word
    if (word === 'eve') return HOLIDAY_CONTEXT.test(before) ? word : 'evening'
    if (SHORT_WEEKDAYS.has(word)) {
      if (after === "'") return word
      hasShortWeekday = true
    }
    const canonical = canonicalWord(word)
    const isAfterWord = isAfterDigit || (isDigit(word[0]) && /[a-z]$/.test(before))
    if (!(isAfterWord || isBeforeDigit) || !DAY_WORDS.has(canonical)) return canonical
    return `${isAfterWord ? ' ' : ''}${canonical}${isBeforeDigit ? ' ' : ''}`
  })
  return { text, hasShortWeekday }
}

const isDigit = (character = ''): boolean => character >= '0' && character <= '9'

function canonicalWord(word: string): string {
  const canonical = CANONICAL_WORDS.get(word.replace(' ', '-'))
  if (canonical) return canonical
  if (word.length < 5 || word.length > 11) return word
  const singular = word.endsWith('days') && correctSpelling(word.slice(0, -1))
  if (singular && WEEKDAYS.includes(singular)) return `${singular}s`
  return /^tom+or+ow$/.test(word) ? 'tomorrow' : correctSpelling(word)
}

/** Only long words are corrected, because few other words resemble them. */
const LONG_WORDS = [
  ...[...WEEKDAYS, ...MONTHS.filter((name) => name.length > 5), 'tomorrow', 'tonight'],
  ...['minute', 'minutes', 'hours', 'weeks', 'month', 'months', 'morning', 'afternoon', 'evening'],
]

/** Words that only look like misspellings. */
const OTHER_WORDS = new Set(
  'sundae sundry mouth mouths moth moths monty mourning moaning weeds weeps'.split(' '),
)

/** Corrects a word that differs from a known word in one letter, but not in the first letter or a plural ending. */
const correctSpelling = (word: string): string =>
  LONG_WORDS.includes(word) || OTHER_WORDS.has(word) || isForeignWord(word)
    ? word
    : (LONG_WORDS.find((known) => differsInOneLetter(word, known) && word !== `${known}s`) ?? word)

/** Whether one letter after the first was added, left out, replaced, or swapped with the next one. */
function differsInOneLetter(a: string, b: string): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  let start = 1
  while (a[start] === b[start]) start++
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)]
  const [first = '', second = ''] = restOfA
  return (
    restOfA.slice(1) === restOfB ||
    restOfA === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB.slice(1) ||
    second + first + restOfA.slice(2) === restOfB
  )
}
