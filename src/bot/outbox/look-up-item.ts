import { backoffMs } from '../../jobs/job-queue.ts'
import type { NextRun } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import type { Form, LookupContext } from '../forms/form.ts'
import { endItem, postponeItem, type RunningItem, settleItem } from './outbox-store.ts'
import { isExpired } from './retry-limits.ts'
import type { ItemFailure } from './tables.ts'

/** A request that was cut off may still be on its way, so a lookup waits this long. */
export const LOOKUP_DELAY_MS = 30_000

/** A second lookup follows after this time, because services other than Upnext's own may list a record late. */
const SECOND_LOOKUP_DELAY_MS = 60_000

/** Looks up the record of an unconfirmed item. The item may be sent again only if this returns "absent". */
export async function lookUpItem(
  running: RunningItem & { form: Form },
  context: Omit<LookupContext, 'item'>,
): Promise<'absent' | NextRun | undefined> {
  const { item, form } = running
  const { bot } = context
  const { db, runtime } = bot
  // If the process died during the attempt, it didn't postpone this job, so the lookup could come too early.
  const lookupAt = addMs(item.attempted_at ?? item.accepted_at, LOOKUP_DELAY_MS)
  if (lookupAt > runtime.now()) return { due_at: lookupAt, blocks_until: lookupAt }
  // Repeating a change, or storing a held post again, has the same effect as doing so once.
  if (!form.creation || form.creation.holding?.isHeld(item.body ?? {})) return 'absent'
  const found = await form.creation.findExisting?.(item.body ?? {}, { ...context, item })
  const lookup = found ?? { kind: 'impossible' }
  const now = runtime.now()
  const postponeLookup = (due_at: Date, changes: { failure?: ItemFailure; absent_since?: Date }) =>
    postponeItem(db, running, { state: 'unconfirmed', due_at, failure: item.failure, ...changes })
  if (lookup.kind === 'failed' && !isExpired(item, now))
    return postponeLookup(addMs(now, backoffMs(item.attempts, runtime.random)), { failure: lookup.failure })
  const matches = lookup.kind === 'found' ? lookup.matches : []
  for (const { id: record_id, record } of matches) {
    const sent = { record, record_id, foundByLookup: true, shouldNotify: true }
    if (await settleItem(db, running, sent, now)) return undefined
  }
  const [unclear] = lookup.kind === 'found' ? lookup.possibleMatches : []
  if (lookup.kind === 'found' && !unclear) {
    const absent_since = item.absent_since ?? now
    const secondLookupAt = addMs(absent_since, SECOND_LOOKUP_DELAY_MS)
    if (!lookup.isCurrent && secondLookupAt > now) return postponeLookup(secondLookupAt, { absent_since })
    if (lookup.isComplete) return 'absent'
  }
  return endItem(db, running, { needs_answer: true, record: unclear ? { found: unclear } : null }, now)
}
