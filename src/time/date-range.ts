import { DateTime } from 'luxon'
import {
  addMonths,
  type Day,
  dateFromDay,
  dayOfMoment,
  firstOfMonth,
  formatIsoDate,
  lastOfMonth,
  mondayOfWeek,
  previousOrSameWeekday,
  requireDay,
} from './calendar.ts'
import { normalizeText } from './normalize.ts'
import { MONTH, monthNumber, pattern, WEEKDAY, weekdayNumber } from './pattern-parts.ts'
import { readDay } from './read-when.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { refuseLongText } from './refusals.ts'

/** Whole days in a zone, including both ends. An end that the user left open is undefined. */
export type DateRange = { kind: 'range'; from: DateTime | undefined; to: DateTime | undefined; zone: string }

const UNKNOWN_DATES = 'Try dates such as "last week", "march" or "from monday to friday".'

/** Reads the dates of a filter: "from monday to friday", "last week", "march", "since yesterday". */
export function readDateRange(text: string, context: ReadingContext): DateRange | Refusal {
  const tooLong = refuseLongText(text, 'dates')
  if (tooLong) return tooLong
  const { zone, now } = context
  const today = dayOfMoment(DateTime.fromJSDate(now, { zone }))
  const days = findDays(normalizeText(text).text, { context, today })
  if (!days) return createRefusal('nonsense', UNKNOWN_DATES)
  const { first, last } = days
  if (first !== undefined && last !== undefined && first > last)
    return createRefusal('invalid', 'The range ends before it starts. Enter the earlier day first.')
  const inZone = (day: Day | undefined) =>
    day === undefined ? undefined : DateTime.fromISO(formatIsoDate(day), { zone })
  return { kind: 'range', from: inZone(first)?.startOf('day'), to: inZone(last)?.endOf('day'), zone }
}

type DayRange = { first: Day | undefined; last: Day | undefined }

type RangeContext = {
  context: ReadingContext
  today: Day
  /** Whether "march" means the previous or the next March. By default it is the one in this year. */
  direction?: 'past' | 'future'
}

type Rule = [pattern: RegExp, read: (match: RegExpExecArray, range: RangeContext) => DayRange | undefined]

/** The words name both ends of a range, one end or a single period. No end is a range between two ends itself. */
const findDays = (words: string, range: RangeContext): DayRange | undefined =>
  applyRules([...PERIOD_RULES, ...BETWEEN_RULES, OPEN_RULE, ...DAY_RULES], words, range)

/** "Since monday until friday" has an end that is an open range. */
const findEnd = (words: string, range: RangeContext): DayRange | undefined =>
  applyRules([...PERIOD_RULES, OPEN_RULE, ...DAY_RULES], words, range)

const findPeriod = (words: string, range: RangeContext): DayRange | undefined =>
  applyRules([...PERIOD_RULES, ...DAY_RULES], words, range)

/** The first pattern that matches reads the words. */
function applyRules(rules: Rule[], text: string, range: RangeContext): DayRange | undefined {
  const words = text.replace(/^(?:in|on|during|for|of|the) (?=.)/, '').replace(/^the /, '')
  for (const [pattern, read] of rules) {
    const match = pattern.exec(words)
    if (match) return read(match, range)
  }
  return undefined
}

const oneDay = (day: Day | undefined): DayRange | undefined =>
  day === undefined ? undefined : { first: day, last: day }

const wholeMonth = (day: Day): DayRange => ({ first: firstOfMonth(day), last: lastOfMonth(day) })

function wholeYear(year: number): DayRange {
  return { first: requireDay({ year, month: 1, day: 1 }), last: requireDay({ year, month: 12, day: 31 }) }
}

function wholePeriod(period: string, distance: number, today: Day): DayRange {
  if (period === 'year') return wholeYear(dateFromDay(today).year + distance)
  if (period === 'month') return wholeMonth(firstOfMonth(today, distance))
  const first = mondayOfWeek(today) + 7 * distance
  return { first: period === 'weekend' ? first + 5 : first, last: first + 6 }
}

/** "last week" is -1 weeks from now, "this week" 0, "next week" 1. */
function distanceFromNow(word: string): number {
  if (/^(?:last|past|previous)$/.test(word)) return -1
  return /^(?:this|current)$/.test(word) ? 0 : 1
}

