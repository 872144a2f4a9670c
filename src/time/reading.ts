import { DateTime } from 'luxon'
import { type Day, dayOfMoment } from './calendar.ts'
import type { TimeOfDay } from './wall-clock.ts'

/** "now" is read as a moment this far ahead, because it must still be in the future when it is used. */
export const NOW_LEAD_MS = 30_000

/** The current time and the user's settings, on which the meaning of words depends. */
export type ReadingContext = {
  now: Date
  /** The user's IANA time zone. */
  zone: string
  locale?: string | undefined
  /** The post whose time is changed, and its IANA time zone. */
  post?: { at: Date; zone: string } | undefined
}

/** The local date and time of a context, computed once for several readings. */
export type LocalContext = {
  now: { at: DateTime; day: Day; time: TimeOfDay; zone: string }
  locale: string | undefined
}

export function toLocalContext({ now, zone, locale }: ReadingContext): LocalContext {
  const at = DateTime.fromJSDate(now, { zone })
  if (!at.isValid) throw new Error(`The reading context has an invalid time zone: ${zone}.`)
  const time = { hour: at.hour, minute: at.minute, second: 0 }
  return { now: { at, day: dayOfMoment(at), time, zone }, locale }
}

/** The result of reading words that name a moment. Ambiguous words become a question, unless one reading is much likelier. */
export type Reading = Moment | Question | Refusal

export type Moment = {
  kind: 'moment'
  at: DateTime
  /** An IANA time zone. */
  zone: string
  /** Assumptions made in reading the words, as shown to the user. */
  assumptions: string[]
  /** Whether the words mean the current moment, as "now" does. */
  isNow?: boolean
}

/** Several plausible readings, the likeliest first. */
export type Question = {
  kind: 'question'
  question: string
  choices: TimeChoice[]
}

export type TimeChoice = { label: string; at: DateTime; zone: string }

/** The moments that a reading may mean. */
export const choicesOf = (reading: Moment | Question): TimeChoice[] =>
  reading.kind === 'moment' ? [{ ...reading, label: '' }] : reading.choices

export type Refusal = {
  kind: 'refusal'
  reason: RefusalReason
  /** Says what is wrong and what to enter instead. */
  message: string
}

export type RefusalReason =
  | 'unknown-zone'
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
