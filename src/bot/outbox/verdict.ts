import type { Outcome } from '../../api/outcome.ts'
import { LOOK_AFTER_MS } from '../../store/outbox.ts'
import type { Failure } from '../trouble.ts'

/** What the end of a call makes of an item. */
export type Verdict =
  | { kind: 'settled'; data: unknown }
  | { kind: 'refused'; failure: Failure }
  /** Nothing can have come of it: sent again then. */
  | { kind: 'waiting'; failure: Failure; due_at: Date }
  /** It may be there: looked for then. */
  | { kind: 'unclear'; failure: Failure; due_at: Date }

type Try = { now: Date; called_at: Date; tries: number; random: () => number }

export function verdict(outcome: Outcome, { now, called_at, tries, random }: Try): Verdict {
  const after = (from: Date, ms: number) => new Date(from.getTime() + ms)
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'settled', data: outcome.data }
    case 'too-many': {
      const asked = (outcome.retryAfterSeconds ?? 0) * 1000
      return { kind: 'waiting', failure: outcome, due_at: after(now, Math.max(asked, pause(tries, random))) }
    }
    case 'unreachable':
      return { kind: 'waiting', failure: outcome, due_at: after(now, pause(tries, random)) }
    case 'broken':
    case 'unclear':
      return { kind: 'unclear', failure: outcome, due_at: after(called_at, LOOK_AFTER_MS) }
    default:
      return { kind: 'refused', failure: outcome }
  }
}

const FIRST_PAUSE_MS = 5000
const LONGEST_PAUSE_MS = 15 * 60_000

/** Twice as long each time, up to a quarter of an hour, and not in step with everybody else. */
export const pause = (tries: number, random: () => number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1)) * (0.75 + random() / 2)
