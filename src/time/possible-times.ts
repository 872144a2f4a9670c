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

export function findPossibleTimes(state: ReadingState, day: Day | undefined): PossibleTimes {
  const { partOfDay, defaultTime } = state
  const [match] = state.times
  if (!match) {
    if (partOfDay) return { times: wholeHours(...HOURS[partOfDay].usual), question: 'What time?' }
    if (!defaultTime) return { times: wholeHours(9, 12, 17), question: 'What time?' }
    return { times: [{ time: defaultTime }], assumptions: ['at the current time of day'] }
  }
  const { time, missingMeridiem, alternatives } = match
  if (match.isMidnight && day === undefined)
    return { times: wholeHours(0), assumptions: ['the next midnight'] }
  if (match.isMidnight) {
    const times = [{ time: timeOfDay(0), daysLater: 1 }, { time: timeOfDay(0) }]
    return { times, question: 'Midnight at the end of that day, or at the start?' }
  }
  if (alternatives)
    return { times: [time, ...alternatives].map((time) => ({ time })), question: 'What time?' }
  if (partOfDay) {
    const adjusted = missingMeridiem ? adjustToPartOfDay(time, partOfDay) : { time }
    const { first, last } = HOURS[partOfDay]
    if (adjusted.time.hour >= first && adjusted.time.hour <= last) return { times: [adjusted] }
    const part = partOfDay === 'night' ? 'at night' : `in the ${partOfDay}`
    return { times: [adjusted], question: `${formatTime(time)} isn't ${part}. Is this the right time?` }
  }
  return missingMeridiem ? findMorningOrAfternoon(match, day) : { times: [{ time }] }
}

const wholeHours = (...hours: number[]) => hours.map((hour) => ({ time: timeOfDay(hour) }))

const formatTime = ({ hour, minute }: TimeOfDay) => `${hour}:${String(minute).padStart(2, '0')}`

/** Any hour that is not between the first and the last one needs a confirmation. */
const HOURS: Record<PartOfDay, { usual: number[]; first: number; last: number }> = {
  morning: { usual: [9, 8, 10], first: 0, last: 11 },
  noon: { usual: [12, 13], first: 11, last: 14 },
  afternoon: { usual: [15, 14, 16], first: 12, last: 18 },
  evening: { usual: [19, 18, 20], first: 16, last: 23 },
  night: { usual: [20, 21, 22], first: 17, last: 23 },
}

/** Adds the missing am or pm: "half past 4 this afternoon", "8 tonight". "2 tonight" is after midnight. */
function adjustToPartOfDay(time: TimeOfDay, part: PartOfDay): { time: TimeOfDay; daysLater?: number } {
  const { hour } = time
  if (part === 'morning') return { time }
  if (part === 'noon') return { time: { ...time, hour: hour < 7 ? hour + 12 : hour } }
  if (part === 'night' && (hour === 12 || hour < 5))
    return { time: { ...time, hour: hour % 12 }, daysLater: 1 }
  return { time: { ...time, hour: hour < 12 ? hour + 12 : hour } }
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
