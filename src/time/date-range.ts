import { DateTime } from 'luxon'
import {
  addMonths,
  type Day,
  dateFromDay,
  dayInMonth,
  firstOfMonth,
  formatIsoDate,
  lastOfMonth,
} from './calendar.ts'
import { PROBLEM } from './chart.ts'
import { formatDateRange } from './describe.ts'
import type { Direction, Period } from './grammar/filter-periods.ts'
import { rangeGrammar } from './grammar/grammar.ts'
import type { Hours, Span } from './grammar/ranges.ts'
import { parseText } from './read-words.ts'
import { createRefusal, type ReadingContext, type Refusal, toLocalContext } from './reading.ts'
import { firstMomentAt } from './wall-clock.ts'

/** Whole days, hours of one day, or a period counted from now, in a time zone. An end that the user left open is undefined. */
export type DateRange = { kind: 'range'; from: DateTime | undefined; to: DateTime | undefined; zone: string }

const UNKNOWN_DATES = 'Try dates such as "last week", "march" or "from monday to friday".'
const REVERSED = 'The range ends before it starts. Enter the earlier day first.'
const NOT_CONSECUTIVE =
  'Those days don\'t follow each other. Enter one of them, or a range such as "monday to friday".'

export function readDateRange(
  text: string,
  context: ReadingContext,
  direction: Direction,
): DateRange | Refusal {
  const { zone } = context
  const span = readSpan(text, context, direction)
  if ('reason' in span) return span
  const today = toLocalContext(context).now.day
  if (span.kind === 'time')
    return { kind: 'range', from: firstMomentAt(today, span.time, zone), to: undefined, zone }
  if (span.kind === 'now') {
    const at = DateTime.fromJSDate(context.now, { zone })
    return { kind: 'range', from: at.plus({ minutes: span.from }), to: at.plus({ minutes: span.to }), zone }
  }
  const days = resolveSpan(span, direction, today)
  if ('kind' in days) return days
  const { first, last, hours } = days
  if (first !== undefined && last !== undefined && first > last) return createRefusal('invalid', REVERSED)
  return toDateRange({ first, last, hours }, zone)
}

function readSpan(
  text: string,
  context: ReadingContext,
  direction: Direction,
  realToday?: Day,
): Span | Refusal {
  const parsed = parseText(text, context, {
    grammar: rangeGrammar,
    types: ['span', PROBLEM],
    subject: 'dates',
    extra: { direction },
  })
  const unknownDatesRefusal = createRefusal('nonsense', UNKNOWN_DATES)
  // The caller may search posts for words in another language.
  if ('kind' in parsed) return parsed.reason === 'language' ? unknownDatesRefusal : parsed
  const { items, unread } = parsed.cover
  const [item, other] = items
  if (!item || other || unread.length || item.type !== 'span') return unknownDatesRefusal
  const span = item.value as Span
  const today = realToday ?? parsed.local.now.day
  const isPast = direction === 'past' || (span.kind === 'open' && span.bound === 'since')
  // The date of a day like Thanksgiving changes each year, so its words are read again as if today were a year ago.
  if (isPast && 'period' in span && span.period.isNamedDay && span.period.first > today) {
    const lastYear = DateTime.fromJSDate(context.now).minus({ years: 1 }).toJSDate()
    return readSpan(text, { ...context, now: lastYear }, 'future', today)
  }
  return span
}

/** "on Sat 21 Nov", "from Mon 16 to Fri 20 Nov", "from Mon 16 Nov on", "until Fri 20 Nov" */
export function describeDateRange({ from, to }: DateRange, now: Date): string {
  if (from && to) return formatDateRange(from, to, now)
  if (from) return `from ${formatDateRange(from, from, now).replace(/^on /, '')} on`
  return to ? `until ${formatDateRange(to, to, now).replace(/^on /, '')}` : ''
}

type Days = {
  first: Day | undefined
  last: Day | undefined
  hours?: Hours | undefined
}

