import { DateTime } from 'luxon'
import {
  addMonths,
  type Day,
  dateFromDay,
  dayInMonth,
  dayOfMoment,
  firstOfMonth,
  formatIsoDate,
  lastOfMonth,
  mondayOfWeek,
  previousOrSameWeekday,
  requireDay,
} from './calendar.ts'
import { formatDays } from './describe.ts'
import { MONTH, monthNumber, pattern, WEEKDAY, weekdayNumber } from './pattern-parts.ts'
import { applyPhrases, type Repetition } from './phrase.ts'
import { wordFormPhrases } from './phrases/word-forms.ts'
import { readDay, startReading } from './read-when.ts'
import { createRefusal, type ReadingContext, type Refusal } from './reading.ts'
import { refuseLongText } from './refusals.ts'

/** Whole days, or hours of one day, in a time zone. An end that the user left open is undefined. */
export type DateRange = { kind: 'range'; from: DateTime | undefined; to: DateTime | undefined; zone: string }

/** Whether "friday" and "march" mean the next ones, as for scheduled posts, or the last, as for published ones. */
export type Direction = 'future' | 'past'

const UNKNOWN_DATES = 'Try dates such as "last week", "march" or "from monday to friday".'
const REVERSED = 'The range ends before it starts. Enter the earlier day first.'

/** Reads the dates of a filter: "from monday to friday", "last week", "nov 20-25", "since yesterday", "tomorrow morning". */
export function readDateRange(
  text: string,
  context: ReadingContext,
  direction: Direction,
): DateRange | Refusal {
  const tooLong = refuseLongText(text, 'dates')
  if (tooLong) return tooLong
  const state = startReading(text, context)
  const refusal = applyPhrases(wordFormPhrases, state)
  if (refusal || state.namedZone) return createRefusal('nonsense', UNKNOWN_DATES)
  const { zone, now } = context
  const today = dayOfMoment(DateTime.fromJSDate(now, { zone }))
  const days = findDays(state.text.replace(/\bnoon\b/, '12pm').trim(), { context, today, direction })
  if (!days) return createRefusal('nonsense', UNKNOWN_DATES)
  if ('kind' in days) return days
  const { first, last, hours } = days
  if (first !== undefined && last !== undefined && first > last) return createRefusal('invalid', REVERSED)
  const startOf = (day: Day | undefined) =>
    day === undefined ? undefined : DateTime.fromISO(formatIsoDate(day), { zone })
  const start = startOf(first)
  const end = startOf(last)
  return {
    kind: 'range',
    from: hours ? start?.set(hours.from) : start,
    to: hours && hours.to.hour < 24 ? end?.set(hours.to) : end?.endOf('day'),
    zone,
  }
}

/** "on Sat 21 Nov", "from Mon 16 to Fri 20 Nov", "from Mon 16 Nov on", "until Fri 20 Nov" */
export function describeDateRange({ from, to }: DateRange, now: Date): string {
  if (from && to) return formatDays(from, to, now)
  if (from) return `from ${formatDays(from, from, now).replace(/^on /, '')} on`
  return to ? `until ${formatDays(to, to, now).replace(/^on /, '')}` : ''
}

/** Consecutive days. Open ends are undefined. */
type DayRange = { first: Day | undefined; last: Day | undefined; hours?: Hours }

type Hour = { hour: number; minute: number }
type Hours = { from: Hour; to: Hour }

/** Days that the words name, and how often such days recur: there is a "monday" each week and a "march" each year. */
type Period = { first: Day; last: Day; repeats?: Repetition | undefined }

type RangeContext = { context: ReadingContext; today: Day; direction: Direction }

type Rule<Result> = [
  pattern: RegExp,
  read: (match: RegExpExecArray, range: RangeContext) => Result | undefined,
]

function findDays(text: string, range: RangeContext): DayRange | Refusal | undefined {
  const words = withoutPreposition(text)
  for (const [pattern, read] of RANGE_RULES) {
    const match = pattern.exec(words)
    const days = match && read(match, range)
    if (days) return days
  }
  return findSpan(words, range) ?? findOneOccurrence(words, range)
}

const withoutPreposition = (text: string): string =>
  text.replace(/^(?:in|on|during|for|of|the) (?=.)/, '').replace(/^the /, '')

function findOneOccurrence(words: string, range: RangeContext): DayRange | undefined {
  const period = findPeriod(words, range)
  return period && occurrenceOf(period, range.direction, range.today)
}

const hourPattern = (name: string): string =>
  String.raw`(?<${name}Hour>\d{1,2})(?:[:.](?<${name}Minute>\d{2}))? ?(?<${name}Meridiem>[ap]m)?`

