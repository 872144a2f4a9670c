import type { DateTime } from 'luxon'
import type { Day } from './calendar.ts'
import type { Clock } from './place.ts'
import type { Refusal } from './reading.ts'

/** Stand in the text for what was read from it, so that no later step reads it again. */
export const DATE = '\uE000'
export const CLOCK = '\uE001'

/** The person's wall clock at the moment of asking. */
export type Now = { at: DateTime; day: Day; clock: Clock; zone: string }

export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

/** A reading in the making. Each phrase takes its words out of `text` and notes what they say. */
export type Draft = {
  text: string
  now: Now
  /** Asked for only where it matters: the locale's formats take time to load. */
  isMonthFirst: () => boolean | undefined
  dates: FoundDate[]
  clocks: FoundClock[]
  /** Counted in days from now: the clock of now, where no other is named. */
  sameClock: Clock | undefined
  part: PartOfDay | undefined
  /** A weekday named beside a date, which has to fit it. */
  weekday: number | undefined
  /** A moment that is no wall clock: so many hours from now. */
  exact: DateTime | undefined
  assumed: string[]
  /** Read from letters that are a word as often: among other words they are none of ours. */
  isWeak: boolean
  /** Why the reading, however complete, is for the person to confirm. */
  doubt: string | undefined
}

export type FoundDate = {
  day: Day
  /** The next such day, for a moment that has passed on this one. */
  orElse?: Day | undefined
  /** Other days that the words may mean, less likely. */
  others?: Day[] | undefined
}

export type FoundClock = {
  clock: Clock
  /** An hour that may as well be twelve hours later or earlier: `bare` has no minutes either. */
  open?: 'bare' | 'minutes'
  /** Words that name no minute, with other hours that they may mean. */
  others?: Clock[] | undefined
  isMidnight?: true
  /** The person's own clock of now. */
  isNow?: true
}

export type Phrase = {
  name: string
  pattern: RegExp
  /** What stands in place of the match, or undefined to leave it, or why the text cannot be read. */
  read(match: RegExpExecArray, draft: Draft): string | undefined | Refusal
}

export function foundDate(draft: Draft, date: FoundDate | Day): string {
  draft.dates.push(typeof date === 'number' ? { day: date } : date)
  return DATE
}

export function foundClock(draft: Draft, clock: FoundClock): string {
  draft.clocks.push(clock)
  return CLOCK
}

export const at = (hour: number, minute = 0, second = 0): Clock => ({ hour, minute, second })

/** What the phrases have left, for chrono: the marks keep what stood around them apart. */
export const withoutMarks = (text: string): string => text.replace(/[\uE000\uE001]/g, ' ; ')
