/** Days as a person counts them: a number for each, from 1 January 1970 on; no zone, no clock. */
export type Day = number

export type Date3 = { year: number; month: number; day: number }

export const DAY_MS = 86_400_000

/** Nothing where there is no such day. */
export function dayOf({ year, month, day }: Date3): Day | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / DAY_MS
}

export function partsOf(day: Day): Date3 {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

export const isoOf = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: Day): number => ((((day + 3) % 7) + 7) % 7) + 1

export const daysInMonth = (year: number, month: number): number =>
  [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** The same day of another month, or the last one where that month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const from = partsOf(day)
  const { year, month } = monthAfter(from, months)
  return known({ year, month, day: Math.min(from.day, daysInMonth(year, month)) })
}

export function monthAfter(
  { year, month }: { year: number; month: number },
  months: number,
): { year: number; month: number } {
  const count = year * 12 + (month - 1) + months
  return { year: Math.floor(count / 12), month: (((count % 12) + 12) % 12) + 1 }
}

/** The first, second, … of that weekday in the month, or its last one for -1. */
export function nthWeekday(where: {
  year: number
  month: number
  weekday: number
  nth: number
}): Day | undefined {
  const { year, month, weekday, nth } = where
  const first = known({ year, month, day: 1 })
  const last = known({ year, month, day: daysInMonth(year, month) })
  if (nth < 0) return last - ((weekdayOf(last) - weekday + 7) % 7)
  const found = first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1)
  return found <= last ? found : undefined
}

/** For dates that are there by the way they were made. */
export function known(date: Date3): Day {
  const day = dayOf(date)
  if (day === undefined) throw new Error(`There is no ${date.year}-${date.month}-${date.day}.`)
  return day
}

export const mondayOf = (day: Day): Day => day - weekdayOf(day) + 1

/** The day that the calendar shows at that moment, in its zone. */
export const dayAt = (at: { toMillis(): number; offset: number }): Day =>
  Math.floor((at.toMillis() + at.offset * 60_000) / DAY_MS)

/** The first such day from today on: 29 February may be eight years away. */
export function nextSuchDay({ month, day }: { month: number; day: number }, today: Day): Day | undefined {
  const { year } = partsOf(today)
  for (let ahead = 0; ahead < 9; ahead++) {
    const found = dayOf({ year: year + ahead, month, day })
    if (found !== undefined && found >= today) return found
  }
  return undefined
}
