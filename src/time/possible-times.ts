import type { Day } from './calendar.ts'
import type { PartOfDay, ReadingState, TimeMatch } from './phrase.ts'
import { type TimeOfDay, timeOfDay } from './wall-clock.ts'

/** The times of day that the words may mean, the likeliest first. */
export type PossibleTimes = {
  times: { time: TimeOfDay; daysLater?: number }[]
  /** Set if the user must choose or confirm. */
  question?: string | undefined
  assumptions?: string[]
  /** Whether only am or pm is missing. If one of the two times has passed, the user means the other. */
  isOnlyMeridiemMissing?: boolean
}

export function findPossibleTimes(
  { times: [match], partOfDay, defaultTime }: ReadingState,
  day: Day | undefined,
): PossibleTimes {
  if (!match) {
    if (partOfDay) return { times: wholeHours(...USUAL_HOURS[partOfDay]), question: 'What time?' }
    if (!defaultTime) return { times: wholeHours(9, 12, 17), question: 'What time?' }
    return { times: [{ time: defaultTime }], assumptions: ['at the current time of day'] }
  }
  const { time, missingMeridiem, alternatives } = match
  if (match.isMidnight) return findMidnights(day)
  if (alternatives)
    return { times: [time, ...alternatives].map((time) => ({ time })), question: 'What time?' }
  if (partOfDay) {
    const adjusted = missingMeridiem ? adjustToPartOfDay(time, partOfDay) : { time }
    return {
      times: [adjusted],
      question: isHourInPart(adjusted.time.hour, partOfDay)
        ? undefined
        : `${formatTime(time)} isn't ${partOfDay === 'night' ? 'at night' : `in the ${partOfDay}`}. Is this the right time?`,
    }
  }
  return missingMeridiem ? findMorningOrAfternoon(match, day) : { times: [{ time }] }
}

const wholeHours = (...hours: number[]) => hours.map((hour) => ({ time: timeOfDay(hour) }))

const formatTime = ({ hour, minute }: TimeOfDay) => `${hour}:${String(minute).padStart(2, '0')}`

const USUAL_HOURS: Record<PartOfDay, number[]> = {
  morning: [9, 8, 10],
  noon: [12, 13],
  afternoon: [15, 14, 16],
  evening: [19, 18, 20],
  night: [20, 21, 22],
}

/** The first and last hour that people describe with each word. Any other hour needs a confirmation. */
const HOURS_IN_PART: Record<PartOfDay, [first: number, last: number]> = {
  morning: [0, 11],
  noon: [11, 14],
  afternoon: [12, 18],
  evening: [16, 23],
  night: [17, 23],
}

const isHourInPart = (hour: number, part: PartOfDay): boolean =>
  hour >= HOURS_IN_PART[part][0] && hour <= HOURS_IN_PART[part][1]

/** Adds the missing am or pm: "half past 4 this afternoon", "8 tonight". "2 tonight" is after midnight. */
function adjustToPartOfDay(time: TimeOfDay, part: PartOfDay): { time: TimeOfDay; daysLater?: number } {
  const { hour } = time
  if (part === 'morning') return { time }
  if (part === 'noon') return { time: { ...time, hour: hour < 7 ? hour + 12 : hour } }
  if (part === 'night' && (hour === 12 || hour < 5))
    return { time: { ...time, hour: hour % 12 }, daysLater: 1 }
  return { time: { ...time, hour: hour < 12 ? hour + 12 : hour } }
}

function findMidnights(day: Day | undefined): PossibleTimes {
  const time = timeOfDay(0)
  if (day === undefined) return { times: [{ time }], assumptions: ['the next midnight'] }
  return {
    times: [{ time, daysLater: 1 }, { time }],
    question: 'Midnight at the end of that day, or at the start?',
  }
}

function findMorningOrAfternoon({ time, missingMeridiem }: TimeMatch, day: Day | undefined): PossibleTimes {
  const { hour } = time
  const morning = { time: { ...time, hour: hour % 12 } }
  const afternoon = { time: { ...time, hour: (hour % 12) + 12 } }
  if (day !== undefined || missingMeridiem === 'with-minutes') {
    if (hour >= 7 && hour <= 11)
      return { times: [morning], assumptions: [`assuming ${formatTime(time)} in the morning`] }
    if (hour === 12) return { times: [afternoon], assumptions: ['assuming 12 means noon'] }
  }
  return {
    times: [afternoon, morning],
    question: `${formatTime(time)} in the morning or in the afternoon?`,
    isOnlyMeridiemMissing: true,
  }
}
