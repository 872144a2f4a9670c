import { addMonths, type Day } from '../calendar.ts'
import { createRuleAdder, type Rule } from '../chart.ts'
import type { HolidayName } from '../holidays.ts'
import type { Period } from '../period.ts'
import type { NamedDay, NamedTime, Point } from '../point.ts'
import type { LocalContext, Refusal, RefusalReason } from '../reading.ts'
import type { PartOfDay, UnitName } from '../vocabulary.ts'
import type { NamedZone } from '../zones.ts'

export type Numeral = {
  value: number
  /** How many digits were typed, or 0 if the number is a word such as "nine". */
  digits: number
}
export type Unit = { unit: UnitName; isShort: boolean }
export type Amount = { amount: number; unit: UnitName; isShort: boolean }
export type Duration = {
  amounts: Amount[]
  isApproximate?: boolean
  mayBeDayLonger?: boolean
  assumptions?: string[]
}
/** A time in digits, such as "14:30" or "1430". */
export type DigitalTime = {
  hour: string
  minute: string
  second?: string | undefined
  style: 'colon' | 'period' | 'h' | 'four digits' | 'three digits' | 'ISO'
}
/** Finds a day such as "the last friday" in a month or a year. */
export type DayFinder = (period: Period) => Day | undefined

/** The value of each type. Types in capitals, which the vocabularies list, are words without a value. */
export type Values = {
  number: Numeral
  tens: number
  decimal: number
  ordinal: number
  nth: number
  dayNumber: number
  year: number
  hour: Numeral
  minutes: number
  exactMinutes: number
  weekday: { day: number; isShort: boolean }
  weekdays: number
  weekdayPart: { weekday: number; part: PartOfDay }
  month: number
  distance: number
  distanceAfter: number
  week: Period
  weekCount: number
  ofYear: number
  distantYear: number
  shortYear: number
  monthDay: { day: number; month: number }
  unit: Unit
  amount: Amount
  fraction: number
  andFraction: number
  duration: Duration
  meridiem: 'am' | 'pm'
  partOfDay: PartOfDay
  isoDay: NamedDay
  modifier: 'early' | 'mid' | 'late'
  relativeDay: number
  holiday: HolidayName
  undatedHoliday: string
  digital: DigitalTime
  clock: NamedTime
  wholeHour: NamedTime
  base: NamedTime
  noonOrMidnight: NamedTime
  TWELVE: null
  namedMonth: Period
  distantMonth: Period
  current: Period
  monthOrYear: Period
  countedMonth: Period
  dayFinder: DayFinder
  day: NamedDay
  widerPeriod: Period
  component: Point
  bareTime: Point
  point: Point
  pair: Point[]
  place: NamedZone
  offset: NamedZone
  weakZone: NamedZone
  strongZone: NamedZone
  /** A place whose name is also another word of the user's language. */
  wordPlace: NamedZone
  zone: NamedZone | 'own'
  refused: RefusalReason
  problem: Refusal
}

export const ruleAdderFor = (rules: Rule[]) => createRuleAdder<Values, LocalContext>(rules)

const MAX_AMOUNT = 100_000
/** In the year 9909. */
const MAX_DAY = 2_900_000

/** Adds the days and longer units of a duration to a day, and returns the rest in seconds. */
export function addAmounts(
  { amounts }: Duration,
  direction: 1 | -1,
  from: Day,
): { day: Day; seconds: number } | undefined {
  let day = from
  let seconds = 0
  for (const { amount: written, unit } of amounts) {
    if (written > MAX_AMOUNT) return undefined
    const amount = direction * written
    if (unit === 'hours') seconds += amount * 3600
    else if (unit === 'minutes') seconds += amount * 60
    else if (unit === 'seconds') seconds += amount
    else if (unit === 'days' && !Number.isInteger(amount)) seconds += amount * 86_400
    else if (unit === 'days') day += amount
    else if (unit === 'weeks') day += Math.round(amount * 7)
    else if (unit === 'fortnights') day += Math.round(amount * 14)
    else if (unit === 'months' && !Number.isInteger(amount)) return undefined
    else day = addMonths(day, unit === 'months' ? amount : Math.round(amount * 12))
  }
  return Math.abs(day) <= MAX_DAY ? { day, seconds } : undefined
}

export const oneUnit = (unit: Unit): Duration => ({ amounts: [{ ...unit, amount: 1 }] })

/** Whether a unit measures elapsed time rather than calendar days. */
export const isClockUnit = (unit: string): boolean => ['hours', 'minutes', 'seconds'].includes(unit)
