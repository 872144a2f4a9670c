import { findDay } from './calendar.ts'
import { type Meaning, typeOfValue } from './chart.ts'
import { formatDayAndMonth } from './describe.ts'
import type { NamedDay } from './point.ts'
import type { LocalContext, Refusal } from './reading.ts'
import { refuseDate } from './refusals.ts'
import { type TokenizedText, tokenAfter } from './tokens.ts'

type NumericPattern = [
  type: string,
  pattern: RegExp,
  read: (match: string[], context: LocalContext) => unknown,
  cost?: (match: string[]) => number,
]

/** Dates, times and numbers that begin with digits, such as "24.12.2026" and "19h30". */
const NUMERIC_PATTERNS: NumericPattern[] = [
  // "2026-12-24", "2026/12/24", "20261224". A "t" may join a time to the date.
  [
    'isoDay',
    /(\d{4})(?:([-/.:])(\d{1,2})\2(\d{1,2})(?!\d|\/(?!\d{4}-)|[-.:]\d)|(0[1-9]|1[0-2])([0-3]\d)(?!\d))(?:t(?=\d))?/y,
    ([, year, , month, day, plainMonth, plainDay], context) =>
      year && (month || /^20/.test(year))
        ? readDate({ year, month: month ?? plainMonth, day: day ?? plainDay }, context)
        : undefined,
  ],
  // "2026-12"
  [
    'yearMonth',
    /(20\d{2})-(0[1-9]|1[0-2])(?![\d/.:-])/y,
    ([, year, month]) => ({ year: Number(year), month: Number(month) }),
  ],
  // "24-12-2026", "31/3", "12/24/2026"
  [
    'day',
    /(\d{1,2})(?:-(\d{1,2})-(\d{4}|\d{2})(?![\d/:-])| ?\/ ?(\d{1,2})(?:\/(\d{4}|\d{2}))?(?![\d/:]| ?[ap]m\b))/y,
    ([, first, second, year, secondAfterSlash, yearAfterSlash], context) =>
      readAmbiguousDate(first, second ?? secondAfterSlash, year ?? yearAfterSlash, context),
  ],
  // "24.12.", "24.12.2026", "24.12.26", "24.12". The day comes first in every country, but "16.40" is a time.
  [
    'day',
    /(\d{1,2})\. ?(\d{1,2})(?:\.( ?\d{4}|\d{2})(?![\d.:])|\.(?!\d)|(?![\d.:]| ?[ap]\.?m))/y,
    ([words = '', first, second, year], context) => {
      if (Number(first) > 12 && Number(second) > 12) return undefined
      const [day, month] = Number(second) > 12 ? [second, first] : [first, second]
      const date = readDate({ year: year?.trim(), month, day }, context)
      if (year || words.endsWith('.')) return date
      return words.includes(' ') || 'kind' in date ? undefined : { ...date, mustMatchWeekday: true }
    },
    ([words = '', , second, year]) => {
      if (year || words.endsWith('.')) return 0
      return Number(second) > 12 || Number(second) === 0 ? 0.8 : 0.2
    },
  ],
  [
    'digital',
    /(?<!\dt)(\d{1,2})(?:(:)|(\.))(\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?(?!\d|[:.]\d)/y,
    ([, hour, colon, , minute, second]) => ({ hour, minute, second, style: colon ? 'colon' : 'period' }),
    ([, , colon]) => (colon ? 0 : 0.3),
  ],
  // "19h30", "15h", "10h15m"
  [
    'digital',
    /(\d{1,2})h(?:rs?)?(?:(\d{2})m?)?(?![\w:/-]|\.\d)/y,
    ([, hour, minute = '00']) => ({ hour, minute, style: 'h' }),
    ([words = '']) => (words.endsWith('m') ? 0.2 : 0),
  ],
  // "1430", "0600", "730"
  [
    'digital',
    /(\d{1,2})(\d{2})(?!\d|[:/.]\d)/y,
    ([words, hour, minute]) => ({
      hour,
      minute,
      style: words?.length === 4 ? 'four digits' : 'three digits',
    }),
    ([words = '']) => (/^(?:19|20)\d\d$/.test(words) ? 0.4 : 0),
  ],
  // "14:00", "1400" and "140000" after a date and a "t"
  [
    'digital',
    /(?<=\dt)(\d{1,2}(?=:)|\d{2})(:?)(\d{2})(?:\2(\d{2})(?:[.,]\d+)?)?(?!\d|[:.]\d)/y,
    ([, hour, , minute, second]) => ({ hour, minute, second, style: 'ISO' }),
  ],
  ['decimal', /(\d+)[.,](\d+)(?![\d.,:/])/y, ([words = '']) => Number(words.replace(',', '.'))],
  ['HALF', /1\/2(?!\d)/y, () => null],
  ['QUARTER', /1\/4(?!\d)/y, () => null],
  ['THREE_QUARTERS', /3\/4(?!\d)/y, () => null],
  [
    'year',
    /(\d{4})(?!\d|[:/.h]\d)/y,
    ([, year]) => (Number(year) >= 1900 ? Number(year) : undefined),
    ([, year]) => (Number(year) < 2100 ? 0 : 0.5),
  ],
]

/** Finds the numbers, dates and times that begin at a run of digits. */
export function readDigits(
  { plain, tokens }: TokenizedText,
  start: number,
  context: LocalContext,
): Meaning[] {
  const token = tokens[start]
  const previous = tokens[start - 1]
  if (!token || isInsideNumber(plain, token.plainStart)) return []
  const items: Meaning[] = []
  const add = (type: string, value: unknown, length: number, cost = 0) => {
    const end = tokenAfter(tokens, start, length)
    if (value === undefined || tokens[end - 1]?.plainEnd !== token.plainStart + length) return
    items.push({ type: typeOfValue(type, value), value, start, end, cost })
  }
  const { length } = token.word
  const continuesWithDigits = /[.:/]\d/.test(plain.slice(token.plainEnd, token.plainEnd + 2))
  if (!continuesWithDigits && !(previous?.word === 't' && token.isJoined))
    add('number', { value: Number(token.word), digits: length }, length)
  for (const [type, pattern, read, cost] of NUMERIC_PATTERNS) {
    pattern.lastIndex = token.plainStart
    const match = pattern.exec(plain)
    if (match) add(type, read(match, context), match[0].length, cost?.(match))
  }
  return items
}

/** Whether the digits at `index` continue a number. After a slash, they may begin a date: "2026-12-01/2026-12-05" */
const isInsideNumber = (plain: string, index: number): boolean =>
  /[.:/]/.test(plain[index - 1] ?? '') &&
  /\d/.test(plain[index - 2] ?? '') &&
  !/\d{4}-\d\d?-\d\d?\/\d{4}-\d$/.test(plain.slice(Math.max(0, index - 11), index + 6))

/** The digits of a date. */
type WrittenDate = { year?: string | undefined; month?: string | undefined; day?: string | undefined }

/** A two-digit year means 20xx. */
function resolveDate({ year, month, day }: WrittenDate, { now }: LocalContext) {
  const fullYear = year?.length === 2 ? `20${year}` : year
  return findDay(
    { year: fullYear ? Number(fullYear) : undefined, month: Number(month), day: Number(day) },
    now.day,
  )
}

function readDate(date: WrittenDate, context: LocalContext): NamedDay | Refusal {
  const day = resolveDate(date, context)
  return day === undefined ? refuseDate(context) : { day, lacksYear: date.year ? undefined : 'date' }
}

/** Whether 4/5 is in April or May is decided by the locale, or by a weekday next to the date, or by the user. */
function readAmbiguousDate(
  first: string | undefined,
  second: string | undefined,
  year: string | undefined,
  context: LocalContext,
): NamedDay | Refusal {
  const monthFirst = resolveDate({ year, month: first, day: second }, context)
  const dayFirst = resolveDate({ year, month: second, day: first }, context)
  const day = monthFirst ?? dayFirst
  if (day === undefined) return refuseDate(context)
  const lacksYear = year ? undefined : 'date'
  if (monthFirst === undefined || dayFirst === undefined || monthFirst === dayFirst) return { day, lacksYear }
  const isMonthFirst = isMonthFirstIn(context)
  if (isMonthFirst !== undefined) {
    const day = isMonthFirst ? monthFirst : dayFirst
    return { day, lacksYear, assumptions: [`taking ${first}/${second} as ${formatDayAndMonth(day)}`] }
  }
  const [earlier, later] = [Math.min(monthFirst, dayFirst), Math.max(monthFirst, dayFirst)]
  return { day: earlier, alternatives: [later], lacksYear }
}

/** Returns undefined for "en" and invalid locales: in English, the country decides whether month or day comes first. */
function isMonthFirstIn({ locale, now }: LocalContext): boolean | undefined {
  if (!locale || locale.toLowerCase() === 'en') return undefined
  try {
    const parts = now.at.setLocale(locale).toLocaleParts({ month: 'numeric', day: 'numeric' })
    return parts.find(({ type }) => type === 'month' || type === 'day')?.type === 'month'
  } catch {
    return undefined
  }
}
