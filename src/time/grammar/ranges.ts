import { type Day, dateFromDay, dayFromDate, dayInMonth } from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import {
  asYearly,
  occurrenceOf,
  oneDay,
  type Period,
  weekFromNow,
  wholeMonths,
  wholeYear,
} from '../period.ts'
import type { NamedDay, NamedTime } from '../point.ts'
import { createRefusal, type Refusal } from '../reading.ts'
import type { PartOfDay } from '../vocabulary.ts'
import { secondsOfDay, type TimeOfDay } from '../wall-clock.ts'
import { readDigital, toTimeWithoutMeridiem } from './clocks.ts'
import type { RangeContext } from './filter-periods.ts'
import type { Numeral, Unit, Values } from './values.ts'

/** A range in minutes, counted from midnight for hours of a day, or from now. */
type MinuteRange = { from: number; to: number; isBare?: boolean }

/** Consecutive days, or hours of one day. A span without `first` or `last` is open at that end. */
export type Span = {
  first?: Day
  last?: Day
  hours?: MinuteRange
  /** The time on the first day. */
  time?: TimeOfDay
  /** Minutes from now, instead of days. */
  fromNow?: MinuteRange
  problem?: Refusal
}

type RangeValues = Values & {
  countedDistance: number
  currentPeriod: Period
  period: Period
  span: Span
  hours: MinuteRange
  compactTime: NamedTime
  DOTS: null
}

/** Rules for ranges of days in filters. */
export const rangeRules: Rule[] = []
const rule = createRuleAdder<RangeValues, RangeContext>(rangeRules)

// "since monday", "from 1 dec on", "until friday"
rule('span', 'IN|ON|FOR|DURING? THE? period', resolvePeriod)
rule('span', 'ANYTHING span; span INCLUSIVE', (span) => span)
// "Posts from last week" doesn't include later posts.
rule('span', 'ANYTHING FROM THE? period', -0.1, (period, local) =>
  local.direction === 'past' || period.last < local.now.day ? resolvePeriod(period, local) : undefined,
)
rule('span', 'SINCE THE? period', (period, local) => ({
  first: resolvePeriod(period, { ...local, direction: 'past' }).first,
}))
rule('span', 'FROM|STARTING THE? period ONWARDS|ON?; period ONWARDS', (period, local) => ({
  first: resolvePeriod(period, local).first,
}))
rule('span', 'AFTER THE? period', (period, local) => ({ first: resolvePeriod(period, local).last + 1 }))
rule('span', 'BEFORE THE? period', -0.1, (period, local) => ({
  last: resolvePeriod(period, local).first - 1,
}))
rule('span', 'TO|UNTIL THE? period', (period, local) => ({ last: resolvePeriod(period, local).last }))
rule('span', 'SINCE AT? clock', ({ time }, { now }) => ({ first: now.day, time }))
rule('span', 'SINCE period TO period', (start, end, { now }) => since(start, end, now.day))
rule('span', 'SINCE|FROM? period TO|UNTIL|DASH NOW', (start, { now }) =>
  since(start, oneDay(now.day), now.day),
)
rule('span', 'FROM? NOW TO|UNTIL|DASH THE? period', (period, local) => ({
  first: local.now.day,
  last: resolvePeriod(period, { ...local, direction: 'future' }).last,
}))
rule('currentPeriod', 'current', (period) => period)
rule('currentPeriod', 'WEEKS', ({ now }) => weekFromNow(0, now.day))
rule('currentPeriod', 'month', (month, { now }) =>
  month === dateFromDay(now.day).month ? wholeMonths(now.day) : undefined,
)
rule('span', 'WHOLE currentPeriod', ({ first, last }) => ({ first, last }))
rule('span', 'THE? REST OF? THE? THIS? currentPeriod', ({ last }, { now }) => ({
  first: now.day,
  last: last,
}))
rule('span', 'THE? THIS? currentPeriod SO_FAR; SO_FAR THIS currentPeriod', ({ first }, { now }) => ({
  first,
  last: now.day,
}))
rule('span', 'YEAR_TO_DATE', -0.1, ({ now }) => ({ first: wholeYear(now.at.year).first, last: now.day }))
rule('span', 'MONTH_TO_DATE', ({ now }) => ({ first: wholeMonths(now.day).first, last: now.day }))
rule('span', 'relativeDay SO_FAR', (distance, { now }) =>
  distance ? undefined : { first: now.day, last: now.day },
)
// "les 48 prochaines heures"
rule('span', 'THE? number countedDistance unit', (number, distance, unit) =>
  minutesFromNow(distance, number, unit),
)
rule('span', 'THE? countedDistance number unit', minutesFromNow)

