import {
  addMonths,
  type Day,
  dateFromDay,
  dayFromDate,
  dayInMonth,
  findDay,
  firstOfMonth,
  lastOfMonth,
  mondayOfWeek,
  nextOrSameWeekday,
  nthWeekdayOfMonth,
  previousOrSameWeekday,
  requireDay,
  weekdayOf,
} from '../calendar.ts'
import type { Rule } from '../chart.ts'
import { formatOrdinal } from '../describe.ts'
import type { NamedDay } from '../point.ts'
import { createRefusal, type LocalContext, type Refusal } from '../reading.ts'
import { refuseDate } from '../refusals.ts'
import { addAmounts, type Duration, type MonthReference, oneUnit, ruleAdderFor } from './values.ts'

/** Rules for words that name a day, such as "tomorrow" or "the last day of October". */
export const dayRules: Rule[] = []
const rule = ruleAdderFor(dayRules)

rule('which', 'NEXT|COMING', () => 1)
rule('which', 'THIS', () => 0)

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
rule('week', 'THE? which WEEKS', (which) => which)
rule('week', 'THE? WEEKS NEXT_AFTER', () => 1)
rule('week', 'THE? WEEKS AFTER NEXT; NEXT_BUT_ONE WEEKS', () => 2)
rule('day', 'week COMMA? ON? weekday', (week, { day }, context) => weekdayInWeek(day, week, context))
rule('day', 'weekday COMMA? OF|IN? week', ({ day }, week, context) => weekdayInWeek(day, week, context))
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

const weekdayInWeek = (weekday: number, weeks: number, { now }: LocalContext): NamedDay => ({
  day: mondayOfWeek(now.day) + weekday - 1 + 7 * weeks,
})

