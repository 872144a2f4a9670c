import {
  addMonths,
  type Day,
  dateFromDay,
  dayInMonth,
  lastOfMonth,
  mondayOfWeek,
  nextOrSameWeekday,
  requireDay,
} from '../calendar.ts'
import type { Rule } from '../chart.ts'
import type { NamedDay, Point } from '../point.ts'
import { createRefusal, type Refusal } from '../reading.ts'
import { ENTER_DAY_AND_TIME, ONE_TIME } from '../refusals.ts'
import { ruleAdderFor, type WiderPeriod } from './values.ts'

/** Periods that are named apart from the day, as in "friday 9am next week". */
export const periodRules: Rule[] = []
const rule = ruleAdderFor(periodRules)

rule('widerPeriod', 'week', (weeks, { now }) => daysFrom(mondayOfWeek(now.day) + 7 * weeks, 7))
// "Next weekend" may be the coming one, or the one after.
rule('widerPeriod', 'THE? which WEEKEND', (which, { now }) =>
  daysFrom(mondayOfWeek(now.day) + 5, 2 + 7 * which),
)
rule('widerPeriod', 'THE? monthName', ({ first, isNamed, hasYear }, { now }) => {
  const isOver = isNamed && !hasYear && lastOfMonth(first) < now.day
  const start = isOver ? addMonths(first, 12) : first
  return { first: start, last: lastOfMonth(start), needsIn: isNamed }
})
rule('widerPeriod', 'which YEARS', (which, { now }) => inYear(now.at.year + which))
rule('widerPeriod', 'THE? YEARS NEXT_AFTER', ({ now }) => inYear(now.at.year + 1))

const daysFrom = (first: Day, count: number): WiderPeriod => ({ first, last: first + count - 1 })

const inYear = (year: number): WiderPeriod => ({
  first: requireDay({ year, month: 1, day: 1 }),
  last: requireDay({ year, month: 12, day: 31 }),
})

rule('point', 'point COMMA? widerPeriod', 0.1, (point, period) =>
  period.needsIn ? undefined : placeInPeriod(point, period),
)
rule('point', 'point COMMA? IN|ON|OF widerPeriod', 0.1, (point, period) => placeInPeriod(point, period))
rule('point', 'widerPeriod COMMA? point', 0.1, (period, point) =>
  period.needsIn ? undefined : placeInPeriod(point, period),
)

/** Moves a point to the day that it means in the period: "friday" in "next week" is the Friday of that week. */
function placeInPeriod(point: Point, period: WiderPeriod): Point | Refusal | undefined {
  const { day, time } = point
  if (!day || !time) return undefined
  const days = daysInPeriod(day, period)
  if (!days) return createRefusal('vague', ENTER_DAY_AND_TIME)
  const [last, ...others] = days.sort((a, b) => b - a)
  if (last === undefined) return createRefusal('several', ONE_TIME)
  const { dayIfPast: _next, repeats: _repeats, lacksYear: _year, ...rest } = day
  return { ...point, day: { ...rest, day: last, alternatives: others } }
}

/** Returns undefined if the period has several such days, such as the Fridays of a month. */
function daysInPeriod(
  { day, weekday, dayOfMonth, lacksYear, inYear, alternatives = [] }: NamedDay,
  { first, last }: WiderPeriod,
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
