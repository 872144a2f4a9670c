import { addMonths, type Day, dateFromDay, dayInMonth, nextOrSameWeekday } from '../calendar.ts'
import type { Rule } from '../chart.ts'
import { occurrenceOf, type Period, weekend, wholeYear } from '../period.ts'
import type { NamedDay, Point } from '../point.ts'
import { createRefusal, type LocalContext, type Refusal } from '../reading.ts'
import { ENTER_DAY_AND_TIME, ONE_TIME } from '../refusals.ts'
import { ruleAdderFor } from './values.ts'

/** Periods that are named apart from the day, as in "friday 9am next week". */
export const periodRules: Rule[] = []
const rule = ruleAdderFor(periodRules)

rule('widerPeriod', 'week|distantMonth', (period) => period)
rule('widerPeriod', 'distantYear', wholeYear)
// "Next weekend" may be the coming one, or the one after.
rule('widerPeriod', 'THE? distance WEEKEND', (distance, { now }) => ({
  first: weekend(now.day, 0).first,
  last: weekend(now.day, distance).last,
}))

rule('point', 'point COMMA? widerPeriod', 0.1, placeInPeriod)
// A month's name needs "in" before it, because "may" is also a verb.
rule('point', 'point COMMA? IN|ON|OF widerPeriod|namedMonth', 0.1, placeInPeriod)
rule('point', 'widerPeriod COMMA? point', 0.1, (period, point, local) => placeInPeriod(point, period, local))

/** Moves a point to the day that it means in the period: "friday" in "next week" is the Friday of that week. */
function placeInPeriod(point: Point, period: Period, { now }: LocalContext): Point | Refusal | undefined {
  const { day, time } = point
  if (!day || !time) return undefined
  const days = daysInPeriod(day, occurrenceOf(period, 'future', now.day))
  if (!days) return createRefusal('vague', ENTER_DAY_AND_TIME)
  const [last, ...others] = days.sort((a, b) => b - a)
  if (last === undefined) return createRefusal('several', ONE_TIME)
  const { dayIfPast: _next, repeats: _repeats, lacksYear: _year, ...rest } = day
  return { ...point, day: { ...rest, day: last, alternatives: others } }
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
