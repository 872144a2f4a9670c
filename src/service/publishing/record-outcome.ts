import { backoffMs } from '../../jobs/job-queue.ts'
import type { Job, NextRun } from '../../jobs/job-store.ts'
import { addMs, type Runtime } from '../../runtime.ts'
import { changeAccountTarget, type Gap, pauseAccounts, updateAccount } from '../stores/accounts-store.ts'
import type { Db, PublishResult } from '../stores/tables.ts'
import { changeResult, dueTime, type findPublication, logResult } from './change-result.ts'
import { createConfirmJob } from './confirm-job.ts'
import type { Publisher, PublishOutcome } from './publisher.ts'
import type { PublishingContext } from './publishing-context.ts'

export type LoadedPublication = NonNullable<Awaited<ReturnType<typeof findPublication>>> & {
  gap: Gap | undefined
}

export type PublishAttempt = LoadedPublication & {
  publisher?: Publisher | undefined
  outcome: PublishOutcome
  /** Whether this run ended before it sent anything. */
  isUnsent?: boolean
}

const MAX_RETRY_PERIOD_MS = 60 * 60_000
/** How long a post may be delayed by a network's rate limit. */
export const MAX_RATE_LIMIT_WAIT_MS = 120 * 60_000

/** Stores the outcome, unless another run has taken over. Returns when the next attempt is due. */
export async function recordOutcome(
  job: Job,
  attempt: PublishAttempt,
  { db, log, metrics, runtime }: PublishingContext,
): Promise<NextRun | undefined> {
  const { key, post, result, publisher, outcome } = attempt
  const now = runtime.now()
  const retryAt = findRetryTime(job, attempt, runtime)
  const changed = await changeResult(db, key, runtime, (current) => {
    const isCurrent = current.sent_at === result.sent_at && ['PUBLISHING', 'UNKNOWN'].includes(current.state)
    if (!isCurrent) return undefined
    const { state } = outcome
    const needsLookup = state === 'accepted' || (state === 'unknown' && publisher?.find !== undefined)
    // A publisher that isn't idempotent has already looked for the post before this attempt, and hasn't found it.
    const wasSentEarlier = current.may_be_out || (attempt.isUnsent && current.sent_at !== undefined)
    const mayBeOut = Boolean(wasSentEarlier && publisher?.isIdempotent)
    return {
      result: toResult(current, outcome, { retryAt, needsLookup, mayBeOut, now }),
      jobs: needsLookup ? [createConfirmJob(key, state, now)] : [],
    }
  })
  if (changed) {
    const { platform } = key
    metrics.publications.inc({ platform, outcome: outcome.state })
    if (outcome.state === 'published' || outcome.state === 'accepted')
      metrics.publicationLateness.observe(
        { platform },
        (now.getTime() - dueTime(post, result).getTime()) / 1000,
      )
    logResult(log, key, changed.result, { outcome: outcome.state, retry_at: retryAt })
  }
  await updateAccountAfterAttempt(attempt, db)
  return changed && retryAt && { due_at: retryAt }
}

function findRetryTime(
  job: Job,
  { result, outcome }: PublishAttempt,
  { now: readClock, random }: Runtime,
): Date | undefined {
  const now = readClock()
  if (outcome.state === 'moved') return result.was_moved ? undefined : now
  if (outcome.state !== 'postponed') return undefined
  const { until } = outcome
  const startedAt = result.started_at ? new Date(result.started_at) : now
  const retryAt = until ?? addMs(now, backoffMs(job.attempts, random))
  return retryAt <= addMs(startedAt, until ? MAX_RATE_LIMIT_WAIT_MS : MAX_RETRY_PERIOD_MS)
    ? retryAt
    : undefined
}

type NextStep = {
  retryAt: Date | undefined
  needsLookup: boolean
  /** Whether an earlier request may have published the post, even if this one failed. */
  mayBeOut: boolean
  now: Date
}

function toResult(
  current: PublishResult,
  outcome: PublishOutcome,
  { retryAt, needsLookup, mayBeOut, now }: NextStep,
): PublishResult {
  const { sent_at, error: _error, ...rest } = current
  const at = now.toISOString()
  switch (outcome.state) {
    case 'published':
      return { ...rest, state: 'PUBLISHED', at, ...(outcome.link && { link: outcome.link }) }
    case 'accepted':
      return { ...rest, ...(sent_at && { sent_at }) }
    case 'failed':
      return { ...rest, state: mayBeOut ? 'UNKNOWN' : 'FAILED', at, error: outcome.error }
    case 'unknown':
      return { ...current, error: outcome.error, ...(!needsLookup && { state: 'UNKNOWN', at }) }
    case 'moved':
      return retryAt
        ? { ...rest, was_moved: true }
        : { ...rest, state: 'FAILED', at, error: 'Telegram changed the id of the chat again' }
    case 'postponed': {
      const { started_at = at } = rest
      const { error } = outcome
      const may_be_out = rest.may_be_out ?? (mayBeOut || outcome.mayHaveArrived)
      const waiting = { ...rest, started_at, ...(may_be_out && { may_be_out }) }
      if (retryAt) return { ...waiting, error }
      return { ...waiting, state: may_be_out ? 'UNKNOWN' : 'FAILED', at, error: `gave up: ${error}` }
    }
  }
}

async function updateAccountAfterAttempt(
  { account, publisher, outcome }: PublishAttempt,
  db: Db,
): Promise<void> {
  if (!account || !publisher) return
  const { id } = account
  if (outcome.state === 'moved') await changeAccountTarget(db, account, outcome.target)
  if (outcome.state === 'failed' && outcome.accountProblem)
    await updateAccount(db, id, { problem: outcome.accountProblem })
  if (account.problem && (outcome.state === 'published' || outcome.state === 'accepted'))
    await updateAccount(db, id, { problem: null })
  const pausedUntil = 'until' in outcome ? outcome.until : undefined
  if (pausedUntil && pausedUntil.getTime() !== account.paused_until?.getTime())
    await pauseAccounts(db, publisher.hasSharedLimit ? { publisher: account.publisher } : { id }, pausedUntil)
}
