import {
  addMonths,
  type Day,
  dateFromDay,
  dayInMonth,
  firstOfMonth,
  lastOfMonth,
  mondayOfWeek,
  requireDay,
} from './calendar.ts'
import type { Repetition } from './point.ts'

/** Days that the words name, and how often such days recur: there is a "monday" each week and a "march" each year. */
export type Period = {
  first: Day
  last: Day
  repeats?: Repetition | undefined
  /** Finds the occurrence that is `count` occurrences later, if their dates may vary, as those of Easter do. */
  shifted?: (count: number) => Period | undefined
}

/** Whether "friday" and "march" mean the next ones, as for scheduled posts, or the last, as for published ones. */
export type Direction = 'future' | 'past'

export const oneDay = (day: Day, repeats?: Repetition): Period => ({ first: day, last: day, repeats })

export function weekFromNow(distance: number, today: Day): Period {
  const first = mondayOfWeek(today) + 7 * distance
  return { first, last: first + 6 }
}

export function weekend(today: Day, distance: number): Period {
  const saturday = mondayOfWeek(today) + 7 * distance + 5
  return { first: saturday, last: saturday + 1 }
}

export const wholeMonths = (day: Day, count = 1): Period => ({
  first: firstOfMonth(day),
  last: lastOfMonth(addMonths(firstOfMonth(day), count - 1)),
})

export const wholeYear = (year: number): Period => wholeMonths(requireDay({ year, month: 1, day: 1 }), 12)

/** Without a year, a month recurs, because each year has a March. */
export function namedMonths(month: number, count: number, thisYear: number, year?: number): Period {
  const period = wholeMonths(requireDay({ year: year ?? thisYear, month, day: 1 }), count)
  return year ? period : { ...period, repeats: 'year' }
}

/** Finds a part of the period, which recurs if the period does. */
export function partOf(period: Period, find: (period: Period) => Period | undefined): Period | undefined {
  const part = find(period)
  if (!part || !period.repeats) return part
  const shifted = (count: number) => {
    const later = shiftPeriod(period, count)
    return later && find(later)
  }
  return { ...part, repeats: period.repeats, shifted }
}

/** Finds a day of the period, which recurs if the period does. */
export const dayOf = (period: Period, find: (period: Period) => Day | undefined): Period | undefined =>
  partOf(period, (period) => {
    const day = find(period)
    return day === undefined ? undefined : oneDay(day)
  })

/** Makes a day such as Halloween recur each year, although it was read as its next occurrence only. */
export const asYearly = (period: Period): Period => (period.shifted ? { ...period, repeats: 'year' } : period)

const MAX_OCCURRENCES = 100

/**
 * Returns the first occurrence that ends on or after `day` if the direction is the future, and the last one that begins
 * on or before `day` if it is the past.
 */
export function occurrenceOf(period: Period, direction: Direction, day: Day): { first: Day; last: Day } {
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

/** Moves a period by `count` occurrences. Returns undefined if the resulting month lacks the day, such as the 31st. */
export function shiftPeriod(period: Period, count: number): Period | undefined {
  const { first, last, repeats, shifted } = period
  if (shifted) return shifted(count)
  if (repeats === 'week') return { ...period, first: first + 7 * count, last: last + 7 * count }
  const months = repeats === 'year' ? 12 * count : count
  if (first !== last)
    return {
      ...period,
      first: addMonths(first, months),
      last: lastOfMonth(addMonths(firstOfMonth(last), months)),
    }
  const day = dayInMonth(first, months, dateFromDay(first).day)
  return day === undefined ? undefined : { ...period, ...oneDay(day, repeats) }
}