function minutesFromNow(distance: number, { value }: Numeral, { unit }: Unit): Span | undefined {
  if (unit !== 'hours' && unit !== 'minutes') return undefined
  const minutes = distance * value * (unit === 'hours' ? 60 : 1)
  return { fromNow: { from: Math.min(0, minutes), to: Math.max(0, minutes) } }
}

function resolvePeriod(period: Period, { direction, now }: RangeContext): { first: Day; last: Day } {
  return occurrenceOf(asYearly(period), direction, now.day)
}

function since(start: Period, end: Period, today: Day): Span {
  const { first } = occurrenceOf(asYearly(start), 'past', today)
  return { first, last: occurrenceOf(asYearly(end), 'future', first).last }
}

// "monday to friday", "between nov 20 and nov 25", "monday and tuesday"
rule(
  'span',
  'FROM|BETWEEN? period TO|UNTIL|DASH|DOTS THE? period; BETWEEN period AND THE? period',
  spanOfPeriods,
)
rule('span', 'period AND|OR|PLUS|COMMA|SLASH THE? period', (start, end, local) => {
  const span = spanOfPeriods(start, end, local)
  const { first = 0, last = 0, problem } = span
  const count = start.last - start.first + 1 + (end.last - end.first + 1)
  const isGap = !problem && last - first + 1 !== count
  return isGap ? { problem: createRefusal('several', NOT_CONSECUTIVE) } : span
})

const NOT_CONSECUTIVE =
  'Those days aren\'t consecutive. Enter one of them, or a range such as "monday to friday".'
export const REVERSED = 'The range ends before it starts. Enter the earlier day first.'
const MAX_DAYS_ACROSS_YEARS = 300

/** Whether two dates without a year are in the wrong order: "5 dec to 1 dec" */
const areReversed = (first: Day, last: Day): boolean =>
  dateFromDay(first).year !== dateFromDay(last).year && last - first > MAX_DAYS_ACROSS_YEARS

/**
 * A span in the future begins with the next occurrence of its start. A span in the past ends with the latest occurrence of
 * its end.
 */
function spanOfPeriods(from: Period, to: Period, { direction, now }: RangeContext): Span {
  const isDate = ({ repeats, first, last }: Period) => repeats === 'year' && first === last
  const yearly = [asYearly(from), asYearly(to)] as const
  const areDates = yearly.every(isDate)
  const [start, end] = areDates || direction === 'past' ? yearly : [from, to]
  if (areDates) {
    // On 20 November, "nov 18 to nov 25" has already begun.
    const { last } = occurrenceOf(end, 'future', now.day)
    const { first } = occurrenceOf(start, 'past', last)
    if (first <= now.day && !areReversed(first, last)) return { first, last }
  }
  if (direction === 'future' && (end.repeats || start.repeats !== 'year')) {
    const { first } = occurrenceOf(start, 'future', now.day)
    const { last } = occurrenceOf(end, 'future', first)
    return areDates && areReversed(first, last)
      ? { problem: createRefusal('invalid', REVERSED) }
      : { first, last }
  }
  const latest = occurrenceOf(end, 'past', now.day).last
  // "last week to christmas"
  const isAhead = !start.repeats && latest < start.first
  const last = isAhead ? occurrenceOf(end, 'future', start.first).last : latest
  const { first } = occurrenceOf(start, 'past', last)
  const isReversed = isDate(start) && end.first === end.last && areReversed(first, last)
  return isReversed ? { problem: createRefusal('invalid', REVERSED) } : { first, last }
}

// "2026-12-01/2026-12-05", "1 dec..5 dec", "2026-12-01.."
rule('DOTS', 'PERIOD PERIOD', () => null)
rule('span', 'isoDay SLASH isoDay', -0.1, between)
rule('span', 'isoDay DOTS', ({ day }) => ({ first: day }))
rule('span', 'DOTS isoDay', ({ day }) => ({ last: day }))

