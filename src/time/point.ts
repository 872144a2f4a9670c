import { type Day, weekdayOf } from './calendar.ts'
import type { PartOfDay } from './vocabulary.ts'
import type { TimeOfDay } from './wall-clock.ts'
import type { NamedZone } from './zones.ts'

/** How often a day such as "monday", "the 15th" or "3 May" recurs. */
export type Repetition = 'week' | 'month' | 'year'

/** A day read from words, which may be ambiguous. */
export type NamedDay = {
  day: Day
  /** The next such day, used if the time on `day` has passed or no time is named. */
  dayIfPast?: Day | undefined
  /** Less likely days that the words may also mean. */
  alternatives?: Day[]
  /** Set if the words name only a day and a month ("3 May"), or a day that is known by its name ("Halloween"). */
  lacksYear?: 'date' | 'named-day' | undefined
  /** Finds the day in another year if the words aren't a plain date: "Halloween", "the first monday of may". */
  inYear?: ((year: number) => Day | undefined) | undefined
  /** Set if the words name a day that comes every week or month. They mean the next such day. */
  repeats?: Repetition
  /** Set if the words name only a weekday. Next to a date, it must be the weekday of the date. */
  weekday?: number
  /** Set if the words name only a day of the month, such as "the 15th". */
  dayOfMonth?: number
  /** Whether the day of the month may also be an hour: "wed 9" */
  mayBeHour?: boolean
  /** Whether a weekday next to this day must match it, as in "friday tomorrow". If not, the words name two days. */
  mustMatchWeekday?: boolean
  /** Whether the weekday is abbreviated, as in "sun", which may be another word. */
  isShort?: boolean
  assumptions?: string[]
}

/** A time of day that was read from words, which may be ambiguous. */
export type NamedTime = {
  time: TimeOfDay
  /** Set if "am" or "pm" is missing and both are possible. */
  missingMeridiem?: 'hour-only' | 'with-minutes' | undefined
  hasMeridiem?: boolean
  /** Less likely times that the words may also mean. */
  alternatives?: TimeOfDay[]
  isMidnight?: boolean
  isCurrentTime?: boolean
  /** Whether the digits may also be a year. */
  mayBeYear?: boolean
}

export type Distance = { days: number; seconds: number }

/** The day, the time and the zone that words name for one moment. */
export type Point = {
  day?: NamedDay
  /** A weekday next to the date. */
  weekday?: number
  /** The day to use if the words name no other. */
  impliedDay?: Day
  time?: NamedTime | undefined
  /** The time to use if the words name no other, as in "in 2 days". */
  defaultTime?: TimeOfDay
  partOfDay?: PartOfDay
  partModifier?: string | undefined
  zone?: NamedZone | 'own' | undefined
  /** A distance from now, as in "in 2 hours". `otherDistances` has those that the words may also mean. */
  fromNow?: Distance
  otherDistances?: Distance[]
  /** Whether the words mean the current moment, as "now" does. */
  isNow?: boolean
  /** Whether the words also allow a nearby moment: "9ish", "around noon". */
  isApproximate?: boolean
  /** Whether the words may also mean something that isn't a time, as "sun" may. */
  isWeak?: boolean
  assumptions?: string[]
}

export const isDayOnly = (point: Point): boolean =>
  point.day !== undefined && !point.time && !point.partOfDay && !point.fromNow

export const isTimeOnly = (point: Point): boolean =>
  !point.day && !point.fromNow && (point.time !== undefined || point.partOfDay !== undefined)

/** Whether one point is only a day and the other only a time, in either order. */
export const areDayAndTime = (a: Point, b: Point): boolean =>
  (isDayOnly(a) && isTimeOnly(b)) || (isTimeOnly(a) && isDayOnly(b))

/** Whether a dash between a day and a time makes them a range: "wed 9-10am", but not "tue 24 – 10am". */
export const isRangeOfHours = ({ day }: Point, { time }: Point): boolean =>
  day?.mayBeHour === true && time !== undefined && (day.dayOfMonth ?? 0) < time.time.hour

/** Joins two points that name parts of one moment. Returns undefined if they contradict each other. */
export function mergePoints(a: Point, b: Point): Point | undefined {
  if ((a.time && b.time) || (a.zone && b.zone) || (a.fromNow && (b.fromNow || b.time))) return undefined
  if (a.partOfDay && b.partOfDay) return undefined
  if (b.fromNow && a.time) return undefined
  const joinedDay = mergeDays(a, b)
  if (!joinedDay) return undefined
  const assumptions = [...(a.assumptions ?? []), ...(b.assumptions ?? [])]
  return {
    ...a,
    ...b,
    ...joinedDay,
    ...(assumptions.length && { assumptions }),
    ...((a.isWeak || b.isWeak) && { isWeak: true }),
    ...((a.isApproximate || b.isApproximate) && { isApproximate: true }),
  }
}

const contradictsWeekday = ({ day, mustMatchWeekday }: NamedDay, weekday: number) =>
  mustMatchWeekday && weekdayOf(day) !== weekday

function mergeDays(a: Point, b: Point): Pick<Point, 'day' | 'weekday'> | undefined {
  const weekday = a.weekday ?? b.weekday
  const joined = (day: NamedDay | undefined, weekday: number | undefined) => ({
    ...(day && { day }),
    ...(weekday && { weekday }),
  })
  if (!a.day || !b.day) return joined(a.day ?? b.day, weekday)
  if (weekday) return undefined
  if (b.day.weekday && !a.day.weekday)
    return contradictsWeekday(a.day, b.day.weekday) ? undefined : joined(a.day, b.day.weekday)
  if (a.day.weekday && !b.day.weekday)
    return contradictsWeekday(b.day, a.day.weekday) ? undefined : joined(b.day, a.day.weekday)
  return a.day.day === b.day.day && !a.day.weekday ? joined(b.day, undefined) : undefined
}
