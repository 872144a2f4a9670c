import type { DateTime } from 'luxon'

/** What a person's words for a moment came to: never a silent guess. */
export type Reading = Instant | Question | Refusal

export type Instant = {
  kind: 'instant'
  at: DateTime
  /** IANA. */
  zone: string
  /** What was taken for granted, in plain words. */
  assumptions: string[]
  /** The part of the text that it was read from. */
  source: string
}

/** Readings that sensible people would defend, the likeliest first. */
export type Question = { kind: 'question'; question: string; choices: Choice[]; source: string }

export type Choice = { label: string; at: DateTime; zone: string }

export type Refusal = {
  kind: 'refusal'
  reason: Reason
  /** What to write instead. */
  message: string
}

export type Reason =
  | 'ambiguous-zone'
  | 'gap'
  | 'invalid'
  | 'nonsense'
  | 'open-ended'
  | 'past'
  | 'range'
  | 'recurrence'
  | 'several'
  | 'too-long'
  | 'vague'
  | 'weekday-mismatch'

export const refuse = (reason: Reason, say: string): Refusal => ({ kind: 'refusal', reason, message: say })