/** In Portuguese, "segunda" is Monday rather than the second. */
const NUMBER_COST = 0.01
// "nov 20-25", "3rd to 7th december", "april 12-16, 2027"
rule('span', 'FROM|BETWEEN? THE? dayNumber TO|DASH|AND THE? day', NUMBER_COST, (number, day, local) =>
  between(dayInSameMonth(day, number), day, local),
)
rule('span', 'FROM|BETWEEN? day TO|DASH THE? dayNumber', NUMBER_COST, (day, number, local) =>
  between(day, dayInSameMonth(day, number), local),
)
rule('span', 'FROM? day TO|DASH THE? dayNumber COMMA? year', (day, number, year, local) => {
  const first = sameDateInYear(day, year)
  return between(first, first && dayInSameMonth(first, number), local)
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

function between(
  start: NamedDay | undefined,
  end: NamedDay | undefined,
  local: RangeContext,
): Span | undefined {
  if (!start || !end) return undefined
  const toPeriod = ({ day, lacksYear }: NamedDay) => oneDay(day, lacksYear ? 'year' : undefined)
  return spanOfPeriods(toPeriod(start), toPeriod(end), local)
}

// "tomorrow morning", "yesterday afternoon", "tonight"
const HOURS_OF_PARTS: Record<PartOfDay, MinuteRange> = {
  morning: { from: 6 * 60, to: 12 * 60 },
  noon: { from: 12 * 60, to: 14 * 60 },
  afternoon: { from: 12 * 60, to: 18 * 60 },
  evening: { from: 18 * 60, to: 24 * 60 },
  night: { from: 18 * 60, to: 24 * 60 },
}
rule('hours', 'IN_PART partOfDay', (part) => HOURS_OF_PARTS[part])
// In Spanish, "mañana" alone is tomorrow.
rule('hours', 'partOfDay', 0.05, (part) => HOURS_OF_PARTS[part])
rule('span', 'TONIGHT', ({ now }) => ({ ...oneDay(now.day), hours: HOURS_OF_PARTS.night }))
rule('span', 'THIS hours', (hours, { now }) => ({ ...oneDay(now.day), hours }))

// "tomorrow 9-11am", "14:00 to 16:00 on friday"
// Only a range shows that "930" is a time.
rule('compactTime', 'digital', (digital) =>
  digital.style === 'three digits' ? readDigital(digital) : undefined,
)
rule('hours', 'FROM|BETWEEN? hour|clock|compactTime TO|DASH|AND hour|clock|compactTime', (start, end) =>
  readHours(start, end),
)
rule('span', 'period COMMA? hours', spanOfHours)
rule('span', 'hours COMMA? ON? period', (hours, period, local) => spanOfHours(period, hours, local))
// Without a day next to it, "13-15" may name days of a month.
rule('span', 'hours', (hours, local) =>
  hours.isBare && hours.to > 12 * 60 ? undefined : spanOfHours(oneDay(local.now.day), hours, local),
)

/** Returns undefined for hours such as "3-5", which may be in the morning or in the afternoon. */
function readHours(first: Numeral | NamedTime, last: Numeral | NamedTime): MinuteRange | undefined {
  const [start, end] = [first, last].map((time) => ('value' in time ? toTimeWithoutMeridiem(time) : time))
  const isBare = 'value' in last
  if (!start || !end || start.isMidnight) return undefined
  if (isBare && !('value' in first && first.value >= 7)) return undefined
  const [written, to] = [start, end].map(({ time }) => secondsOfDay(time) / 60) as [number, number]
  // "2-5pm" begins in the afternoon, but "11-1pm" in the morning.
  const inMorning = written % (12 * 60)
  const mayBeBoth = start.missingMeridiem && end.hasMeridiem
  const from = mayBeBoth ? [inMorning + 12 * 60, inMorning].find((minutes) => minutes < to) : written
  return from !== undefined && from < to ? { from, to, isBare } : undefined
}

function spanOfHours(period: Period, hours: MinuteRange, local: RangeContext): Span | undefined {
  return period.first === period.last ? { ...resolvePeriod(period, local), hours } : undefined
}
