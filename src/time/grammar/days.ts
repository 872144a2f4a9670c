import {
  type Day,
  dateFromDay,
  dayFromDate,
  dayInMonth,
  findDay,
  mondayOfWeek,
  nextOrSameWeekday,
  nthWeekdayBetween,
  previousOrSameWeekday,
  weekdayOf,
} from '../calendar.ts'
import type { Rule } from '../chart.ts'
import { formatOrdinal } from '../describe.ts'
import {
  dayOf,
  occurrenceOf,
  type Period,
  shiftPeriod,
  weekFromNow,
  wholeMonths,
  wholeYear,
} from '../period.ts'
import type { NamedDay } from '../point.ts'
import { createRefusal, type LocalContext, type Refusal } from '../reading.ts'
import { refuseDate } from '../refusals.ts'
import { addAmounts, type DayFinder, type Duration, oneUnit, ruleAdderFor } from './values.ts'

/** Rules for words that name a day, such as "tomorrow" or "the last day of October". */
export const dayRules: Rule[] = []
const rule = ruleAdderFor(dayRules)

rule('day', 'isoDay', (day) => day)

// "today", "tomorrow"
rule('day', 'relativeDay', (distance, { now }) =>
  distance < 0 ? undefined : { day: now.day + distance, mustMatchWeekday: true },
)

// "monday", "this friday", "next tuesday", "lundi prochain"
rule('day', 'THE? COMING? weekday; weekday COMING', ({ day, isShort }, context) => ({
  ...comingWeekday(day, context),
  isShort,
}))
rule('day', 'THE? THIS weekday', ({ day }, context) => ({
  ...comingWeekday(day, context),
  dayIfPast: undefined,
}))
rule('day', 'THE? NEXT weekday; THE? weekday NEXT_AFTER', ({ day }, context) => nextWeekday(day, context))

export function comingWeekday(weekday: number, { now }: LocalContext): NamedDay {
  const day = nextOrSameWeekday(now.day, weekday)
  return { day, weekday, dayIfPast: day === now.day ? day + 7 : undefined, repeats: 'week' }
}

/** If the weekday is still to come this week, "next" is ambiguous. */
function nextWeekday(weekday: number, { now }: LocalContext): NamedDay {
  const day = nextOrSameWeekday(now.day + 1, weekday)
  const isInThisWeek = mondayOfWeek(day) === mondayOfWeek(now.day)
  return isInThisWeek ? { day: day + 7, alternatives: [day], weekday } : { day, weekday }
}

// "next week monday", "thursday next week", "friday in 2 weeks", "monday week", "a week on friday"
rule('day', 'week COMMA? ON? weekday', (week, weekday, local) => weekdayInWeek(weekday, week, local))
rule('day', 'weekday COMMA? OF|IN? week', weekdayInWeek)
rule('weekCount', 'A? WEEKS', () => 1)
rule('weekCount', 'number WEEKS', ({ value }) => (value < 100 ? value : undefined))
rule('weekCount', 'A? FORTNIGHTS', () => 2)
rule('weekCount', 'number FORTNIGHTS', ({ value }) => (value < 50 ? 2 * value : undefined))
rule('day', 'weekday IN weekCount', ({ day }, weeks, context) => weekdayInSomeWeeks(day, weeks, context))
rule('day', 'IN weekCount COMMA? ON? weekday', (weeks, { day }, context) =>
  weekdayInSomeWeeks(day, weeks, context),
)
rule('day', 'weekday|relativeDay weekCount; relativeDay IN weekCount', weeksAfter)
rule('day', 'weekCount ON? weekday|relativeDay', (weeks, day, context) => weeksAfter(day, weeks, context))

function weekdayInWeek({ day }: { day: number }, week: Period, local: LocalContext): NamedDay | undefined {
  return dayWithin(week, ({ first }) => first + day - 1, local)
}

/** Some people count "in a week" from today, others from the end of this week. */
function weekdayInSomeWeeks(weekday: number, weeks: number, { now }: LocalContext): NamedDay | undefined {
  const day = weekFromNow(weeks, now.day).first + weekday - 1
  return weeks < 5 ? { day, alternatives: [day + 7] } : undefined
}

function weeksAfter(day: number | { day: number }, weeks: number, { now }: LocalContext): NamedDay {
  const start = typeof day === 'number' ? now.day + day : nextOrSameWeekday(now.day + 1, day.day)
  return { day: start + 7 * weeks }
}

// "3", "3rd", "3."
rule('dayNumber', 'number', ({ value, digits }) =>
  digits < 3 && value > 0 && value < 100 ? value : undefined,
)
rule('dayNumber', 'ordinal', (value) => value)
rule('dayNumber', 'number PERIOD', 0.1, ({ value, digits }) =>
  digits === 1 || digits === 2 ? value : undefined,
)

