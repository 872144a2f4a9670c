import type { JobHandler } from '../../jobs/job-queue.ts'
import type { NewJob, NextRun } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import { updateAccount } from '../stores/accounts-store.ts'
import type { PublishResult } from '../stores/tables.ts'
import { changeResult, dueTime, findPublication, logResult, type PublicationKey } from './change-result.ts'
import type { LookupOutcome } from './publisher.ts'
import type { PublishingContext } from './publishing-context.ts'

const CONFIRM_KIND = 'confirm publication'

const MINUTE_MS = 60_000
/** Without a response, the network may still be creating the post. */
const FIRST_LOOKUP_DELAY_MS = MINUTE_MS
/** Networks need minutes to publish some videos, but rarely longer. */
const FREQUENT_LOOKUP_PERIOD_MS = 15 * MINUTE_MS
const FREQUENT_LOOKUP_INTERVAL_MS = MINUTE_MS / 2
const RARE_LOOKUP_INTERVAL_MS = 10 * MINUTE_MS
const MAX_WAIT_MS = 24 * 60 * MINUTE_MS
/** A post that is still absent or in error after this time is expected to stay that way. */
const FINAL_AFTER_MS = 10 * MINUTE_MS

export const createConfirmJob = (key: PublicationKey, state: 'accepted' | 'unknown', now: Date): NewJob => ({
  kind: CONFIRM_KIND,
  id: key.reference,
  key: key.reference,
  data: key,
  due_at: addMs(now, state === 'accepted' ? FREQUENT_LOOKUP_INTERVAL_MS : FIRST_LOOKUP_DELAY_MS),
})

/** Finds out whether a post that the network accepted, or gave no clear response to, has been published. */
export const createConfirmHandler = (context: PublishingContext): JobHandler => ({
  kind: CONFIRM_KIND,
  name: 'confirm a publication',
  async run(job) {
    const key = job.data as PublicationKey
    const outcome = await lookUpPublication(key, context)
    return outcome && recordLookup(key, outcome, context)
  },
})

async function lookUpPublication(
  key: PublicationKey,
  { db, publishers }: PublishingContext,
): Promise<LookupOutcome | undefined> {
  const publication = await findPublication(db, key)
  if (!publication) return undefined
  const { post, result, account } = publication
  // The network may have the post even if the account was deleted from Upnext.
  const publisher = result.publisher ?? account?.publisher
  const find = publisher && publishers[publisher]?.find
  if (!find) return { state: 'unreachable', error: 'the account was removed' }
  // Without `sent_at`, another version of the post may have been published before a backup was restored.
  return find({ ...key, date: dueTime(post, result), matchesAnyVersion: !result.sent_at })
}

async function recordLookup(
  key: PublicationKey,
  outcome: LookupOutcome,
  { db, log, runtime }: PublishingContext,
): Promise<NextRun | undefined> {
  const now = runtime.now()
  const changed = await changeResult(db, key, runtime, (current) =>
    current.state === 'PUBLISHING' ? { result: toResult(current, outcome, now) } : undefined,
  )
  if (changed?.result.state === 'FAILED' && outcome.state === 'doubtful' && outcome.rejection?.accountProblem)
    await updateAccount(db, changed.result.account_id ?? '', { problem: outcome.rejection.accountProblem })
  if (!changed) return undefined
  if (changed.result.state !== 'PUBLISHING') {
    logResult(log, key, changed.result)
    return undefined
  }
  const isRecent = now < addMs(sentAt(changed.result), FREQUENT_LOOKUP_PERIOD_MS)
  return { due_at: addMs(now, isRecent ? FREQUENT_LOOKUP_INTERVAL_MS : RARE_LOOKUP_INTERVAL_MS) }
}

/** Without `sent_at`, the post may have been sent before a backup was restored, and thus no later than `at`. */
const sentAt = ({ sent_at, at }: PublishResult): Date => new Date(sent_at ?? at)

function toResult(current: PublishResult, outcome: LookupOutcome, now: Date): PublishResult {
  const { doubtful_since, error: _error, ...rest } = current
  const at = now.toISOString()
  const giveUp = (error: string): PublishResult => ({ ...rest, state: 'UNKNOWN', at, error })
  const isOlderThan = (ms: number) => now > addMs(sentAt(current), ms)
  switch (outcome.state) {
    case 'published':
      return { ...rest, state: 'PUBLISHED', at, ...(outcome.link && { link: outcome.link }) }
    case 'doubtful': {
      const since = doubtful_since ?? at
      const isFinal = now >= addMs(new Date(since), FINAL_AFTER_MS)
      if (!isFinal) return { ...rest, doubtful_since: since, error: outcome.error }
      const { rejection } = outcome
      return rejection ? { ...rest, state: 'FAILED', at, error: rejection.error } : giveUp(outcome.error)
    }
    case 'absent':
      return isOlderThan(FINAL_AFTER_MS) ? giveUp("the network doesn't list the post") : rest
    case 'waiting':
    case 'unreachable':
      return isOlderThan(MAX_WAIT_MS) ? giveUp("it wasn't confirmed within a day") : rest
  }
}
