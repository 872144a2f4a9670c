import type { ApiFailure } from '../../api/result.ts'
import type { Bot } from '../bot.ts'
import type { OutboxItem } from '../database/tables.ts'
import type { Outcome } from '../form/outcome.ts'
import { endItem, LOOKUP_DELAY_MS, postponeItem, settleItem } from './outbox-store.ts'

type Attempt = { attemptedAt: Date; attempts: number }

/** Stores what became of an attempt, and when the next step is due. */
export async function recordOutcome(
  { db, runtime }: Bot,
  item: OutboxItem,
  outcome: Outcome,
  { shouldNotify, ...attempt }: Attempt & { shouldNotify: boolean },
): Promise<void> {
  const now = runtime.now()
  if (outcome.kind === 'done') {
    const { record } = outcome
    const { Id: record_id } = record as { Id?: string }
    await settleItem(db, item, { record, record_id, foundByLookup: false, shouldNotify }, now)
    return
  }
  const failure = failureOf(outcome)
  if (outcome.kind === 'refused') await endItem(db, item, { state: 'refused', failure }, now)
  else if (failure)
    await postponeItem(db, item, nextStep(failure, { ...attempt, now, random: runtime.random }))
}

const failureOf = ({ reason }: Exclude<Outcome, { kind: 'done' }>): ApiFailure | null =>
  reason.kind === 'conflict' || reason.kind === 'queued' || reason.kind === 'repeated' ? null : reason

type Timing = Attempt & { now: Date; random: () => number }

/** Sends again what cannot have arrived, and looks up what may have. */
function nextStep(failure: ApiFailure, { now, attemptedAt, attempts, random }: Timing) {
  if (failure.kind === 'server-error' || failure.kind === 'unclear')
    return {
      state: 'unconfirmed' as const,
      due_at: new Date(attemptedAt.getTime() + LOOKUP_DELAY_MS),
      failure,
    }
  const requestedMs = failure.kind === 'rate-limited' ? (failure.retryAfterSeconds ?? 0) * 1000 : 0
  const delayMs = Math.max(requestedMs, backoffMs(attempts, random))
  return { state: 'queued' as const, due_at: new Date(now.getTime() + delayMs), failure }
}

const FIRST_BACKOFF_MS = 5000
const MAX_BACKOFF_MS = 15 * 60_000

/** Exponential backoff with jitter. */
export const backoffMs = (attempts: number, random: () => number): number =>
  Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, attempts - 1)) * (0.75 + random() / 2)
