import type { ApiFailure } from '../../api/result.ts'
import { addMs, type Runtime } from '../../runtime.ts'
import type { OpenedRecord } from '../forms/form-value.ts'
import type { Outcome } from '../forms/outcome.ts'
import type { Bot } from '../slack/bot.ts'
import {
  endItem,
  type ItemOfForm,
  LOOKUP_DELAY_MS,
  MAX_PAUSE_MS,
  postponeItem,
  settleItem,
} from './outbox-store.ts'
import type { ItemFailure, OutboxItem } from './tables.ts'

/** Stores what became of an attempt, and when the next step is due. */
export async function recordOutcome(
  { db, runtime }: Bot,
  { item, form }: ItemOfForm,
  outcome: Outcome,
  { shouldNotify, deadline }: { shouldNotify: boolean; deadline?: Date | undefined },
): Promise<void> {
  const now = runtime.now()
  if (outcome.kind === 'done') {
    const record = outcome.result as { Id?: string }
    await settleItem(
      db,
      { item, form },
      { record, record_id: record.Id, foundByLookup: false, shouldNotify },
      now,
    )
    return
  }
  const { reason } = outcome
  if (outcome.kind === 'pending')
    await postponeItem(db, item, nextStep(outcome.reason, item, { runtime, deadline }))
  else await endItem(db, { item, form }, { state: 'refused', ...toRefusal(reason) }, now)
}

type Reason = Extract<Outcome, { kind: 'refused' }>['reason']

function toRefusal(reason: Reason): { failure: ItemFailure; opened_record?: OpenedRecord } {
  if (reason.kind !== 'conflict') return { failure: reason }
  const { message, replacement } = reason
  const msg = replacement ? `${message} "Try again" replaces it.` : message
  const failure: ItemFailure = { kind: 'unsendable', details: [{ loc: [], msg }] }
  // The user now knows the version that another attempt would replace.
  return replacement ? { failure, opened_record: replacement.opened } : { failure }
}

/** Sends again what cannot have arrived, and looks up what may have. */
type Timing = { runtime: Runtime; deadline: Date | undefined }

function nextStep(
  failure: ApiFailure,
  { attempted_at, attempts }: OutboxItem,
  { runtime, deadline }: Timing,
) {
  const now = runtime.now()
  if (failure.kind === 'server-error' || failure.kind === 'unclear') {
    const due_at = addMs(attempted_at ?? now, LOOKUP_DELAY_MS)
    return { state: 'unconfirmed' as const, due_at, failure }
  }
  const requestedMs = failure.kind === 'rate-limited' ? (failure.retryAfterSeconds ?? 0) * 1000 : 0
  const pauseMs = Math.max(Math.min(requestedMs, MAX_PAUSE_MS), backoffMs(attempts, runtime.random))
  // Before a deadline, the pauses become shorter again.
  const halfwayMs = deadline ? (deadline.getTime() - now.getTime()) / 2 : Number.POSITIVE_INFINITY
  const delayMs = Math.min(pauseMs, Math.max(FIRST_BACKOFF_MS, halfwayMs))
  return { state: 'queued' as const, due_at: addMs(now, delayMs), failure }
}

const FIRST_BACKOFF_MS = 5000

/** Exponential backoff with jitter. */
export const backoffMs = (attempts: number, random: () => number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, attempts - 1)) * (0.75 + random() / 2)
