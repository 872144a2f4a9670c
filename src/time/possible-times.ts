import type { Day } from './calendar.ts'
import type { NamedTime, Point } from './point.ts'
import type { LocalContext } from './reading.ts'
import type { PartOfDay } from './vocabulary.ts'
import { secondsOfDay, type TimeOfDay, timeOfDay } from './wall-clock.ts'

/** The times of day that the words may mean, the likeliest first. */
export type PossibleTimes = {
  times: PossibleTime[]
  /** The question to ask if more than one time is possible. */
  question?: string
  assumptions?: string[]
  /** Whether only am or pm is missing. If one of the two times has passed, the user means the other. */
  isOnlyMeridiemMissing?: boolean
}

type PossibleTime = { time: TimeOfDay; daysLater?: number }

export function findPossibleTimes(point: Point, day: Day | undefined, local: LocalContext): PossibleTimes {
  const possibleTimes = findTimes(point, day, local)
  const [only, another] = possibleTimes.times
  if (!point.isApproximate || !only || another) return possibleTimes
  const minutes = only.time.hour * 60 + only.time.minute + 30
  const later = {
    time: timeOfDay(Math.floor(minutes / 60) % 24, minutes % 60),
    daysLater: (only.daysLater ?? 0) + (minutes < 24 * 60 ? 0 : 1),
  }
  return { ...possibleTimes, times: [only, later], question: 'What time exactly?' }
}

function findTimes(point: Point, day: Day | undefined, { now }: LocalContext): PossibleTimes {
  const { time: named, partOfDay, defaultTime, partModifier } = point
  if (!named) {
    if (defaultTime && !partOfDay) return keepTimeOfDay(defaultTime, point)
    const { usual, others } = partOfDay ? findHours(partOfDay, partModifier) : DEFAULT_HOURS
    // A weekday without a time never means today.
    const isToday = day === now.day && (partOfDay || !point.day?.dayIfPast)
    const hours = isToday ? futureHours(usual, others, now.time) : usual
    return { times: wholeHours(...hours), question: 'What time?' }
  }
  const { time, missingMeridiem, alternatives, isMidnight } = named
  if (isMidnight && day === undefined) return { times: wholeHours(0), assumptions: ['the next midnight'] }
  if (isMidnight) {
    const times = [{ time: timeOfDay(0), daysLater: 1 }, { time: timeOfDay(0) }]
    return { times, question: 'Midnight at the end of that day, or at the start?' }
  }
  if (alternatives)
    return { times: [time, ...alternatives].map((time) => ({ time })), question: 'What time?' }
  if (partOfDay) return findTimesInPartOfDay(named, partOfDay, partModifier, day, now)
  // After 9:00, "today at 9" is in the evening, but "friday 9" may be next Friday.
  const today = point.zone || point.day?.weekday ? undefined : now
  return missingMeridiem ? findAmOrPm(named, day, today) : { times: [{ time }] }
}

function keepTimeOfDay(time: TimeOfDay, { isApproximate }: Point): PossibleTimes {
  return isApproximate
    ? { times: [{ time }, ...wholeHours(9)], question: 'What time?' }
    : { times: [{ time }], assumptions: ['at the current time of day'] }
}

const formatUnpaddedTime = ({ hour, minute }: TimeOfDay) => `${hour}:${String(minute).padStart(2, '0')}`

const wholeHours = (...hours: number[]): PossibleTime[] => hours.map((hour) => ({ time: timeOfDay(hour) }))

/** Returns the usual hours still to come, and enough others to offer two. If none is left, returns all usual hours. */
function futureHours(usual: number[], others: number[], now: TimeOfDay): number[] {
  const hours = usual.filter((hour) => hour > now.hour)
  const otherHours = others.filter((hour) => hour > now.hour && !hours.includes(hour))
  const hoursToOffer = [...hours, ...otherHours.slice(0, Math.max(0, 2 - hours.length))]
  return hoursToOffer.length ? hoursToOffer : usual
}

type Hours = {
  /** The likeliest first. */
  usual: number[]
  /** An hour before `first` or after `last` leads to a question. */
  first: number
  last: number
}

const HOURS_BY_PART_OF_DAY: Record<PartOfDay, Hours> = {
  morning: { usual: [9, 8, 10], first: 0, last: 11 },
  noon: { usual: [12, 13], first: 11, last: 14 },
  afternoon: { usual: [15, 14, 16], first: 12, last: 18 },
  evening: { usual: [19, 18, 20], first: 16, last: 23 },
  night: { usual: [20, 21, 22], first: 17, last: 23 },
}

/** "End of friday" may be the end of the working day (17:00 or 18:00), or of the day itself (23:00). */
export const END_OF_DAY: NamedTime = { time: timeOfDay(17), alternatives: [timeOfDay(18), timeOfDay(23)] }

