import type { Chrono } from 'chrono-node'
import type { DaySpan, SpanContext } from './date-range.ts'
import type { Phrase } from './draft.ts'
import { english } from './en/index.ts'
import type { Refusal } from './reading.ts'
import type { RecurrenceDays } from './recurrence.ts'

/** All that a language has to bring: another one is another folder, named here. */
export type Language = {
  /** Words that are recognised with a letter wrong. */
  spelled: string[]
  misspelled: Record<string, string>
  /** Figures for numbers in words, and what would look like a range or a refusal of another kind. */
  beforeRefusals: Phrase[]
  refusalIn(text: string): Refusal | undefined
  phrases: Phrase[]
  /** Those of them that name a day. */
  dayPhrases: Phrase[]
  /** Those that name a time of day. */
  clockPhrases: Phrase[]
  rhythmDays(text: string): { days: RecurrenceDays; rest: string } | undefined
  spanIn(text: string, context: SpanContext): DaySpan | undefined
  fillers: Set<string>
  /** A word of which times are made, readable or not. */
  timeWord: RegExp
  /** Behind these words stands the schedule of a post. */
  asksToSchedule: RegExp
  /** Words that, left over, leave the day open. */
  vague: RegExp
  chrono: Chrono
}

export const languageOf = (_locale: string | undefined): Language => english

/** Whose month comes first in 4/5, as the locale writes its dates; a language without a country leaves English open. */
export function monthComesFirst(locale: string | undefined): boolean | undefined {
  if (!locale || /^en$/i.test(locale)) return undefined
  try {
    const parts = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
    return parts.indexOf('month') < parts.indexOf('day')
  } catch {
    return undefined
  }
}