// "2027", "next year"
rule('ofYear', 'COMMA? OF? year; COMMA|OF? distantYear', (year) => year)

// "24 Dec", "the 24th of December 2026", "Dec. 24th", "2027 May 22nd", "24-Dec-2026"
rule('monthDay', 'THE|THE_DATE? dayNumber OF? month; dayNumber DASH|SLASH month', (day, month) => ({
  day,
  month,
}))
rule('monthDay', 'month DASH|SLASH? THE? dayNumber', (month, day) => ({ day, month }))
rule('shortYear', 'COMMA? number', ({ value, digits }) =>
  digits === 2 && value > 24 ? 2000 + value : undefined,
)
rule('day', 'monthDay ofYear?; monthDay DASH|SLASH year', readDate)
rule('day', 'month dayNumber shortYear', 0.2, (month, day, year, local) =>
  readDate({ day, month }, year, local),
)
rule('day', 'dayNumber DASH|SLASH month DASH|SLASH shortYear', (day, month, year, local) =>
  readDate({ day, month }, year, local),
)
rule('day', 'year COMMA|DASH|SLASH? monthDay', (year, date, local) => readDate(date, year, local))
rule('day', 'month ofYear dayNumber', 0.5, (month, year, day, local) => readDate({ day, month }, year, local))

// "12/1 2026", but not "12/24 2015" and "12/24 2030", which have a time
rule('day', 'day year', 0.1, ({ day, lacksYear, alternatives }, year, local) => {
  const yearsAhead = year - local.now.at.year
  const isLikely = lacksYear === 'date' && !alternatives && yearsAhead >= 0 && yearsAhead <= 2
  return isLikely ? readDate(dateFromDay(day), year, local) : undefined
})

function readDate(
  { day, month }: { day: number; month: number },
  year: number | undefined,
  local: LocalContext,
): NamedDay | Refusal {
  const existsInLeapYear = dayFromDate({ year: 2024, month, day }) !== undefined
  const found = existsInLeapYear ? findDay({ year, month, day }, local.now.day) : undefined
  if (found !== undefined) return { day: found, lacksYear: year ? undefined : 'date' }
  return existsInLeapYear
    ? createRefusal('invalid', `29 February ${year} doesn't exist. Enter another date.`)
    : refuseDate(local)
}

// "the 15th", "the 28th of next month", "next month 28th", "el 15"
rule('day', 'THE? ordinal', 0.05, nextDayOfMonth)
rule('day', 'THE ordinal DAYS; THE_DATE dayNumber', 0.3, nextDayOfMonth)
rule('day', 'THE? ordinal DAYS? OF|IN? THE? monthOrYear', ordinalDayOfMonth)
rule('day', 'monthOrYear COMMA? ON? THE? ordinal', (month, day, local) =>
  ordinalDayOfMonth(day, month, local),
)

function ordinalDayOfMonth(
  dayOfMonth: number,
  { first, last, repeats }: Period,
  context: LocalContext,
): NamedDay | Refusal | undefined {
  if (repeats === 'year' || last - first > 31) return undefined
  if (repeats === 'month') return nextDayOfMonth(dayOfMonth, context)
  const day = dayInMonth(first, 0, dayOfMonth)
  return day === undefined
    ? createRefusal('invalid', `That month doesn't have a ${formatOrdinal(dayOfMonth)}. Enter another date.`)
    : { day }
}

/** Finds the next occurrence of a day of the month, such as the 15th. It may be today. */
export function nextDayOfMonth(dayOfMonth: number, { now }: LocalContext): NamedDay | Refusal {
  if (dayOfMonth < 1 || dayOfMonth > 31)
    return createRefusal('invalid', `No month has a ${formatOrdinal(dayOfMonth)}. Enter another date.`)
  const [day = now.day, followingDay] = findUpcomingDays(dayOfMonth, now.day, MONTHS_TO_SEARCH)
  return { day, dayOfMonth, dayIfPast: day === now.day ? followingDay : undefined, repeats: 'month' }
}

/** At least two of any five consecutive months have a 31st. */
const MONTHS_TO_SEARCH = 5

/** Finds this day of the month in this and the following months, from today on. */
export function findUpcomingDays(dayOfMonth: number, today: Day, months: number): Day[] {
  const days = Array.from({ length: months }, (_, index) => dayInMonth(today, index, dayOfMonth))
  return days.filter((day) => day !== undefined).filter((day) => day >= today)
}

