import { type Day, dateFromDay, dayFromDate, dayInMonth } from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import type { NamedDay } from '../point.ts'
import type { PartOfDay } from '../vocabulary.ts'
import type { TimeOfDay } from '../wall-clock.ts'
import {
  oneDay,
  type Period,
  type RangeContext,
  weekFromNow,
  wholeMonths,
  wholeYear,
} from './filter-periods.ts'
import type { Values } from './values.ts'

/** Hours of a day, in minutes since midnight. */
export type Hours = { from: number; to: number; isBare?: boolean }

/** Consecutive days, or hours of one day. An `open` span lacks its beginning or its end. */
export type Span =
  | { kind: 'one'; period: Period; hours?: Hours }
  | { kind: 'between'; start: Period; end: Period; isList?: boolean }
  | { kind: 'open'; period: Period; bound: 'since' | 'from' | 'after' | 'until' | 'before' }
  | { kind: 'since'; start: Period; end: Period }
  | { kind: 'now'; from: number; to: number }
  | { kind: 'time'; time: TimeOfDay }

type RangeValues = Values & {
  distance: number
  current: Period
  period: Period
  span: Span
  hours: Hours
  timeOfRange: RangeTime
  DOTS: null
}
type RangeTime = { minutes: number; meridiem?: 'am' | 'pm' | undefined; isBare: boolean }

/** Ranges of days, for filters. */
export const rangeRules: Rule[] = []
const rule = createRuleAdder<RangeValues, RangeContext>(rangeRules)

// "since monday", "from 1 dec on", "until friday"
rule('span', 'IN|ON|FOR|DURING? THE? period', (period) => ({ kind: 'one', period }))
rule('span', 'ANYTHING span', (span) => span)
// "Posts from last week" doesn't include later posts.
rule('span', 'ANYTHING FROM THE? period', -0.1, (period, { direction, now }) =>
  direction === 'past' || period.last < now.day ? { kind: 'one', period } : undefined,
)
rule('span', 'SINCE THE? period', (period) => ({ kind: 'open', period, bound: 'since' }))
rule('span', 'FROM|STARTING THE? period ONWARDS|ON?; period ONWARDS', (period) => ({
  kind: 'open',
  period,
  bound: 'from',
}))
rule('span', 'AFTER THE? period', (period) => ({ kind: 'open', period, bound: 'after' }))
rule('span', 'BEFORE THE? period', (period) => ({ kind: 'open', period, bound: 'before' }))
rule('span', 'TO|UNTIL THE? period', (period) => ({ kind: 'open', period, bound: 'until' }))
rule('span', 'SINCE AT? clock', ({ time }) => ({ kind: 'time', time }))
rule('span', 'SINCE period TO period', (start, end) => ({ kind: 'since', start, end }))
rule('span', 'SINCE|FROM? period TO|UNTIL|DASH NOW', (start, { now }) => ({
  kind: 'since',
  start,
  end: oneDay(now.day),
}))
rule('current', 'WEEKS', ({ now }) => weekFromNow(0, now.day))
rule('current', 'MONTHS', ({ now }) => wholeMonths(now.day))
rule('current', 'YEARS', ({ now }) => wholeYear(now.at.year))
rule('current', 'month', (month, { now }) =>
  month === dateFromDay(now.day).month ? wholeMonths(now.day) : undefined,
)
rule('span', 'WHOLE current', ({ first, last }) => days(first, last))
rule('span', 'THE? REST OF? THE? THIS? current', ({ last }, { now }) => days(now.day, last))
rule('span', 'THE? THIS? current SO_FAR', ({ first }, { now }) => days(first, now.day))
rule('span', 'YEAR_TO_DATE', -0.1, ({ now }) => days(wholeYear(now.at.year).first, now.day))
rule('span', 'MONTH_TO_DATE', ({ now }) => days(wholeMonths(now.day).first, now.day))
rule('span', 'relativeDay SO_FAR', (distance, { now }) => (distance ? undefined : days(now.day, now.day)))
rule('span', 'SO_FAR THIS current', ({ first }, { now }) => days(first, now.day))
rule('span', 'THE? distance number HOURS', (distance, { value }) => fromNow(60 * value * distance))
rule('span', 'THE? distance number MINUTES', (distance, { value }) => fromNow(value * distance))

const days = (first: Day, last: Day): Span => ({ kind: 'one', period: { first, last } })

const fromNow = (minutes: number): Span => ({
  kind: 'now',
  from: Math.min(0, minutes),
  to: Math.max(0, minutes),
})

// "monday to friday", "between nov 20 and nov 25", "monday and tuesday"
rule(
  'span',
  'FROM|BETWEEN? period TO|DASH|DOTS THE? period; BETWEEN period AND THE? period',
  (start, end) => ({
    kind: 'between',
    start,
    end,
  }),
)
rule('span', 'period AND|OR|PLUS|COMMA|SLASH THE? period', (start, end) => ({
  kind: 'between',
  start,
  end,
  isList: true,
}))

