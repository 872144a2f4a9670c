import { DateTime } from 'luxon'
import { type Day, partsOf } from './calendar.ts'

export type Clock = { hour: number; minute: number; second: number }

/** A wall clock may stand for one moment, for none (the clocks skip it) or for two (they show it twice). */
export type Placed =
  | { kind: 'one'; at: DateTime }
  | { kind: 'gap'; before: DateTime; after: DateTime }
  | { kind: 'two'; first: DateTime; second: DateTime }

export function place(day: Day, clock: Clock, zone: string): Placed {
  const at = DateTime.fromObject({ ...partsOf(day), ...clock }, { zone })
  if (at.hour !== clock.hour || at.minute !== clock.minute) return { kind: 'gap', ...aroundGap(at, clock) }
  const [first = at, second] = at.getPossibleOffsets().sort((a, b) => a.toMillis() - b.toMillis())
  return second ? { kind: 'two', first, second } : { kind: 'one', at: first }
}

/** The last minute before the clocks go forward, and the first after. */
function aroundGap(moved: DateTime, clock: Clock): { before: DateTime; after: DateTime } {
  // The length of the gap is the change of offset; luxon has moved the time by it, one way or the other.
  const early = moved.minus({ days: 1 }).offset
  const late = moved.plus({ days: 1 }).offset
  const wanted = Date.UTC(moved.year, moved.month - 1, moved.day, clock.hour, clock.minute, clock.second)
  const change = changeBetween(
    wanted - late * 60_000 - 60_000,
    wanted - early * 60_000 + 60_000,
    moved.zoneName ?? 'utc',
  )
  return { before: change.minus({ minutes: 1 }), after: change }
}

function changeBetween(from: number, to: number, zone: string): DateTime {
  let [low, high] = [from, to]
  const offsetBefore = DateTime.fromMillis(low, { zone }).offset
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2)
    if (DateTime.fromMillis(middle, { zone }).offset === offsetBefore) low = middle
    else high = middle
  }
  return DateTime.fromMillis(Math.round(high / 1000) * 1000, { zone })
}

/** The first moment at or after a wall clock that the zone has. */
export function placeOrNext(day: Day, clock: Clock, zone: string): DateTime {
  const placed = place(day, clock, zone)
  if (placed.kind === 'one') return placed.at
  return placed.kind === 'two' ? placed.first : placed.after
}
