import type { Day } from './calendar.ts'
import { at, type Draft, type FoundClock, type PartOfDay } from './draft.ts'
import type { Clock } from './place.ts'

/** The times of day that the words may mean, the likeliest first. */
export type PossibleClocks = {
  clocks: { clock: Clock; daysLater?: number }[]
  /** Where there are several. */
  ask?: string
  assumed: string[]
  soonestFirst?: boolean
  /** Only before or after noon is open: where one of the two has passed, it is the other. */
  isOpen?: boolean
}

type Known = { day: Day | undefined; read: Clock | undefined }

export function clocksOf(draft: Draft, { day, read }: Known): PossibleClocks {
  const found = draft.clocks[0] ?? (read && { clock: read })
  if (!found && draft.part) return inPart(draft.part)
  if (!found) return draft.sameClock ? sameAsNow(draft.sameClock) : DAY_ONLY
  if (found.isMidnight) return midnight(day)
  if (found.others)
    return {
      clocks: [found.clock, ...found.others].map((clock) => ({ clock })),
      ask: 'At what time?',
      assumed: [],
    }
  if (!draft.part)
    return found.open ? openHour(found, day) : { clocks: [{ clock: found.clock }], assumed: [] }
  const { hour, minute } = found.clock
  const inside = found.open ? withinPart(found.clock, draft.part) : { clock: found.clock }
  const ask = isWithin(inside.clock.hour, draft.part)
    ? {}
    : {
        ask: `Is that ${hour}:${two(minute)} ${draft.part === 'night' ? 'at night' : `in the ${draft.part}`}?`,
      }
  return { clocks: [inside], assumed: [], ...ask }
}

const sameAsNow = (clock: Clock): PossibleClocks => ({
  clocks: [{ clock }],
  assumed: ['the same time of day as now'],
})

const hours = (...list: number[]) => list.map((hour) => ({ clock: at(hour) }))

const DAY_ONLY: PossibleClocks = { clocks: hours(9, 12, 17), ask: 'At what time?', assumed: [] }

const HOURS_OF: Record<PartOfDay, number[]> = {
  morning: [9, 8, 10],
  noon: [12, 13],
  afternoon: [15, 14, 16],
  evening: [19, 18, 20],
  night: [20, 21, 22],
}

const inPart = (part: PartOfDay): PossibleClocks => ({
  clocks: hours(...HOURS_OF[part]),
  ask: 'At what time?',
  assumed: [],
})

/** "half past 4 this afternoon", "8 tonight", "9 in the morning"; "2 tonight" is after midnight. */
function withinPart(clock: Clock, part: PartOfDay): { clock: Clock; daysLater?: number } {
  const { hour } = clock
  if (part === 'morning') return { clock }
  if (part === 'noon') return { clock: { ...clock, hour: hour < 7 ? hour + 12 : hour } }
  if (part === 'night' && (hour === 12 || hour < 5))
    return { clock: { ...clock, hour: hour % 12 }, daysLater: 1 }
  return { clock: { ...clock, hour: hour < 12 ? hour + 12 : hour } }
}

/** Hours that people call so; others are asked about. */
const isWithin = (hour: number, part: PartOfDay): boolean => {
  if (part === 'night') return hour >= 17
  const [first, last] = { morning: [0, 11], noon: [11, 14], afternoon: [12, 18], evening: [16, 23] }[
    part
  ] as [number, number]
  return hour >= first && hour <= last
}

const two = (value: number) => String(value).padStart(2, '0')

/** The midnight that a day ends with, or the one that it begins with; without a day, the next one. */
function midnight(day: Day | undefined): PossibleClocks {
  if (day === undefined) return { clocks: [{ clock: at(0) }], assumed: ['the coming midnight'] }
  return {
    clocks: [{ clock: at(0), daysLater: 1 }, { clock: at(0) }],
    ask: 'The midnight at the end of that day, or at its beginning?',
    assumed: [],
  }
}

function openHour({ clock, open }: FoundClock, day: Day | undefined): PossibleClocks {
  const { hour, minute } = clock
  const shown = `${hour}:${two(minute)}`
  const morning = { clock: { ...clock, hour: hour % 12 } }
  const afternoon = { clock: { ...clock, hour: (hour % 12) + 12 } }
  const ask = `${shown} in the morning, or in the afternoon?`
  if (day === undefined && open === 'bare')
    return { clocks: [morning, afternoon], ask, assumed: [], soonestFirst: true, isOpen: true }
  if (hour >= 7 && hour <= 11)
    return { clocks: [morning], assumed: [`no am or pm: took ${shown} in the morning`] }
  if (hour === 12) return { clocks: [afternoon], assumed: ['no am or pm: took 12 for noon'] }
  return { clocks: [afternoon, morning], ask, assumed: [], isOpen: true, soonestFirst: day === undefined }
}