/** Some people count "in a week" from today, others from the end of this week. */
function weekdayInSomeWeeks(weekday: number, weeks: number, context: LocalContext): NamedDay | undefined {
  const { day } = weekdayInWeek(weekday, weeks, context)
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
rule('ofYear', 'COMMA? OF? year', (year) => year)
rule('ofYear', 'COMMA|OF? which YEARS', (which, { now }) => now.at.year + which)
rule('ofYear', 'COMMA|OF? THE? YEARS NEXT_AFTER', ({ now }) => now.at.year + 1)

// "24 Dec", "the 24th of December 2026", "Dec. 24th", "2027 May 22nd", "24-Dec-2026"
rule('monthDay', 'THE? dayNumber OF? month; dayNumber DASH|SLASH month', (day, month) => ({ day, month }))
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
rule('day', 'THE? ordinal DAYS? OF|IN? THE? monthName', ordinalDayOfMonth)
rule('day', 'monthName COMMA? ON? THE? ordinal', (month, day, local) => ordinalDayOfMonth(day, month, local))

function ordinalDayOfMonth(
  dayOfMonth: number,
  month: MonthReference,
  context: LocalContext,
): NamedDay | Refusal | undefined {
  if (month.isNamed) return undefined
  if (month.isCurrent) return nextDayOfMonth(dayOfMonth, context)
  const day = dayInMonth(month.first, 0, dayOfMonth)
  return day === undefined
    ? createRefusal('invalid', `That month doesn't have a ${formatOrdinal(dayOfMonth)}. Enter another date.`)
    : { day }
}

/** Finds the next day with this number in its month, such as the 15th. */
export function nextDayOfMonth(dayOfMonth: number, { now }: LocalContext): NamedDay | Refusal {
  if (dayOfMonth < 1 || dayOfMonth > 31)
    return createRefusal('invalid', `No month has a ${formatOrdinal(dayOfMonth)}. Enter another date.`)
  const [day = now.day, dayAfterNext] = daysOfMonths(dayOfMonth, now.day, MONTHS_TO_SEARCH)
  return { day, dayOfMonth, dayIfPast: day === now.day ? dayAfterNext : undefined, repeats: 'month' }
}

/** Two of any five months in a row have a 31st. */
const MONTHS_TO_SEARCH = 5

/** Finds the days from today on with this day of the month, in this and the following months. */
export function daysOfMonths(dayOfMonth: number, today: Day, months: number): Day[] {
  const days = Array.from({ length: months }, (_, index) => dayInMonth(today, index, dayOfMonth))
  return days.filter((day) => day !== undefined).filter((day) => day >= today)
}

// "december", "next month", "the month", "2 months"
rule('monthName', 'month ofYear?', namedMonth)
rule('monthName', 'THIS|COMING month', (month, context) => namedMonth(month, undefined, context))
rule('monthName', 'which? MONTHS', (which, context) => monthFromNow(which ?? 0, context))
rule('monthName', 'MONTHS NEXT_AFTER', (context) => monthFromNow(1, context))
rule('monthName', 'MONTHS? IN? number MONTHS', ({ value }, context) => monthFromNow(value, context))

function namedMonth(month: number, year: number | undefined, { now }: LocalContext): MonthReference {
  const first = requireDay({ year: year ?? now.at.year, month, day: 1 })
  return { first, isNamed: true, hasYear: year !== undefined, isCurrent: false }
}

const monthFromNow = (months: number, { now }: LocalContext): MonthReference | undefined =>
  months < 100
    ? { first: firstOfMonth(now.day, months), isNamed: false, hasYear: true, isCurrent: months === 0 }
    : undefined

// "first monday of december", "2nd tuesday of next month", "last friday of the month"
rule('nth', 'ordinal', (value) => (value < 6 ? value : undefined))
rule('nth', 'FINAL', () => -1)
rule('nth', 'SECOND_TO_LAST', () => -2)
rule('nth', 'ordinal FINAL', (value) => (value < 6 ? -value : undefined))
rule('day', 'THE? nth weekday OF|IN? THE? monthName', (nth, { day: weekday }, monthName, { now }) => {
  const { first, isNamed, hasYear } = monthName
  const day = nthWeekdayOfMonth(first, weekday, nth)
  if (day === undefined) return createRefusal('invalid', NO_SUCH_DAY)
  if (!isNamed || hasYear || day >= now.day) return { day }
  const dayInNextYear = nthWeekdayOfMonth(addMonths(first, 12), weekday, nth)
  return dayInNextYear === undefined
    ? undefined
    : {
        day: dayInNextYear,
        lacksYear: 'named-day',
        inYear: (year) => nthWeekdayOfMonth(monthInYear(first, year), weekday, nth),
      }
})

const monthInYear = (month: Day, year: number): Day => addMonths(month, 12 * (year - dateFromDay(month).year))

const NO_SUCH_DAY = 'That month doesn\'t have such a day. Enter a date, such as "30 nov".'

// "last day of october", "first business day of next month", "end of the month", "eom", "last day of 2027"
rule('day', 'THE? nth DAYS OF|IN? THE? monthName', (nth, month, context) => nthDayOf(month, nth, context))
rule('day', 'THE? nth BUSINESS DAYS OF|IN? THE? monthName', (nth, month, context) =>
  nthDayOf(month, nth, context, true),
)
rule('day', 'END|MONTH_END OF? THE? monthName; monthName END', (month, context) =>
  withBusinessDay(nthDayOf(month, -1, context), -1),
)
rule('day', 'START OF? THE? monthName', (month, context) => withBusinessDay(nthDayOf(month, 1, context), 1))
rule('day', 'MONTH_END', ({ now }) => withBusinessDay({ day: lastOfMonth(now.day) }, -1))
rule('day', 'YEAR_END', ({ now }) => withBusinessDay({ day: lastOfYear(now.at.year) }, -1))
rule('day', 'END OF year', (year) => withBusinessDay({ day: lastOfYear(year) }, -1))
rule('day', 'THE? nth DAYS OF year', (nth, year) => (nth === -1 ? { day: lastOfYear(year) } : undefined))
rule('day', 'THE? nth DAYS OF THE? which? YEARS', (nth, which, { now }) =>
  nth === -1 ? { day: lastOfYear(now.at.year + (which ?? 0)) } : undefined,
)

const lastOfYear = (year: number): Day => requireDay({ year, month: 12, day: 31 })

function nthDayOf(
  month: MonthReference,
  nth: number,
  { now }: LocalContext,
  isBusinessDay = false,
): NamedDay {
  const { first, isNamed, hasYear, isCurrent } = month
  const step = nth > 0 ? 1 : -1
  const dayIn = (month: Day) => {
    let day = nth > 0 ? month : lastOfMonth(month)
    if (!isBusinessDay) return day + nth - step
    day = nearestBusinessDay(day, step)
    for (let left = Math.abs(nth) - 1; left > 0; left--) day = nearestBusinessDay(day + step, step)
    return day
  }
  const isOver = dayIn(first) < now.day && (isCurrent || (isNamed && !hasYear))
  return {
    day: isOver ? dayIn(addMonths(first, isNamed ? 12 : 1)) : dayIn(first),
    ...(isNamed &&
      !hasYear && {
        lacksYear: 'named-day' as const,
        inYear: (year: number) => dayIn(monthInYear(first, year)),
      }),
  }
}

/** "End of the month" may also mean the nearest business day. */
function withBusinessDay(named: NamedDay, direction: 1 | -1): NamedDay {
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
rule('day', 'THE? weekday AFTER NEXT', ({ day }, { now }) => ({
  day: nextOrSameWeekday(now.day + 1, day) + 7,
}))

function shiftedDay(day: Day, duration: Duration, direction: 1 | -1): NamedDay | undefined {
  const shifted = addAmounts(duration, direction, day)
  return shifted?.seconds === 0 ? { day: shifted.day } : undefined
}