const PERIOD_RULES: Rule[] = [
  [
    /^(last|past|previous|this|current|next|coming|following) (week|weekend|month|year)$/,
    ([, which = '', period = ''], { today }) => wholePeriod(period, distanceFromNow(which), today),
  ],
  [
    /^(last|past|previous|next|coming) (\d{1,3}) (day|week|month)s?$/,
    ([, which = '', count, unit], { today }) => {
      const amount = distanceFromNow(which) * Number(count)
      if (amount === 0) return undefined
      const days = unit === 'week' ? amount * 7 : amount
      const otherEnd = unit === 'month' ? addMonths(today, amount) : today + days - Math.sign(days)
      return { first: Math.min(today, otherEnd), last: Math.max(today, otherEnd) }
    },
  ],
  [
    pattern`^(${MONTH})(?: (\d{4}))?$`,
    ([, name = '', writtenYear], { today, direction }) => {
      const month = monthNumber(name)
      const thisMonth = dateFromDay(today)
      let year = Number(writtenYear ?? thisMonth.year)
      if (!writtenYear && direction === 'past' && month > thisMonth.month) year--
      if (!writtenYear && direction === 'future' && month < thisMonth.month) year++
      return wholeMonth(requireDay({ year, month, day: 1 }))
    },
  ],
  [/^(\d{4})$/, ([, year]) => wholeYear(Number(year))],
  [
    pattern`^(?:from |between )?(${WEEKDAY}) ?(?:to|until|through|and|-) ?(${WEEKDAY})$`,
    ([, firstName = '', lastName = ''], { today }) => {
      const last = previousOrSameWeekday(today + 6, weekdayNumber(lastName))
      return { first: previousOrSameWeekday(last, weekdayNumber(firstName)), last }
    },
  ],
]

const BETWEEN_RULES: Rule[] = [
  [/^(?:from |between )(.+?) (?:to|until|through|and|-) (.+)$/, findRangeBetween],
  [/^(?!up to )(.+?) (?:to|until|through|-) (.+)$/, findRangeBetween],
]

const OPEN_RULE: Rule = [/^(since|after|from|starting|before|until|up to|by) (.+)$/, findOpenRange]

const DAY_RULES: Rule[] = [
  [/^yesterday$/, (_match, { today }) => oneDay(today - 1)],
  [
    pattern`^last (${WEEKDAY})$`,
    ([, name = ''], { today }) => oneDay(previousOrSameWeekday(today - 1, weekdayNumber(name))),
  ],
  [/^(.+)$/, ([words], range) => oneDay(findDay(words, range))],
]

/** The words may name several days: "since march" starts on 1 March. */
function findOpenRange([, preposition, words = '']: RegExpExecArray, range: RangeContext) {
  const direction = preposition === 'since' || preposition === 'after' ? 'past' : 'future'
  const isStart = preposition === 'from' || preposition === 'starting'
  const days = findPeriod(isStart ? words.replace(/ (?:onwards?|on)$/, '') : words, { ...range, direction })
  if (days?.first === undefined || days.last === undefined) return undefined
  if (preposition === 'after') return { first: days.last + 1, last: undefined }
  if (preposition === 'before') return { first: undefined, last: days.first - 1 }
  if (isStart || preposition === 'since') return { first: days.first, last: undefined }
  return { first: undefined, last: days.last }
}

/** Each end may name several days: "from march to may" ends with the last day of May. */
function findRangeBetween([, start = '', end = '']: RegExpExecArray, range: RangeContext) {
  const endDays = findEnd(end, range)
  // "1 to 15 december" starts on 1 December.
  const isDayNumber = /^\d{1,2}(?:st|nd|rd|th)?$/.test(start)
  const restOfEnd = end.replace(/^\W*\d{1,2}(?:st|nd|rd|th)?\s*/, '')
  const startDays = findEnd(isDayNumber && endDays ? `${start} ${restOfEnd}` : start, range)
  return startDays && endDays ? { first: startDays.first, last: endDays.last } : undefined
}

function findDay(words: string, { context, today, direction }: RangeContext): Day | undefined {
  const result = readDay(words, context)
  if (!result || direction !== 'past' || result.day <= today || result.hasYear) return result?.day
  // The words name the next such day. The previous one is a week, a month or a year earlier.
  if (!/\d/.test(words)) return result.day - 7
  const namesMonth = /[a-z]{3}|\d[./]\d/.test(words.replace(/\d(?:st|nd|rd|th)|the/g, ''))
  const step = namesMonth ? 12 : 1
  const { day } = dateFromDay(result.day)
  for (let months = step; months <= 96; months += step) {
    const earlier = addMonths(result.day, -months)
    if (earlier <= today && dateFromDay(earlier).day === day) return earlier
  }
  return undefined
}
