import { DateTime } from 'luxon'
import {
  addMonths,
  type Day,
  dayAt,
  dayOf,
  daysInMonth,
  isoOf,
  known,
  mondayOf,
  monthAfter,
  partsOf,
  weekdayOf,
} from './calendar.ts'
import { clean } from './clean.ts'
import { languageOf } from './language.ts'
import { readDay, type WhenContext } from './read.ts'
import { type Refusal, refuse } from './reading.ts'

/** Whole days in the zone, both ends included; open where a side was left open. */
export type DateRange = { kind: 'span'; from: DateTime | undefined; to: DateTime | undefined; zone: string }

/** Reads the words of a filter: "from monday to friday", "last week", "march", "since yesterday". */
export function readDateRange(text: string, context: WhenContext): DateRange | Refusal {
  if (text.length > 300) return refuse('too-long', 'Write only the days, in at most 300 characters.')
  const { zone, now } = context
  const today = dayAt(DateTime.fromJSDate(now, { zone }))
  const days = languageOf(context.locale).spanIn(clean(text), {
    today,
    dayIn: (words, toward) => dayIn(words, { context, today, toward }),
  })
  if (!days)
    return refuse(
      'nonsense',
      'I cannot read those days. Write them like "last week", "march" or "from monday to friday".',
    )
  const [first, last] = [days.first, days.last]
  if (first !== undefined && last !== undefined && first > last)
    return refuse('invalid', 'That ends before it begins. Write the earlier day first.')
  return {
    kind: 'span',
    from: first === undefined ? undefined : DateTime.fromISO(isoOf(first), { zone }).startOf('day'),
    to: last === undefined ? undefined : DateTime.fromISO(isoOf(last), { zone }).endOf('day'),
    zone,
  }
}

export type DaySpan = { first: Day | undefined; last: Day | undefined }

/** Which of two days of that name is meant: the one behind or the one ahead. */
export type Toward = 'past' | 'future'

export type SpanContext = {
  today: Day
  side?: Toward
  dayIn: (words: string, toward: Toward) => Day | undefined
}

type DayContext = { context: WhenContext; today: Day; toward: Toward }

function dayIn(words: string, { context, today, toward }: DayContext): Day | undefined {
  const found = readDay(words, context)
  if (!found || toward === 'future' || found.day <= today || found.hasYear) return found?.day
  // A weekday was last a week earlier, a day of the month a month, a date a year (29 February up to eight).
  if (!/\d/.test(words)) return found.day - 7
  const months = /[a-z]{3}|\d[./]\d/.test(words.replace(/\d(?:st|nd|rd|th)|the/g, '')) ? 12 : 1
  const { day } = partsOf(found.day)
  for (let back = months; back <= 96; back += months) {
    const earlier = addMonths(found.day, -back)
    if (earlier <= today && partsOf(earlier).day === day) return earlier
  }
  return undefined
}

export const wholeMonth = (where: { year: number; month: number }): DaySpan => ({
  first: known({ ...where, day: 1 }),
  last: known({ ...where, day: daysInMonth(where.year, where.month) }),
})

export const wholeYear = (year: number): DaySpan => ({
  first: dayOf({ year, month: 1, day: 1 }),
  last: dayOf({ year, month: 12, day: 31 }),
})

export const wholeWeek = (today: Day, weeks: number): DaySpan => {
  const first = mondayOf(today) + 7 * weeks
  return { first, last: first + 6 }
}

export const monthFromNow = (today: Day, months: number): DaySpan =>
  wholeMonth(monthAfter(partsOf(today), months))

/** The latest such weekday up to that day. */
export const lastWeekday = (upTo: Day, weekday: number): Day => upTo - ((weekdayOf(upTo) - weekday + 7) % 7)
