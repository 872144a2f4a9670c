import {
  addMonths,
  type Day,
  dateFromDay,
  firstOfMonth,
  mondayOfWeek,
  previousOrSameWeekday,
  weekdayOf,
} from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import {
  type Direction,
  dayOf,
  namedMonths,
  oneDay,
  type Period,
  partOf,
  weekend,
  wholeMonths,
  wholeYear,
} from '../period.ts'
import { isDayOnly, type NamedDay, type Point } from '../point.ts'
import type { LocalContext } from '../reading.ts'
import { addAmounts, type Numeral, type Values } from './values.ts'

export type RangeContext = LocalContext & { direction: Direction }
type PeriodValues = Values & {
  countedDistance: number
  weekdayDate: NamedDay
  yearMonth: { year: number; month: number }
  period: Period
}

/** Rules for the periods that filters accept, such as "last week" or "q1 2027". */
export const filterPeriodRules: Rule[] = []
const rule = createRuleAdder<PeriodValues, RangeContext>(filterPeriodRules)

const MAX_AMOUNT = 999

// One day
rule('period', 'point', (point) => periodOfPoint(point))
rule('period', 'relativeDay', (distance, { now }) => (distance < 0 ? oneDay(now.day + distance) : undefined))
rule('period', 'THE? LAST weekday; THE? weekday LAST_AFTER', ({ day }, { now }) =>
  oneDay(previousOrSameWeekday(now.day - 1, day)),
)

function periodOfPoint(point: Point): Period | undefined {
  const { day, weekday } = point
  if (!day || !isDayOnly(point) || point.zone || point.defaultTime) return undefined
  const found = [day.day, ...(day.alternatives ?? [])].find((day) => !weekday || weekdayOf(day) === weekday)
  if (found === undefined) return undefined
  if (!day.inYear) return oneDay(found, day.lacksYear === 'date' ? 'year' : day.repeats)
  const shifted = (count: number) => {
    const shiftedDay = day.inYear?.(dateFromDay(found).year + count)
    return shiftedDay === undefined ? undefined : oneDay(shiftedDay)
  }
  return { ...oneDay(found), shifted }
}

// "last week", "this quarter", "the weekend"
rule('period', 'WHOLE OF? THE? period', (period) => period)
rule('distance', 'LAST', () => -1)
rule('countedDistance', 'distance', (distance) => distance)
rule('countedDistance', 'NEXT_SEVERAL', () => 1)
rule('countedDistance', 'LAST_SEVERAL', () => -1)
rule('distanceAfter', 'LAST_AFTER', () => -1)
rule('distanceAfter', 'BEFORE LAST', () => -2)
rule('period', 'week|namedMonth|distantMonth', (period) => period)
rule('period', 'distantYear', wholeYear)
rule('period', 'THE? distance WEEKEND; THE? WEEKEND distanceAfter', (distance, { now }) =>
  weekend(now.day, distance),
)
// "Next weekend" is in the next week, but "the coming weekend" is in this one.
rule('period', 'THE? COMING WEEKEND', -0.1, ({ now }) => weekend(now.day, 0))
rule('period', 'THE? WEEKEND', ({ now }) => ({ ...weekend(now.day, 0), repeats: 'week' }))
rule('period', 'THE? distance QUARTER|Q', (distance, { now }) => quarterFromNow(now.day, distance))
rule('period', 'WEEK_OF day|weekdayDate', ({ day, lacksYear }, { now, direction }) => {
  const isOver = direction === 'past' && lacksYear === 'date' && day > now.day
  const first = mondayOfWeek(isOver ? addMonths(day, -12) : day)
  return { first, last: first + 6 }
})

rule('weekdayDate', 'weekday COMMA? day', ({ day: weekday }, day) =>
  weekdayOf(day.day) === weekday ? day : undefined,
)
rule('period', 'THE? WEEKEND OF day', ({ day }) => weekend(day, 0))
rule('period', 'WEEK_ENDING day|weekdayDate', ({ day }) => ({ first: day - 6, last: day }))
rule('period', 'duration AGO; AGO_FIRST duration', -0.2, (duration, { now }) => {
  const past = addAmounts(duration, -1, now.day)
  return past && !past.seconds ? oneDay(past.day) : undefined
})
// In the future, "in 3 days" is one day, but "in 3 weeks" is the next three weeks.
rule('period', 'IN number unit', -0.1, ({ value }, { unit }, { now, direction }) =>
  direction === 'future' && unit === 'days' && Number.isInteger(value) && value <= MAX_AMOUNT
    ? oneDay(now.day + value)
    : undefined,
)

