import { sql } from 'kysely'
import { deleteJobs, type Job, lockJobs } from '../../jobs/job-store.ts'
import { deleteRows, selectRows, updateRows } from '../database/queries.ts'
import type { Db } from '../database/tables.ts'
import type { Form } from '../forms/form.ts'
import type { ItemKey } from './find-items-store.ts'
import { ITEM_JOB_KINDS } from './item-jobs.ts'
import { insertItemAuditEntry, queueItem, type RunningItem } from './outbox-store.ts'
import type { OutboxItem } from './tables.ts'

export type Reserve = NonNullable<NonNullable<Form['creation']>['reserve']>

/** An item that is being sent right now can be neither retried nor taken back. */
const isChangeable = sql<boolean>`(state in ('refused', 'expired', 'missed', 'queued', 'uploading') or needs_answer)`

/** `too late` means that the item is on its way, or that the user's input has been erased. */
type RetryResult = 'queued' | 'too late' | 'reserved'

/** Queues an item of the user again, unless what it needs, such as a slot, is reserved for another record. */
export const retryItem = (
  db: Db,
  { id, team_id, user_id }: ItemKey,
  now: Date,
  reserve?: Reserve,
): Promise<RetryResult> =>
  db.transaction().execute(async (transaction) => {
    await lockJobs(transaction, ITEM_JOB_KINDS, [id])
    const changeable = await selectRows(transaction, 'outbox_item', { id, team_id, user_id })
      .where(isChangeable)
      .where('body', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!changeable) return 'too late'
    if (await reserve?.(transaction, changeable, now)) return 'reserved'
    await queueItem(transaction, changeable, { accepted_at: now, attempts: 0, batch_id: null }, now)
    return 'queued'
  })

/** Marks an item as sent, because the user has found its record. Returns false if the user isn't being asked anymore. */
export const confirmItem = (
  db: Db,
  { id, team_id, user_id }: ItemKey,
  { creation }: RunningItem['form'],
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const item = await updateRows(transaction, 'outbox_item', { id, team_id, user_id, needs_answer: true })
      .set({ state: 'sent', needs_answer: false, record: null, failure: null, finished_at: now })
      .returningAll()
      .executeTakeFirst()
    if (!item) return false
    await insertItemAuditEntry(transaction, item, 'done', now)
    await creation?.onItemChange?.(transaction, item, now)
    return true
  })

export type RemovedItem = { item: OutboxItem; job: Job | undefined }

/** Returns undefined if the item is on its way, done or gone. */
export async function removeItem(
  db: Db,
  { team_id, user_id, id }: ItemKey,
): Promise<RemovedItem | undefined> {
  const [job] = await lockJobs(db, ITEM_JOB_KINDS, [id])
  const item = await deleteRows(db, 'outbox_item', { id, team_id, user_id })
    .where(isChangeable)
    .returningAll()
    .executeTakeFirst()
  if (!item) return undefined
  for (const kind of ITEM_JOB_KINDS) await deleteJobs(db, kind, [id])
  return { item, job }
}
