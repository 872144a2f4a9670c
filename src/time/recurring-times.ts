import type { Point } from './point.ts'
import { findPossibleTimes, type PossibleTimes } from './possible-times.ts'
import { createRefusal, type LocalContext, type Refusal } from './reading.ts'
import { secondsOfDay, type TimeOfDay } from './wall-clock.ts'

export type ClockTime = Pick<TimeOfDay, 'hour' | 'minute'>

const AFTER_MIDNIGHT =
  'That time is after midnight, so it\'s on the next day. Enter that day, such as "saturdays at 2am".'

/** Finds the times that `written` may mean. In "8 and 10pm", the 8 is probably also in the evening. */
export function findPossibleRecurringTimes(
  written: Point,
  laterTimes: Point[],
  local: LocalContext,
): PossibleTimes | Refusal {
  const { time } = written
  // A recurring midnight is the one at the start of the day, so it isn't ambiguous.
  const point = time?.isMidnight ? { ...written, time: { ...time, isMidnight: false } } : written
  const possibleTimes = findPossibleTimes(point, 0, local)
  if (possibleTimes.times.some(({ daysLater }) => daysLater)) return createRefusal('invalid', AFTER_MIDNIGHT)
  const hour = time?.time.hour ?? 0
  const eveningHour = laterTimes.find(({ time }) => time && !time.missingMeridiem && time.time.hour > 12)
    ?.time?.time.hour
  if (
    time?.missingMeridiem !== 'hour-only' ||
    hour < 1 ||
    hour > 11 ||
    eveningHour === undefined ||
    hour >= eveningHour - 12
  )
    return possibleTimes
  return {
    times: [{ time: { hour: hour + 12, minute: 0, second: 0 } }, ...possibleTimes.times],
    question: `${hour}:00 am or pm?`,
  }
}

/** Combines the times, likeliest combination first. A choice such as the afternoon applies to all ambiguous times. */
export function combineTimes(times: PossibleTimes[]): ClockTime[][] {
  const count = Math.max(...times.map(({ times }) => times.length))
  const combined = Array.from({ length: count }, (_, index) =>
    times.flatMap(({ times }) => times[Math.min(index, times.length - 1)] ?? []),
  )
  const all = [...combined, ascendingTimes(times)].map((times) =>
    sortUniqueClockTimes(times.map(({ time: { hour, minute } }) => ({ hour, minute }))),
  )
  const maxLength = Math.max(...all.map((clocks) => clocks.length))
  return all.filter(
    (clocks, index) =>
      clocks.length === maxLength && all.findIndex((other) => isSame(other, clocks)) === index,
  )
}

/** Reads each time as later than the previous one where possible, so that "6, 12 and 6" ends at 18:00. */
function ascendingTimes(times: PossibleTimes[]): PossibleTimes['times'] {
  let previousSeconds = -1
  return times.flatMap(({ times }) => {
    const later = times.filter(({ time }) => secondsOfDay(time) > previousSeconds)
    const next = later.toSorted((a, b) => secondsOfDay(a.time) - secondsOfDay(b.time))[0] ?? times[0]
    if (next) previousSeconds = secondsOfDay(next.time)
    return next ?? []
  })
}

const isSame = (a: ClockTime[], b: ClockTime[]) => JSON.stringify(a) === JSON.stringify(b)

function sortUniqueClockTimes(clocks: ClockTime[]): ClockTime[] {
  const byMinute = new Map(clocks.map((clock) => [clock.hour * 60 + clock.minute, clock]))
  return [...byMinute.entries()].sort(([a], [b]) => a - b).map(([, clock]) => clock)
}