function findOneDay(words: string, range: RangeContext): DayRange | undefined {
  const days = findOneOccurrence(words, range)
  return days?.first === days?.last ? days : undefined
}

/** "since", "until" and the like, and the hours of a day */
const RANGE_RULES: Rule<DayRange | Refusal>[] = [
  [
    /^since (.+?) (?:to|until|through) (.+)$/,
    ([, start = '', end = ''], range) => {
      const [startPeriod, endPeriod] = [findPeriod(start, range), findPeriod(end, range)]
      if (!startPeriod || !endPeriod) return undefined
      const { first } = occurrenceOf(startPeriod, 'past', range.today)
      return { first, last: occurrenceOf(endPeriod, 'future', first).last }
    },
  ],
  [
    /^(since|after|from|starting|before|until|up to|by) (.+?)(?: (?:onwards?|on))?$|^(.+) onwards?$/,
    ([, preposition = 'from', wordsAfter, wordsBefore], range) => {
      const words = wordsAfter ?? wordsBefore ?? ''
      const period = findPeriod(words, range)
      if (!period) return undefined
      const { first, last } = occurrenceOf(
        period,
        preposition === 'since' ? 'past' : range.direction,
        range.today,
      )
      if (preposition === 'after') return { first: last + 1, last: undefined }
      if (preposition === 'before') return { first: undefined, last: first - 1 }
      return /^(?:since|from|starting)$/.test(preposition)
        ? { first, last: undefined }
        : { first: undefined, last }
    },
  ],
  [
    /^(?:rest|remainder|remaining) (?:of )?(?:the |this )?(week|month|year)$/,
    ([, period = ''], { today }) => ({ first: today, last: wholePeriod(period, 0, today).last }),
  ],
  [
    /^(?:this )?(week|month|year) (?:so far|to date)$|^so far this (week|month|year)$/,
    ([, before, after], { today }) => ({
      first: wholePeriod(before ?? after ?? '', 0, today).first,
      last: today,
    }),
  ],
  [
    /^(?:(.+?),? )?(?:(?:in |during )?(?:the )?(morning|afternoon|evening|night)|(tonight))$/,
    ([, day, part, tonight], range) => {
      const hours = HOURS[tonight ? 'night' : (part ?? '')]
      const days = findOneDay(day === undefined || day === 'this' ? 'today' : day, range)
      return days && hours && { ...days, hours }
    },
  ],
  [
    pattern`^(?:(?<before>.+?),? )?(?:from |between )?${hourPattern('start')} ?(?:-|to|until|and) ?${hourPattern('end')}(?:,? (?<after>.+))?$`,
    ({ groups = {} }, range) => {
      const { before, after } = groups
      const hours = before && after ? undefined : readHours(groups)
      const days = hours && findOneDay((before ?? after ?? 'today').replace(/^on /, ''), range)
      return days && { ...days, hours }
    },
  ],
]

/** Next to one of these words, "9 to 11" are hours. Next to a month, they are days. */
const DAY_WORD = pattern`^(?:on )?(?:today|tomorrow|yesterday|${WEEKDAY})$`

const HOURS: Record<string, Hours> = {
  morning: { from: { hour: 6, minute: 0 }, to: { hour: 12, minute: 0 } },
  afternoon: { from: { hour: 12, minute: 0 }, to: { hour: 18, minute: 0 } },
  evening: { from: { hour: 18, minute: 0 }, to: { hour: 24, minute: 0 } },
  night: { from: { hour: 18, minute: 0 }, to: { hour: 24, minute: 0 } },
}

/** "9-11am", "14:00-16:00". Without am or pm and without minutes, the numbers may be days. */
function readHours(groups: Record<string, string | undefined>): Hours | undefined {
  const { startHour, startMinute = 0, startMeridiem, endHour, endMinute = 0, endMeridiem } = groups
  const isMorning = DAY_WORD.test(groups.before ?? '') && Number(startHour) >= 7 && Number(endHour) <= 12
  if (!endMeridiem && !(groups.startMinute && groups.endMinute) && !isMorning) return undefined
  if ((endMeridiem && Number(endHour) > 12) || (startMeridiem && Number(startHour) > 12)) return undefined
  const toHour = (hour: number, meridiem: string | undefined) =>
    meridiem ? (hour % 12) + (meridiem === 'pm' ? 12 : 0) : hour
  const to = { hour: toHour(Number(endHour), endMeridiem), minute: Number(endMinute) }
  const sameHalf = {
    hour: toHour(Number(startHour), startMeridiem ?? endMeridiem),
    minute: Number(startMinute),
  }
  // "11-1pm" begins in the morning.
  const isLater = sameHalf.hour > to.hour && !startMeridiem && sameHalf.hour >= 12
  const from = isLater ? { ...sameHalf, hour: sameHalf.hour - 12 } : sameHalf
  const isValid = from.hour * 60 + from.minute < to.hour * 60 + to.minute && to.hour < 24
  return isValid && from.minute < 60 && to.minute < 60 ? { from, to } : undefined
}