// "first monday of december", "2nd tuesday of next month", "last friday of 2027"
rule('nth', 'ordinal', (value) => (value < 6 ? value : undefined))
// "am 2. Dienstag im Dezember"
rule('nth', 'number PERIOD', 0.1, ({ value, digits }) => (digits === 1 && value < 6 ? value : undefined))
rule('nth', 'FINAL', () => -1)
rule('nth', 'SECOND_TO_LAST', () => -2)
rule('nth', 'ordinal FINAL', (value) => (value < 6 ? -value : undefined))
rule(
  'dayFinder',
  'nth weekday',
  (nth, { day: weekday }) =>
    ({ first, last }) =>
      nthWeekdayBetween(first, last, weekday, nth),
)
rule(
  'dayFinder',
  'nth DAYS',
  (nth) =>
    ({ first, last }) =>
      nth > 0 ? first + nth - 1 : last + nth + 1,
)
rule('dayFinder', 'nth BUSINESS DAYS', (nth) => (period) => nthBusinessDay(period, nth))
rule(
  'day',
  'THE? dayFinder OF|IN? THE? monthOrYear',
  (find, period, local) =>
    dayWithin(period, find, local) ??
    createRefusal('invalid', 'There is no such day. Enter a date, such as "30 nov".'),
)

function nthBusinessDay({ first, last }: Period, nth: number): Day {
  const step = nth > 0 ? 1 : -1
  let day = nearestBusinessDay(nth > 0 ? first : last, step)
  for (let left = Math.abs(nth) - 1; left > 0; left--) day = nearestBusinessDay(day + step, step)
  return day
}

/** Finds a day in the period, or in the next such period if the day has passed. */
function dayWithin(period: Period, find: DayFinder, { now }: LocalContext): NamedDay | undefined {
  const part = dayOf(period, find)
  if (!part) return undefined
  const { first: day } = occurrenceOf(part, 'future', now.day)
  if (part.repeats !== 'year') return { day }
  const inYear = (year: number) => shiftPeriod(part, year - dateFromDay(part.first).year)?.first
  return { day, lacksYear: 'named-day', inYear }
}

// "end of the month", "eom", "start of december", "end of 2027"
rule('day', 'END|MONTH_END OF? THE? monthOrYear; monthOrYear END', (period, local) =>
  withBusinessDay(period, -1, local),
)
rule('day', 'START OF? THE? monthOrYear', (period, local) => withBusinessDay(period, 1, local))
rule('day', 'MONTH_END', (local) => withBusinessDay(wholeMonths(local.now.day), -1, local))
rule('day', 'YEAR_END', (local) => withBusinessDay(wholeYear(local.now.at.year), -1, local))

/** "End of the month" may also mean the nearest business day. */
function withBusinessDay(period: Period, direction: 1 | -1, local: LocalContext): NamedDay | undefined {
  const named = dayWithin(period, ({ first, last }) => (direction === 1 ? first : last), local)
  if (!named) return undefined
  const { day } = named
  const isWeekend = weekdayOf(day) > 5
  return { ...named, alternatives: [nearestBusinessDay(isWeekend ? day : day + direction, direction)] }
}

export function nearestBusinessDay(from: Day, direction: number): Day {
  let day = from
  while (weekdayOf(day) > 5) day += direction
  return day
}

// "the day after monday", "a week from tuesday", "2 days before christmas", "the monday after thanksgiving"
rule('day', 'duration FROM|AFTER THE? day', (duration, { day }) => shiftedDay(day, duration, 1))
rule('day', 'duration BEFORE THE? day', (duration, { day }) => shiftedDay(day, duration, -1))
rule('day', 'THE? unit AFTER THE? day', (unit, { day }) => shiftedDay(day, oneUnit(unit), 1))
// In Spanish, the same word means "from" and "of", and "día de Navidad" is Christmas Day itself.
rule('day', 'THE? unit FROM THE? day', (unit, { day }) =>
  unit.unit === 'days' ? undefined : shiftedDay(day, oneUnit(unit), 1),
)
rule('day', 'THE? unit BEFORE THE? day', (unit, { day }) => shiftedDay(day, oneUnit(unit), -1))
rule('day', 'THE? weekday AFTER day', (weekday, { day }) => ({
  day: nextOrSameWeekday(day + 1, weekday.day),
}))
rule('day', 'THE? weekday BEFORE day', (weekday, { day }) => ({
  day: previousOrSameWeekday(day - 1, weekday.day),
}))
// "the friday closest to the 15th"
rule('day', 'THE? CLOSEST weekday TO day; THE? weekday CLOSEST TO day', (weekday, { day }) => ({
  day: nextOrSameWeekday(day - 3, weekday.day),
}))
rule('day', 'THE? weekday AFTER NEXT', ({ day }, { now }) => ({
  day: nextOrSameWeekday(now.day + 1, day) + 7,
}))

function shiftedDay(day: Day, duration: Duration, direction: 1 | -1): NamedDay | undefined {
  const shifted = addAmounts(duration, direction, day)
  return shifted?.seconds === 0 ? { day: shifted.day } : undefined
}
