/** A calendar day as the number of days since 1 January 1970, without a time zone. */
export type Day = number

export type YearMonth = { year: number; month: number }
export type CalendarDate = YearMonth & { day: number }

export const DAY_MS = 86_400_000

/** Returns undefined for a date that does not exist, such as 30 February. */
export function dayFromDate({ year, month, day }: CalendarDate): Day | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth({ year, month })) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime() / DAY_MS
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

export const daysInMonth = ({ year, month }: YearMonth): number =>
  [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0

const isLeapYear = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Keeps the day of the month, or takes the last day if the other month is shorter. */
export function addMonths(day: Day, months: number): Day {
  const date = dateFromDay(day)
  const month = addToMonth(date, months)
  return requireDay({ ...month, day: Math.min(date.day, daysInMonth(month)) })
}

export function addToMonth({ year, month }: YearMonth, months: number): YearMonth {
  const monthCount = year * 12 + (month - 1) + months
  return { year: Math.floor(monthCount / 12), month: (((monthCount % 12) + 12) % 12) + 1 }
}

/** Finds the nth weekday of a month, or the last one if `nth` is -1. */
export function nthWeekdayOfMonth({
  year,
  month,
  weekday,
  nth,
}: YearMonth & { weekday: number; nth: number }): Day | undefined {
  const firstDay = requireDay({ year, month, day: 1 })
  const lastDay = firstDay + daysInMonth({ year, month }) - 1
  if (nth < 0) return previousOrSameWeekday(lastDay, weekday)
  const day = nextOrSameWeekday(firstDay, weekday) + 7 * (nth - 1)
  return day <= lastDay ? day : undefined
}

export const nextOrSameWeekday = (from: Day, weekday: number): Day =>
  from + ((weekday - weekdayOf(from) + 7) % 7)

export const previousOrSameWeekday = (from: Day, weekday: number): Day =>
  from - ((weekdayOf(from) - weekday + 7) % 7)

export const mondayOfWeek = (day: Day): Day => day - weekdayOf(day) + 1

/** The calendar day of a moment in the moment's own zone. */
export const dayOfMoment = (at: { toMillis(): number; offset: number }): Day =>
  Math.floor((at.toMillis() + at.offset * 60_000) / DAY_MS)

/** Finds the next such date, starting today. It searches nine years because 29 February can be eight years away. */
export function nextDayWithDate({ month, day }: { month: number; day: number }, today: Day): Day | undefined {
  const { year } = dateFromDay(today)
  for (let years = 0; years < 9; years++) {
    const candidate = dayFromDate({ year: year + years, month, day })
    if (candidate !== undefined && candidate >= today) return candidate
  }
  return undefined
}