/** Each part of the text is read, so the number of parts is limited. */
const MAX_SEPARATORS = 4
const SEPARATOR = / (?:to|until|through|and|or|&|\+) | ?- ?| ?\/ ?|, ?/g

/** "monday to friday", "between nov 20 and nov 25", "nov 20-25", "jan to mar", "monday and tuesday" */
function findSpan(words: string, range: RangeContext): DayRange | Refusal | undefined {
  const text = words.replace(/^(?:from|between) /, '')
  for (const { index, 0: separator } of [...text.matchAll(SEPARATOR)].slice(0, MAX_SEPARATORS)) {
    const start = text.slice(0, index).trim()
    const end = text.slice(index + separator.length).trim()
    const startPeriod = findPeriod(completeDay(start, end), range)
    const endPeriod = startPeriod && findPeriod(completeDay(end, start), range)
    if (!endPeriod) continue
    const isList = /and|or|&|\+|,|\//.test(separator) && !words.startsWith('between ')
    const span = joinPeriods(startPeriod, endPeriod, range)
    if ('kind' in span) return span
    const isGap =
      isList &&
      span.last - span.first !== endPeriod.last - endPeriod.first + startPeriod.last - startPeriod.first + 1
    return isGap ? createRefusal('several', NOT_CONSECUTIVE) : span
  }
  return undefined
}

const NOT_CONSECUTIVE =
  'Those days don\'t follow each other. Enter one of them, or a range such as "monday to friday".'

/** In "nov 20-25" and "3rd to 7th december", one of the days takes the rest of its words from the other. */
function completeDay(words: string, other: string): string {
  const [dayOnly, day = '', year = ''] = /^(\d{1,2}(?:st|nd|rd|th)?)(,? \d{4})?$/.exec(words) ?? []
  return dayOnly && /[a-z]{3}/.test(other) ? other.replace(/\b\d{1,2}(?:st|nd|rd|th)?\b/, day) + year : words
}

/** A span in the future begins with the next start. A span in the past ends with the latest occurrence of its end. */
function joinPeriods(start: Period, end: Period, { today, direction }: RangeContext): Period | Refusal {
  const isDate = ({ repeats, first, last }: Period) => repeats === 'year' && first === last
  if (isDate(start) && isDate(end)) {
    // "nov 18 to nov 25" on 20 November
    const { last } = occurrenceOf(end, 'future', today)
    const { first } = occurrenceOf(start, 'past', last)
    if (first <= today && last - first <= MAX_DAYS_BETWEEN_DATES) return { first, last }
  }
  if (direction === 'future' && (end.repeats || start.repeats !== 'year')) {
    const { first } = occurrenceOf(start, 'future', today)
    const { last } = occurrenceOf(end, 'future', first)
    return isDate(end) && isDate(start) && last - first > MAX_DAYS_BETWEEN_DATES
      ? createRefusal('invalid', REVERSED)
      : { first, last }
  }
  const { last } = occurrenceOf(end, 'past', today)
  return { first: occurrenceOf(start, 'past', last).first, last }
}

/** If two dates without a year are further apart than this, they are in the wrong order: "5 dec to 1 dec". */
const MAX_DAYS_BETWEEN_DATES = 360

/**
 * Returns the first occurrence that isn't over before `day` if the direction is the future, and the last occurrence that has
 * begun by `day` if it is the past.
 */
function occurrenceOf(period: Period, direction: Direction, day: Day): { first: Day; last: Day } {
  const isMeant = ({ first, last }: Period) => (direction === 'future' ? last >= day : first <= day)
  const step = direction === 'future' ? 1 : -1
  if (!period.repeats) return period
  // The words were read as the next occurrence after today, but `day` may be another day.
  const start = direction === 'future' ? -1 : 1
  for (let count = start; Math.abs(count) < MAX_OCCURRENCES; count += step) {
    const occurrence = shiftPeriod(period, count)
    if (occurrence && isMeant(occurrence)) return occurrence
  }
  return period
}

const MAX_OCCURRENCES = 100

/** Returns undefined if there is no such day, such as 29 February. */
function shiftPeriod({ first, last, repeats }: Period, count: number): Period | undefined {
  if (repeats === 'week') return { first: first + 7 * count, last: last + 7 * count }
  const months = repeats === 'year' ? 12 * count : count
  if (first !== last)
    return { first: addMonths(first, months), last: lastOfMonth(addMonths(firstOfMonth(last), months)) }
  const day = dayInMonth(first, months, dateFromDay(first).day)
  return day === undefined ? undefined : { first: day, last: day }
}

