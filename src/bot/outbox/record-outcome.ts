import type { ApiFailure } from '../../api/result.ts'
import { backoffMs } from '../../jobs/job-queue.ts'
import type { NextRun } from '../../jobs/job-store.ts'
import { addMs, type Runtime } from '../../runtime.ts'
import type { OpenedRecord } from '../forms/form-value.ts'
import type { Outcome } from '../forms/outcome.ts'
import type { Bot } from '../slack/bot.ts'
import { describeForLog } from '../slack/errors.ts'
import { addNotification } from './add-notification.ts'
import { holdItem } from './held-items.ts'
import { LOOKUP_DELAY_MS } from './look-up-item.ts'
import { endItem, postponeItem, type RunningItem, settleItem } from './outbox-store.ts'
import { isRepeatable, MAX_PAUSE_MS } from './retry-limits.ts'
import { type ItemFailure, itemLogFields, type OutboxItem } from './tables.ts'

type RecordOptions = {
  shouldNotify: boolean
  /** Whether an earlier attempt, with the same idempotency key, may have created the record. */
  mayExist: boolean
  latestSendTime?: Date | undefined
}

/** Stores the outcome of an attempt. Returns the time at which the next step is due. */
export async function recordOutcome(
  { db, log, runtime }: Bot,
  running: RunningItem,
  outcome: Outcome,
  { shouldNotify, mayExist, latestSendTime }: RecordOptions,
): Promise<NextRun | undefined> {
  const now = runtime.now()
  const logFields = { ...itemLogFields(running.item), attempts: running.item.attempts }
  if (outcome.kind === 'waiting') {
    log.info(logFields, 'A submission is waiting for approval')
    const sent = { record: undefined, record_id: undefined, foundByLookup: false, shouldNotify: false }
    await settleItem(db, running, sent, now)
    const { id: item_id, team_id, user_id, batch_id } = running.item
    // The summary of a plan says how many of its posts are waiting for approval.
    if (!batch_id)
      await addNotification(db, item_id, { team_id, user_id, item_id, message: outcome.message }, now)
    return undefined
  }
  if (outcome.kind === 'done') {
    const record = outcome.result as { Id?: string }
    const { held } = outcome
    log.info({ ...logFields, record: record.Id }, held ? 'Held a submission' : 'Sent a submission')
    if (held) return holdItem(db, running, { ...held, record, shouldNotify }, now)
    await settleItem(db, running, { record, record_id: record.Id, foundByLookup: false, shouldNotify }, now)
    return undefined
  }
  if (outcome.kind === 'pending') {
    log.warn({ ...logFields, ...describeForLog(outcome.reason) }, 'Postponed a submission')
    return postponeItem(
      db,
      running,
      nextStep(outcome.reason, running.item, { runtime, mayExist, latestSendTime }),
    )
  }
  log.warn({ ...logFields, kind: outcome.reason.kind }, 'A submission was rejected')
  return endItem(db, running, { state: 'refused', ...toRefusal(outcome.reason) }, now)
}

type Reason = Extract<Outcome, { kind: 'refused' }>['reason']

function toRefusal(reason: Reason): { failure: ItemFailure; opened_record?: OpenedRecord } {
  if (reason.kind !== 'conflict') return { failure: reason }
  const { message, replacement } = reason
  const msg = replacement ? `${message} Press "Try again" to replace that version.` : message
  const failure: ItemFailure = { kind: 'unsendable', details: [{ loc: [], msg }] }
  // The user now knows the version that another attempt would replace.
  return replacement ? { failure, opened_record: replacement.opened } : { failure }
}

type Timing = { runtime: Runtime; mayExist: boolean; latestSendTime: Date | undefined }

/** Plans another attempt if the item cannot have arrived or can be sent again, and otherwise a lookup. */
function nextStep(failure: ApiFailure, item: OutboxItem, { runtime, mayExist, latestSendTime }: Timing) {
  const { attempted_at, attempts } = item
  const now = runtime.now()
  if (failure.kind === 'server-error' || failure.kind === 'unclear') {
    const due_at = isRepeatable(item, now)
      ? addMs(now, backoffMs(attempts, runtime.random))
      : addMs(attempted_at ?? now, LOOKUP_DELAY_MS)
    return { state: 'unconfirmed' as const, due_at, failure }
  }
  const requestedMs = failure.kind === 'rate-limited' ? (failure.retryAfterSeconds ?? 0) * 1000 : 0
  const wantedMs = Math.max(Math.min(requestedMs, MAX_PAUSE_MS), backoffMs(attempts, runtime.random))
  // As the latest send time approaches, the pauses become shorter again.
  const halfwayMs = latestSendTime ? (latestSendTime.getTime() - now.getTime()) / 2 : Number.POSITIVE_INFINITY
  const delayMs = Math.min(wantedMs, Math.max(MIN_DELAY_MS, halfwayMs))
  const due_at = addMs(now, delayMs)
  // The failure of this attempt says nothing about the earlier one.
  if (mayExist) return { state: 'unconfirmed' as const, due_at, failure: item.failure }
  return { state: 'queued' as const, due_at, failure }
}

const MIN_DELAY_MS = 5000
