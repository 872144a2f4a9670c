import { DateTime } from 'luxon'
import { DAY_MS, type Day, partsOf } from './calendar.ts'

export type Clock = { hour: number; minute: number; second: number }

/** A wall clock may stand for one moment, for none (the clocks skip it) or for two (they show it twice). */
export type Placed =
  | { kind: 'one'; at: DateTime }
  | { kind: 'gap'; before: DateTime; after: DateTime }
  | { kind: 'two'; first: DateTime; second: DateTime }

export function place(day: Day, clock: Clock, zone: string): Placed {
  const at = DateTime.fromObject({ ...partsOf(day), ...clock }, { zone })
  const isMoved = at.hour !== clock.hour || at.minute !== clock.minute || at.day !== partsOf(day).day
  if (isMoved) return { kind: 'gap', ...aroundGap(day, clock, zone) }
  const [first = at, second] = at.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis())
  return second ? { kind: 'two', first, second } : { kind: 'one', at: first }
}

/** The last minute before the clocks go forward, and the first after. */
function aroundGap(day: Day, clock: Clock, zone: string): { before: DateTime; after: DateTime } {
  // Read with any offset of the zone about that day, the wall clock lies within a day of the change.
  const seconds = (clock.hour * 60 + clock.minute) * 60 + clock.second
  const wanted = day * DAY_MS + seconds * 1000
  const offsets = [-1, 1].map((side) => DateTime.fromMillis(wanted + side * DAY_MS, { zone }).offset)
  const instants = offsets.map((offset) => wanted - offset * 60_000)
  const after = changeBetween(Math.min(...instants) - 60_000, Math.max(...instants) + 60_000, zone)
  return { before: after.minus({ minutes: 1 }), after }
}

/** The first second of the new offset. */
function changeBetween(from: number, to: number, zone: string): DateTime {
  let [low, high] = [Math.floor(from / 1000), Math.ceil(to / 1000)]
  const offsetAt = (second: number) => DateTime.fromSeconds(second, { zone }).offset
  const offsetBefore = offsetAt(low)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === offsetBefore) low = middle
    else high = middle
  }
  return DateTime.fromSeconds(high, { zone })
}

/** The first moment at or after a wall clock that the zone has. */
export function placeOrNext(day: Day, clock: Clock, zone: string): DateTime {
  const placed = place(day, clock, zone)
  if (placed.kind === 'one') return placed.at
  return placed.kind === 'two' ? placed.first : placed.after
}