function toDateRange({ first, last, hours }: Days, zone: string): DateRange {
  const startOf = (day: Day | undefined) =>
    day === undefined ? undefined : DateTime.fromISO(formatIsoDate(day), { zone })
  const at = (day: DateTime | undefined, minutes: number) =>
    day?.set({ hour: Math.floor(minutes / 60), minute: minutes % 60 })
  const [start, end] = [startOf(first), startOf(last)]
  return {
    kind: 'range',
    from: hours ? at(start, hours.from) : start,
    to: hours && hours.to < 24 * 60 ? at(end, hours.to) : end?.endOf('day'),
    zone,
  }
}

function resolveSpan(
  span: Exclude<Span, { kind: 'now' | 'time' }>,
  direction: Direction,
  today: Day,
): Days | Refusal {
  if (span.kind === 'one') {
    const { period, hours } = span
    return { ...occurrenceOf(period, direction, today), hours }
  }
  if (span.kind === 'since') {
    const { first } = occurrenceOf(span.start, 'past', today)
    return { first, last: occurrenceOf(span.end, 'future', first).last }
  }
  if (span.kind === 'open') {
    const { bound, period } = span
    const { first, last } = occurrenceOf(period, bound === 'since' ? 'past' : direction, today)
    if (bound === 'after') return { first: last + 1, last: undefined }
    if (bound === 'before') return { first: undefined, last: first - 1 }
    return bound === 'until' ? { first: undefined, last } : { first, last: undefined }
  }
  const days = joinPeriods(span.start, span.end, direction, today)
  if ('kind' in days || !span.isList) return days
  const lengths = [span.start, span.end].map(({ first, last }) => last - first + 1)
  const isGap = days.last - days.first + 1 !== (lengths[0] ?? 0) + (lengths[1] ?? 0)
  return isGap ? createRefusal('several', NOT_CONSECUTIVE) : days
}

const MAX_DAYS_ACROSS_YEARS = 300

/** Whether two dates without a year are in the wrong order: "5 dec to 1 dec" */
const areReversed = (first: Day, last: Day): boolean =>
  dateFromDay(first).year !== dateFromDay(last).year && last - first > MAX_DAYS_ACROSS_YEARS

/**
 * A span in the future begins with the next occurrence of its start. A span in the past ends with the latest occurrence of
 * its end.
 */
function joinPeriods(
  start: Period,
  end: Period,
  direction: Direction,
  today: Day,
): { first: Day; last: Day } | Refusal {
  const isDate = ({ repeats, first, last }: Period) => repeats === 'year' && first === last
  if (isDate(start) && isDate(end)) {
    // On 20 November, "nov 18 to nov 25" has already begun.
    const { last } = occurrenceOf(end, 'future', today)
    const { first } = occurrenceOf(start, 'past', last)
    if (first <= today && !areReversed(first, last)) return { first, last }
  }
  if (direction === 'future' && (end.repeats || start.repeats !== 'year')) {
    const { first } = occurrenceOf(start, 'future', today)
    const { last } = occurrenceOf(end, 'future', first)
    return isDate(end) && isDate(start) && areReversed(first, last)
      ? createRefusal('invalid', REVERSED)
      : { first, last }
  }
  const { last } = occurrenceOf(end, 'past', today)
  const { first } = occurrenceOf(start, 'past', last)
  const isReversed = isDate(start) && end.first === end.last && areReversed(first, last)
  return isReversed ? createRefusal('invalid', REVERSED) : { first, last }
}

const MAX_OCCURRENCES = 100

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

/** Returns undefined if there is no such day, such as 29 February. */
function shiftPeriod({ first, last, repeats, inYear }: Period, count: number): Period | undefined {
  // The first days of a calendar week may be in the year before.
  if (inYear) return inYear(dateFromDay(last - 3).year + count)
  if (repeats === 'week') return { first: first + 7 * count, last: last + 7 * count }
  const months = repeats === 'year' ? 12 * count : count
  if (first !== last)
    return { first: addMonths(first, months), last: lastOfMonth(addMonths(firstOfMonth(last), months)) }
  const day = dayInMonth(first, months, dateFromDay(first).day)
  return day === undefined ? undefined : { first: day, last: day }
}
