import type { DateTime } from 'luxon'

/** The user's settings and the current time, on which a reading depends besides the words. */
export type ReadingContext = {
  now: Date
  /** The user's IANA time zone. */
  zone: string
  locale?: string | undefined
  /** The post whose time is changed, and its IANA time zone. */
  post?: { at: Date; zone: string } | undefined
  /** Readings so far, kept because the words of a command are read again for its form. */
  knownReadings?: Map<string, Reading> | undefined
}

/** The result of reading words that name a moment. Ambiguous words become a question, never a guess. */
export type Reading = Moment | Question | Refusal

export type Moment = {
  kind: 'moment'
  at: DateTime
  /** An IANA time zone. */
  zone: string
  /** Assumptions that were made while reading the words, as the user sees them. */
  assumptions: string[]
}

/** Several plausible readings, the likeliest first. */
export type Question = {
  kind: 'question'
  question: string
  choices: Choice[]
}

export type Choice = { label: string; at: DateTime; zone: string }

export type Refusal = {
  kind: 'refusal'
  reason: RefusalReason
  /** Tells the user what is wrong and what to enter instead. */
  message: string
}

export type RefusalReason =
  | 'ambiguous-zone'
  | 'gap'
  | 'invalid'
  | 'language'
  | 'nonsense'
  | 'open-ended'
  | 'past'
  | 'range'
  | 'recurrence'
  | 'several'
  | 'too-long'
  | 'vague'
  | 'weekday-mismatch'

export function createRefusal(reason: RefusalReason, message: string): Refusal {
  return { kind: 'refusal', reason, message }
}
