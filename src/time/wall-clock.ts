import { DateTime } from 'luxon'
import { DAY_MS, type Day, dateFromDay } from './calendar.ts'

export type TimeOfDay = { hour: number; minute: number; second: number }

export const timeOfDay = (hour: number, minute = 0, second = 0): TimeOfDay => ({ hour, minute, second })

export const secondsOfDay = ({ hour, minute, second }: TimeOfDay): number =>
  (hour * 60 + minute) * 60 + second

/** Clock changes skip some local times and repeat others. */
export type LocalTimeResult =
  | { kind: 'unique'; at: DateTime }
  | { kind: 'skipped'; before: DateTime; after: DateTime }
  | { kind: 'repeated'; first: DateTime; second: DateTime }

export function resolveLocalTime(day: Day, time: TimeOfDay, zone: string): LocalTimeResult {
  const date = dateFromDay(day)
  const at = DateTime.fromObject({ ...date, ...time }, { zone })
  const wasMoved = at.hour !== time.hour || at.minute !== time.minute || at.day !== date.day
  if (wasMoved) {
    const after = findClockChange(day, time, zone)
    return { kind: 'skipped', before: after.minus({ minutes: 1 }), after }
  }
  const [first = at, second] = at.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis())
  return second ? { kind: 'repeated', first, second } : { kind: 'unique', at: first }
}

/** Finds the first moment after the clock change that skips a local time. */
function findClockChange(day: Day, time: TimeOfDay, zone: string): DateTime {
  const localMs = day * DAY_MS + secondsOfDay(time) * 1000
  // The change lies between the two moments that the offsets of the day before and the day after give.
  const candidates = [-DAY_MS, DAY_MS].map(
    (distance) => localMs - offsetAt((localMs + distance) / 1000, zone) * 60_000,
  )
  let low = Math.floor(Math.min(...candidates) / 1000) - 60
  let high = Math.ceil(Math.max(...candidates) / 1000) + 60
  const offsetBefore = offsetAt(low, zone)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle, zone) === offsetBefore) low = middle
    else high = middle
  }
  return DateTime.fromSeconds(high, { zone })
}

const offsetAt = (seconds: number, zone: string): number => DateTime.fromSeconds(seconds, { zone }).offset

/** Takes the first of two repeated times, and the end of the gap for a skipped time. */
export function firstMomentAt(day: Day, time: TimeOfDay, zone: string): DateTime {
  const result = resolveLocalTime(day, time, zone)
  if (result.kind === 'unique') return result.at
  return result.kind === 'repeated' ? result.first : result.after
}