function findPeriod(text: string, range: RangeContext): Period | undefined {
  const words = withoutPreposition(text)
  for (const [pattern, read] of PERIOD_RULES) {
    const match = pattern.exec(words)
    const period = match && read(match, range)
    if (period) return period
  }
  return undefined
}

const oneDay = (day: Day): Period => ({ first: day, last: day })

const wholeMonths = (day: Day, count = 1): Period => ({
  first: firstOfMonth(day),
  last: lastOfMonth(addMonths(firstOfMonth(day), count - 1)),
})

const wholeYear = (year: number): Period => wholeMonths(requireDay({ year, month: 1, day: 1 }), 12)

const firstOfQuarter = (day: Day): Day => firstOfMonth(day, -((dateFromDay(day).month - 1) % 3))

function wholePeriod(period: string, distance: number, today: Day): Period {
  if (period === 'year') return wholeYear(dateFromDay(today).year + distance)
  if (period === 'quarter') return wholeMonths(firstOfMonth(firstOfQuarter(today), 3 * distance), 3)
  if (period === 'month') return wholeMonths(firstOfMonth(today, distance))
  const first = mondayOfWeek(today) + 7 * distance
  return { first: period === 'weekend' ? first + 5 : first, last: first + 6 }
}

/** "last week" is -1 weeks from now, "this week" 0, "next week" 1. */
function distanceFromNow(word: string): number {
  if (/^(?:last|past|previous)$/.test(word)) return -1
  return /^(?:this|current)$/.test(word) ? 0 : 1
}

/** A named month or quarter. Without a year it recurs, because each year has a March and a first quarter. */
function namedPeriod(
  month: number,
  months: number,
  { today }: RangeContext,
  year?: string,
  which?: string,
): Period {
  const thisYear = dateFromDay(today).year
  const fullYear = year ? Number(year) : thisYear + (which ? distanceFromNow(which) : 0)
  const period = wholeMonths(requireDay({ year: fullYear, month, day: 1 }), months)
  return year || which ? period : { ...period, repeats: 'year' }
}

const WITH_YEAR = '(?:,? (?:of )?(?:(\\d{4})|(last|this|next) year))?'

const PERIOD_RULES: Rule<Period>[] = [
  [/^yesterday$/, (_match, { today }) => oneDay(today - 1)],
  [
    /^(last|past|previous|this|current|next|coming|following) (week|weekend|month|quarter|year)$/,
    ([, which = '', period = ''], { today }) => wholePeriod(period, distanceFromNow(which), today),
  ],
  [/^weekend$/, (_match, { today }) => ({ ...wholePeriod('weekend', 0, today), repeats: 'week' })],
  [
    /^(?:(last|past|previous|next|coming) )?(\d{1,3}) ?(d|days?|w|weeks?|months?)$/,
    ([, which, count, unit = ''], { today, direction }) => {
      const isFuture = which ? distanceFromNow(which) > 0 : direction === 'future'
      const amount = isFuture ? Number(count) : -Number(count)
      if (amount === 0) return undefined
      const days = unit.startsWith('w') ? amount * 7 : amount
      // "Next 2 months" end the day before the same day of the month.
      const otherEnd = unit.startsWith('m')
        ? addMonths(today, amount) - (isFuture ? 1 : -1)
        : today + days - Math.sign(days)
      return { first: Math.min(today, otherEnd), last: Math.max(today, otherEnd) }
    },
  ],
  [
    pattern`^(${MONTH})${WITH_YEAR}$`,
    ([, name = '', year, which], range) => namedPeriod(monthNumber(name), 1, range, year, which),
  ],
  [
    pattern`^q([1-4])${WITH_YEAR}$`,
    ([, quarter, year, which], range) => namedPeriod(3 * Number(quarter) - 2, 3, range, year, which),
  ],
  [/^(\d{4})$/, ([, year]) => wholeYear(Number(year))],
  [
    pattern`^(?:last|past|previous) (${WEEKDAY})$`,
    ([, name = ''], { today }) => oneDay(previousOrSameWeekday(today - 1, weekdayNumber(name))),
  ],
  [
    /^(.+)$/,
    ([, words = ''], { context, today, direction }) => {
      const next = readDay(words, context)
      const isOver = direction === 'past' && next?.isNamedDay && next.day > today
      // The words are read again as if it were last year, because the date of a day like Thanksgiving changes each year.
      const lastYear = DateTime.fromJSDate(context.now).minus({ years: 1 }).toJSDate()
      const result = isOver ? readDay(words, { ...context, now: lastYear }) : next
      return result && { first: result.day, last: result.day, repeats: result.repeats }
    },
  ],
]
