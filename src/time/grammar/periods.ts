import {
  addMonths,
  type Day,
  dateFromDay,
  dayInMonth,
  firstOfMonth,
  mondayOfWeek,
  nextOrSameWeekday,
  requireDay,
} from '../calendar.ts'
import type { Rule } from '../chart.ts'
import {
  namedMonths,
  occurrenceOf,
  type Period,
  partOf,
  weekend,
  weekFromNow,
  wholeMonths,
  wholeYear,
} from '../period.ts'
import type { NamedDay, Point } from '../point.ts'
import { createRefusal, type LocalContext, type Refusal } from '../reading.ts'
import { ENTER_DAY_AND_TIME, ONE_TIME } from '../refusals.ts'
import { ruleAdderFor } from './values.ts'

/** Rules for weeks, months and years. */
export const periodRules: Rule[] = []
const rule = ruleAdderFor(periodRules)

rule('distance', 'NEXT|COMING', () => 1)
rule('distance', 'THIS', () => 0)
rule('distance', 'NEXT_BUT_ONE', () => 2)
rule('distanceAfter', 'NEXT_AFTER', () => 1)
rule('distanceAfter', 'AFTER NEXT', () => 2)

// "next week", "week 49", "2026-W49"
rule('week', 'THE? distance WEEKS; THE? WEEKS distanceAfter', (distance, { now }) =>
  weekFromNow(distance, now.day),
)
rule('week', 'WEEKS|CALENDAR_WEEK number ofYear?', ({ value }, year, { now }) =>
  partOf(namedMonths(1, 12, now.at.year, year), ({ first }) => calendarWeek(value, dateFromDay(first).year)),
)
rule('week', 'year DASH? WEEKS number', -0.2, (year, { value }) => calendarWeek(value, year))

/** Returns a week as ISO 8601 counts it: the first week of a year is the one with 4 January. */
function calendarWeek(week: number, year: number): Period | undefined {
  const first = mondayOfWeek(requireDay({ year, month: 1, day: 4 })) + 7 * (week - 1)
  const isInYear = week > 0 && dateFromDay(first + 3).year === year
  return isInYear ? { first, last: first + 6 } : undefined
}

// "december", "next month", "the month", "2 months", "next year"
rule(
  'distantYear',
  'THE? distance YEARS; THE? YEARS distanceAfter',
  (distance, { now }) => now.at.year + distance,
)
rule('namedMonth', 'month ofYear?', (month, year, { now }) => namedMonths(month, 1, now.at.year, year))
rule('namedMonth', 'THIS|COMING month', (month, { now }) => namedMonths(month, 1, now.at.year))
rule('distantMonth', 'THE? distance MONTHS; THE? MONTHS distanceAfter', (distance, { now }) =>
  wholeMonths(firstOfMonth(now.day, distance)),
)
// "The month" means the next one if the day in it has passed.
rule('current', 'MONTHS', ({ now }) => ({ ...wholeMonths(now.day), repeats: 'month' }))
rule('current', 'YEARS', ({ now }) => wholeYear(now.at.year))
rule('monthOrYear', 'namedMonth|distantMonth|current', (period) => period)
rule('countedMonth', 'MONTHS? IN? number MONTHS', ({ value }, { now }) =>
  value < 100 ? wholeMonths(firstOfMonth(now.day, value)) : undefined,
)
rule('monthOrYear', 'countedMonth', (period) => period)
rule('monthOrYear', 'year|distantYear', wholeYear)

// "friday 9am next week"
rule('widerPeriod', 'week|distantMonth|countedMonth', (period) => period)
rule('widerPeriod', 'distantYear', wholeYear)
// "Next weekend" may be the coming one, or the one after.
rule('widerPeriod', 'THE? distance WEEKEND', (distance, { now }) => ({
  first: weekend(now.day, 0).first,
  last: weekend(now.day, distance).last,
}))

// A month's name needs "in" before it, because "may" is also a verb.
rule('point', 'point COMMA? IN|ON|OF? widerPeriod; point COMMA? IN|ON|OF namedMonth', 0.1, placeInPeriod)
rule('point', 'IN? widerPeriod COMMA? point; IN namedMonth COMMA? point', 0.1, (period, point, local) =>
  placeInPeriod(point, period, local),
)

/** Moves a point to the day that it means in the period: "friday" in "next week" is the Friday of that week. */
function placeInPeriod(point: Point, period: Period, { now }: LocalContext): Point | Refusal | undefined {
  const { day, time } = point
  if (!day || !time) return undefined
  const days = daysInPeriod(day, occurrenceOf(period, 'future', now.day))
  if (!days) return createRefusal('vague', ENTER_DAY_AND_TIME)
  const [last, ...others] = days.sort((a, b) => b - a)
  if (last === undefined) return createRefusal('several', ONE_TIME)
  const { dayIfPast: _next, repeats: _repeats, dayOfMonth: _dayOfMonth, ...rest } = day
  const lacksYear = period.repeats === 'year' ? 'named-day' : undefined
  return { ...point, day: { ...rest, day: last, alternatives: others, lacksYear } }
}

/** Returns undefined if the period has several such days, such as the Fridays of a month. */
function daysInPeriod(
  { day, weekday, dayOfMonth, lacksYear, inYear, alternatives = [] }: NamedDay,
  { first, last }: Period,
): Day[] | undefined {
  const isIn = (day: Day | undefined): day is Day => day !== undefined && day >= first && day <= last
  if (weekday) {
    const days = [0, 7].map((later) => nextOrSameWeekday(first, weekday) + later)
    return last - first < 14 ? days.filter(isIn) : undefined
  }
  if (dayOfMonth) return [0, 1].map((months) => dayInMonth(first, months, dayOfMonth)).filter(isIn)
  const dayInNextYear = lacksYear && addMonths(day, 12)
  const others = inYear ? [first, last].map((day) => inYear(dateFromDay(day).year)) : [dayInNextYear]
  return [...new Set([day, ...alternatives, ...others])].filter(isIn)
}