// "2026-12-01/2026-12-05", "1 dec..5 dec", "2026-12-01.."
rule('DOTS', 'PERIOD PERIOD', () => null)
rule('span', 'isoDay SLASH isoDay', -0.1, (start, end) => between(start, end))
rule('span', 'isoDay DOTS', ({ day }) => ({ kind: 'open', period: oneDay(day), bound: 'from' }))
rule('span', 'DOTS isoDay', ({ day }) => ({ kind: 'open', period: oneDay(day), bound: 'until' }))

// "nov 20-25", "3rd to 7th december", "april 12-16, 2027"
rule('span', 'FROM|BETWEEN? THE? dayNumber TO|DASH|AND THE? day', (number, day) =>
  between(dayInSameMonth(day, number), day),
)
rule('span', 'FROM|BETWEEN? day TO|DASH THE? dayNumber', (day, number) =>
  between(day, dayInSameMonth(day, number)),
)
rule('span', 'FROM? day TO|DASH THE? dayNumber COMMA? year', (day, number, year) => {
  const first = sameDateInYear(day, year)
  return between(first, first && dayInSameMonth(first, number))
})

const isCalendarDate = ({ lacksYear, weekday, dayOfMonth }: NamedDay) =>
  lacksYear !== 'named-day' && !weekday && !dayOfMonth

function dayInSameMonth(day: NamedDay, dayOfMonth: number): NamedDay | undefined {
  const other = dayInMonth(day.day, 0, dayOfMonth)
  return other === undefined || !isCalendarDate(day) ? undefined : { ...day, day: other }
}

function sameDateInYear({ day }: NamedDay, year: number): NamedDay | undefined {
  const { month, day: dayOfMonth } = dateFromDay(day)
  const other = dayFromDate({ year, month, day: dayOfMonth })
  return other === undefined ? undefined : { day: other }
}

function between(start: NamedDay | undefined, end: NamedDay | undefined): Span | undefined {
  if (!start || !end) return undefined
  const toPeriod = ({ day, lacksYear }: NamedDay) => oneDay(day, lacksYear ? 'year' : undefined)
  return { kind: 'between', start: toPeriod(start), end: toPeriod(end) }
}

// "tomorrow morning", "yesterday afternoon", "tonight"
const PARTS: Record<PartOfDay, Hours> = {
  morning: { from: 6 * 60, to: 12 * 60 },
  noon: { from: 12 * 60, to: 14 * 60 },
  afternoon: { from: 12 * 60, to: 18 * 60 },
  evening: { from: 18 * 60, to: 24 * 60 },
  night: { from: 18 * 60, to: 24 * 60 },
}
rule('hours', 'IN_PART? partOfDay', (part) => PARTS[part])
rule('span', 'TONIGHT', ({ now }) => ({ kind: 'one', period: oneDay(now.day), hours: PARTS.night }))
rule('span', 'THIS hours', (hours, { now }) => ({ kind: 'one', period: oneDay(now.day), hours }))

// "tomorrow 9-11am", "14:00 to 16:00 on friday"
rule('timeOfRange', 'hour', ({ value }) => (value <= 24 ? { minutes: 60 * value, isBare: true } : undefined))
rule('timeOfRange', 'hour meridiem', ({ value }, meridiem) =>
  value > 0 && value <= 12 ? { minutes: 60 * (value % 12), meridiem, isBare: false } : undefined,
)
rule('timeOfRange', 'digital meridiem?', ({ hour, minute }, meridiem) => {
  if (Number(minute) > 59 || Number(hour) > (meridiem ? 12 : 24)) return undefined
  const hours = meridiem ? Number(hour) % 12 : Number(hour)
  return { minutes: 60 * hours + Number(minute), meridiem, isBare: false }
})
rule('timeOfRange', 'NOON', () => ({ minutes: 0, meridiem: 'pm', isBare: false }))
rule('hours', 'FROM|BETWEEN? timeOfRange TO|DASH|AND timeOfRange', (start, end) => readHours(start, end))
rule('span', 'period COMMA? hours', (period, hours) => spanOfHours(period, hours))
rule('span', 'hours COMMA? ON? period', (hours, period) => spanOfHours(period, hours))
// Without a day next to it, "13-15" may name days of a month.
rule('span', 'hours', (hours, { now }) =>
  hours.isBare && hours.to > 12 * 60 ? undefined : spanOfHours(oneDay(now.day), hours),
)

/** Without am or pm and without minutes, an hour before 7 may be in the afternoon. */
function readHours(start: RangeTime, end: RangeTime): Hours | undefined {
  if (end.isBare && !(start.isBare && start.minutes >= 7 * 60)) return undefined
  const halfDay = 12 * 60
  const to = end.minutes + (end.meridiem === 'pm' ? halfDay : 0)
  const meridiem = start.meridiem ?? end.meridiem
  const startInSameHalf =
    (start.isBare && end.meridiem ? start.minutes % halfDay : start.minutes) +
    (meridiem === 'pm' ? halfDay : 0)
  // "11-1pm" begins in the morning.
  const from = startInSameHalf > to && !start.meridiem ? startInSameHalf - halfDay : startInSameHalf
  return from >= 0 && from < to && to < 24 * 60 ? { from, to, isBare: end.isBare } : undefined
}

const spanOfHours = (period: Period, { from, to }: Hours): Span | undefined =>
  period.first === period.last ? { kind: 'one', period, hours: { from, to } } : undefined
