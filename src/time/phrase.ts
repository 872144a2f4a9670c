import type { DateTime } from 'luxon'
import type { Day } from './calendar.ts'
import type { Refusal } from './reading.ts'
import type { TimeOfDay } from './wall-clock.ts'
import type { NamedZone } from './zones.ts'

/** Characters that replace the words that a phrase has read, so that no other phrase reads them. */
export const DATE_MARK = '\uE000'
export const TIME_MARK = '\uE001'

/**
 * A kind of expression that the reader understands, such as "the 15th" or "half past 4". Its function returns the text
 * that replaces the match, undefined to leave the match alone, or a refusal.
 */
export type Phrase = [
  pattern: RegExp,
  read: (match: RegExpExecArray, state: ReadingState) => string | Refusal | undefined,
]

/** The text that is still unread, and everything that was found so far. */
export type ReadingState = {
  text: string
  now: { at: DateTime; day: Day; time: TimeOfDay; zone: string }
  locale: string | undefined
  /** Whether the text contained "sun", "sat", "mon" or the like, which may be an ordinary word or a name. */
  hasShortWeekday: boolean
  /** The zone that the text names. */
  namedZone: NamedZone | undefined
  dates: DateMatch[]
  times: TimeMatch[]
  /** The time to use if the text names no time, as in "in 2 days". */
  defaultTime?: TimeOfDay
  partOfDay?: PartOfDay
  /** "Early", "mid", "late" or "this" before the part of the day. */
  partModifier?: string | undefined
  /** A weekday next to a date. The two must agree. */
  weekday?: number | undefined
  /** A moment that was counted from now, such as "in 2 hours". */
  exactMoment?: DateTime
  /** Moments that the words for `exactMoment` may also name. */
  otherMoments?: DateTime[]
  assumptions: string[]
  /** Whether the words allow a moment nearby too: "9ish", "around noon". */
  isApproximate?: boolean
  /** Whether a match may be an ordinary word, such as "sun". Such a match needs more evidence. */
  isWeakMatch?: boolean
}

export type PartOfDay = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

/** How often a day comes that words such as "monday", "the 15th" or "3 May" name. */
export type Repetition = 'week' | 'month' | 'year'

export type DateMatch = {
  day: Day
  /** The day to use if the time has already passed on `day`. */
  dayIfPast?: Day | undefined
  /** Less likely days that the words may also mean. */
  alternatives?: Day[]
  /** Set if the words name only a day and a month ("3 May"), or a day that is known by its name ("Halloween"). */
  lacksYear?: 'date' | 'named-day' | undefined
  /** Set if the words name a day that comes every week or month. They mean the next such day. */
  repeats?: Repetition
}

export type TimeMatch = {
  time: TimeOfDay
  /** Set if "am" or "pm" is missing and both are possible. */
  missingMeridiem?: 'hour-only' | 'with-minutes' | undefined
  /** Less likely times that the words may also mean. */
  alternatives?: TimeOfDay[]
  isMidnight?: boolean
  isCurrentTime?: boolean
}

export function addDate(state: ReadingState, date: DateMatch | Day): string {
  state.dates.push(typeof date === 'number' ? { day: date } : date)
  return DATE_MARK
}

export function addTime(state: ReadingState, time: TimeMatch): string {
  state.times.push(time)
  return TIME_MARK
}

/** Lets each phrase in turn read its words. A refusal stops the reading. */
export function applyPhrases(phrases: Phrase[], state: ReadingState): Refusal | undefined {
  for (const [pattern, read] of phrases) {
    let from = 0
    do {
      pattern.lastIndex = from // Only global patterns use `lastIndex`. Other patterns run once.
      const match = pattern.exec(state.text)
      if (!match) break
      const replacement = read(match, state)
      if (typeof replacement === 'object') return replacement
      const end = match.index + match[0].length
      if (replacement === undefined) from = Math.max(end, from + 1)
      else {
        state.text = state.text.slice(0, match.index) + replacement + state.text.slice(end)
        if (!/[a-z\d]/.test(state.text)) return undefined // Every phrase reads letters or digits.
        from = match.index + Math.max(replacement.length, match[0] ? 0 : 1)
      }
    } while (pattern.global && from <= state.text.length)
  }
  return undefined
}
