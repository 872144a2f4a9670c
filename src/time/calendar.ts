/** A calendar day as the number of days since 1 January 1970, without a time zone. */
export type Day = number

export type CalendarDate = { year: number; month: number; day: number }

export const DAY_MS = 86_400_000

/** Like `Date`, accepts months and days that overflow: 32 January is 1 February. */
const dayNumber = (year: number, month: number, day: number): Day =>
  new Date(0).setUTCFullYear(year, month - 1, day) / DAY_MS

/** Returns undefined for a date that does not exist, such as 30 February. */
export function dayFromDate({ year, month, day }: CalendarDate): Day | undefined {
  const result = dayNumber(year, month, day)
  const date = dateFromDay(result)
  return date.month === month && date.day === day ? result : undefined
}

/** Throws for a date that does not exist. */
export function requireDay(date: CalendarDate): Day {
  const day = dayFromDate(date)
  if (day === undefined) throw new Error(`The date ${date.year}-${date.month}-${date.day} does not exist.`)
  return day
}

export function dateFromDay(day: Day): CalendarDate {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

export const formatIsoDate = (day: Day): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: Day): number => ((((day + 3) % 7) + 7) % 7) + 1

/** The first day of the month of `day`, or of the month `monthsLater` months later (earlier if negative). */
export function firstOfMonth(day: Day, monthsLater = 0): Day {
  const { year, month } = dateFromDay(day)
  return dayNumber(year, month + monthsLater, 1)
}

export const lastOfMonth = (day: Day): Day => firstOfMonth(day, 1) - 1

/** A day in the month of `from`, or `monthsLater` months later. Returns undefined if that month has no such day. */
export function dayInMonth(from: Day, monthsLater: number, dayOfMonth: number): Day | undefined {
  const day = firstOfMonth(from, monthsLater) + dayOfMonth - 1
  return day < firstOfMonth(from, monthsLater + 1) ? day : undefined
}

/** Keeps the day of the month, or takes the last day if the resulting month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const first = firstOfMonth(day, months)
  return Math.min(first + dateFromDay(day).day - 1, lastOfMonth(first))
}

/** Finds the nth `weekday` of the day's month, counted from the end if `nth` is negative. */
export function nthWeekdayOfMonth(day: Day, weekday: number, nth: number): Day | undefined {
  return nthWeekdayBetween(firstOfMonth(day), lastOfMonth(day), weekday, nth)
}

export function nthWeekdayBetween(first: Day, last: Day, weekday: number, nth: number): Day | undefined {
  const day =
    nth < 0
      ? previousOrSameWeekday(last, weekday) + 7 * (nth + 1)
      : nextOrSameWeekday(first, weekday) + 7 * (nth - 1)
  return day >= first && day <= last ? day : undefined
}

export const nextOrSameWeekday = (from: Day, weekday: number): Day =>
  from + ((weekday - weekdayOf(from) + 7) % 7)

export const previousOrSameWeekday = (from: Day, weekday: number): Day =>
  from - ((weekdayOf(from) - weekday + 7) % 7)

export const mondayOfWeek = (day: Day): Day => day - weekdayOf(day) + 1

/** The calendar day of a moment in the moment's own zone. */
export const dayOfMoment = (at: { toMillis(): number; offset: number }): Day =>
  Math.floor((at.toMillis() + at.offset * 60_000) / DAY_MS)

type DateWithOptionalYear = { year: number | undefined; month: number; day: number }

/** Finds the day of a date. Without a year, it is the next such date: 29 February can be eight years away. */
export function findDay({ year, month, day }: DateWithOptionalYear, today: Day): Day | undefined {
  if (year !== undefined) return dayFromDate({ year, month, day })
  const thisYear = dateFromDay(today).year
  for (let candidateYear = thisYear; candidateYear < thisYear + 9; candidateYear++) {
    const candidate = dayFromDate({ year: candidateYear, month, day })
    if (candidate !== undefined && candidate >= today) return candidate
  }
  return undefined
}