const DEFAULT_HOURS = { usual: [9, 12, 17], others: [20, 22, 23] }

const USUAL_HOURS_BY_MODIFIER: Record<string, number[]> = {
  'early morning': [7, 6, 8],
  'mid morning': [10, 11],
  'late morning': [11, 10],
  'early afternoon': [13, 14],
  'mid afternoon': [15, 14, 16],
  'late afternoon': [17, 16],
  'early evening': [18, 17],
  'late evening': [21, 22],
  'late night': [23, 22],
}

function findHours(part: PartOfDay, modifier: string | undefined) {
  const { usual, last } = HOURS_BY_PART_OF_DAY[part]
  const others = Array.from({ length: last - (usual[0] ?? 0) + 1 }, (_, index) => (usual[0] ?? 0) + index)
  return { usual: USUAL_HOURS_BY_MODIFIER[`${modifier} ${part}`] ?? usual, others }
}

/** Whether the hour belongs to the night that began on the day before. */
const isInSmallHours = ({ hour }: TimeOfDay) => hour < 6

type Now = LocalContext['now']

function findTimesInPartOfDay(
  { time, missingMeridiem }: NamedTime,
  part: PartOfDay,
  modifier: string | undefined,
  day: Day | undefined,
  now: Now,
): PossibleTimes {
  const adjusted = missingMeridiem ? adjustToPartOfDay(time, part) : time
  if (part === 'night' && isInSmallHours(adjusted)) return findTimesAtNight(adjusted, modifier, day, now)
  const { first, last, usual } = HOURS_BY_PART_OF_DAY[part]
  // "7 in the afternoon" can only mean 19:00, although that is in the evening.
  const latest = missingMeridiem && part === 'afternoon' ? last + 2 : last
  const isInPart = ({ hour }: TimeOfDay) => hour >= first && hour <= latest
  if (isInPart(adjusted)) return { times: [{ time: adjusted }] }
  const halfDayLater = { ...time, hour: (time.hour + 12) % 24 }
  const other = isInPart(halfDayLater) ? halfDayLater : timeOfDay(usual[0] ?? 0)
  const phrase = part === 'night' ? 'at night' : `in the ${part}`
  return {
    times: [{ time: adjusted }, { time: other }],
    question: `${formatUnpaddedTime(time)} isn't ${phrase}. What time?`,
  }
}

/** Adds the missing am or pm: "half past 4 this afternoon", "8 tonight". "2 tonight" is after midnight. */
function adjustToPartOfDay(time: TimeOfDay, part: PartOfDay): TimeOfDay {
  const { hour } = time
  if (part === 'morning') return time
  if (part === 'noon') return { ...time, hour: hour < 7 ? hour + 12 : hour }
  if (part === 'night' && (hour === 12 || hour < 5)) return { ...time, hour: hour % 12 }
  return { ...time, hour: hour < 12 ? hour + 12 : hour }
}

/** "Friday night 2am" may be in the night that begins on Friday, or in the one that ends on Friday. */
function findTimesAtNight(
  time: TimeOfDay,
  modifier: string | undefined,
  day: Day | undefined,
  now: Now,
): PossibleTimes {
  if (day === undefined) return { times: [{ time }] }
  const [nightBefore, night, nightAfter] = [{ time }, { time, daysLater: 1 }, { time, daysLater: 2 }]
  const isToday = day === now.day
  const hasPassed = isToday && secondsOfDay(time) <= secondsOfDay(now.time)
  const isNightNow = isToday && modifier === 'this' && isInSmallHours(now.time)
  if (isNightNow && !hasPassed) return { times: [nightBefore, night], question: 'Which night?' }
  return { times: [night, hasPassed ? nightAfter : nightBefore], question: 'Which night?' }
}

function findAmOrPm(
  { time, missingMeridiem }: NamedTime,
  day: Day | undefined,
  now: Now | undefined,
): PossibleTimes {
  const { hour } = time
  const morning = { time: { ...time, hour: hour % 12 } }
  const afternoon = { time: { ...time, hour: (hour % 12) + 12 } }
  if (day !== undefined || missingMeridiem === 'with-minutes') {
    const hasPassed = (time: TimeOfDay) => secondsOfDay(time) <= secondsOfDay(now?.time ?? time)
    const isEvening = day === now?.day && hasPassed(morning.time) && !hasPassed(afternoon.time)
    if (hour >= 7 && hour <= 11 && !isEvening)
      return { times: [morning], assumptions: [`assuming ${formatUnpaddedTime(time)} in the morning`] }
    if (hour === 12) return { times: [afternoon], assumptions: ['assuming 12 means noon'] }
  }
  return {
    times: [afternoon, morning],
    question: `${formatUnpaddedTime(time)} am or pm?`,
    isOnlyMeridiemMissing: true,
  }
}
