import { DateTime, Info } from 'luxon'
import { DAY_MS, type Day, dateFromDay } from './calendar.ts'

export type TimeOfDay = { hour: number; minute: number; second: number }

export const timeOfDay = (hour: number, minute = 0, second = 0): TimeOfDay => ({ hour, minute, second })

export const secondsOfDay = ({ hour, minute, second }: TimeOfDay): number =>
  (hour * 60 + minute) * 60 + second

/** Finds the moments of a local time, in order: usually one, none if the clocks skip it, two if they repeat it. */
export function findMoments(
  day: Day,
  time: TimeOfDay,
  zone: string,
  offsets = findOffsets(day, zone),
): DateTime[] {
  const localMs = day * DAY_MS + secondsOfDay(time) * 1000
  return offsets
    .map((offset) => DateTime.fromMillis(localMs - offset * 60_000, { zone }))
    .filter((at) => at.toMillis() + at.offset * 60_000 === localMs)
}

/** Finds the offsets of a zone around a day, in order: two if the clocks change. */
export function findOffsets(day: Day, zone: string): number[] {
  const rules = Info.normalizeZone(zone)
  return [...new Set([rules.offset((day - 1) * DAY_MS), rules.offset((day + 2) * DAY_MS)])]
}

/** Finds the first moment after the clock change that skips a local time. */
export function endOfGap(day: Day, time: TimeOfDay, zone: string): DateTime {
  // Luxon moves a skipped time forward, past the change: 2:30 becomes 3:30.
  let at = DateTime.fromObject({ ...dateFromDay(day), ...time }, { zone }).startOf('minute')
  for (let before = at; before.offset === at.offset; before = at.minus({ minutes: 1 })) at = before
  return at
}

/** Returns the first moment of a repeated time, or the end of the gap for a skipped one. */
export const firstMomentAt = (day: Day, time: TimeOfDay, zone: string): DateTime =>
  findMoments(day, time, zone)[0] ?? endOfGap(day, time, zone)