// In the past, "first monday of the month" isn't the next one.
rule('period', 'THE? dayFinder OF|IN? THE? current', -0.2, (find, period) => dayOf(period, find))

// "first week of december"
rule('period', 'THE? nth WEEKS OF|IN THE? namedMonth|distantMonth|current', (nth, month) =>
  partOf(month, (month) => weekOfMonth(nth, month)),
)

// "first half of december", "second half of next year", "h1 2027"
rule('period', 'THE? nth HALF OF|IN? THE? monthOrYear', (nth, period) =>
  partOf(period, (period) => halfOf(period, nth)),
)
rule('period', 'H number ofYear?', ({ value }, year, { now }) =>
  partOf(namedMonths(1, 12, now.at.year, year), (period) => halfOf(period, value)),
)

/** Splits a month after its 15th day, and a year after six months. */
function halfOf({ first, last }: Period, nth: number): Period | undefined {
  const middle = last - first > 31 ? addMonths(first, 6) : first + 15
  if (nth === 1) return { first, last: middle - 1 }
  return nth === 2 || nth === -1 ? { first: middle, last } : undefined
}

/** Seven days, counted from the first day of the month, or back from its last. */
function weekOfMonth(nth: number, { first, last }: Period): Period | undefined {
  const day = nth < 0 ? last - 6 : first + 7 * (nth - 1)
  return nth < 5 && nth > -2 && nth !== 0 ? { first: day, last: day + 6 } : undefined
}

function quarterFromNow(today: Day, distance: number): Period {
  const firstOfQuarter = firstOfMonth(today, -((dateFromDay(today).month - 1) % 3))
  return wholeMonths(firstOfMonth(firstOfQuarter, 3 * distance), 3)
}

// "next 30 days", "last 2 months", "3 weeks", "3 days starting 1 december"
rule('period', 'number unit STARTING ON? THE? day', (number, unit, { day }) =>
  countedPeriod(number, unit, 1, day),
)
rule('period', 'THE? number unit', (number, unit, { now, direction }) =>
  countedPeriod(number, unit, direction === 'future' ? 1 : -1, now.day),
)
rule('period', 'THE? distance unit', (distance, unit, { now }) =>
  unit.unit === 'fortnights' ? countedPeriod({ value: 1, digits: 0 }, unit, distance, now.day) : undefined,
)
rule('period', 'THE? countedDistance number unit', (distance, number, unit, { now }) =>
  countedPeriod(number, unit, distance, now.day),
)
rule('period', 'THE? number countedDistance unit', (number, distance, unit, { now }) =>
  countedPeriod(number, unit, distance, now.day),
)

/** On 20 November, "next 2 months" ends on 19 January. */
function countedPeriod(number: Numeral, { unit }: Values['unit'], direction: number, today: Day) {
  const amount = direction * number.value
  const days = { days: amount, weeks: 7 * amount, fortnights: 14 * amount }[unit as 'days']
  if (amount === 0 || number.value > MAX_AMOUNT || (days === undefined && unit !== 'months')) return undefined
  const otherEnd = days === undefined ? addMonths(today, amount) - direction : today + days - direction
  return { first: Math.min(today, otherEnd), last: Math.max(today, otherEnd) }
}

// "march", "december last year", "q1 2027", "2026"
rule('period', 'THE? MONTHS OF namedMonth', (month) => month)
rule('period', 'yearMonth', ({ year, month }) => namedMonths(month, 1, year, year))
rule('period', 'LAST month', (month, { now }) => lastNamedMonth(month, now.day))
rule('period', 'NEXT month', (month, { now }) => namedMonths(month, 1, 0, now.at.year + 1))
rule('period', 'Q number ofYear?', ({ value }, year, { now }) =>
  value > 0 && value < 5 ? namedMonths(3 * value - 2, 3, now.at.year, year) : undefined,
)
rule('period', 'year', 0.1, wholeYear)

function lastNamedMonth(month: number, today: Day): Period {
  const { year, month: thisMonth } = dateFromDay(today)
  return namedMonths(month, 1, 0, month < thisMonth ? year : year - 1)
}
