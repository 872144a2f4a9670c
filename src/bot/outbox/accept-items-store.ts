import type { Insertable } from 'kysely'
import { lockForTransaction } from '../../database/lock-for-transaction.ts'
import { addJobs, deleteJobs, isKeyBlocked, type Job, lockJobs } from '../../jobs/job-store.ts'
import { addMs, type Runtime } from '../../runtime.ts'
import type { Db, Tables } from '../database/tables.ts'
import { SEND, toItemJob, toSendJob, UPLOAD } from './item-jobs.ts'
import { attemptColumns } from './outbox-store.ts'
import type { OutboxItem } from './tables.ts'
import { type RemovedItem, type Reserve, removeItem } from './user-items-store.ts'

/** Workers leave the job of a new item alone for this long, which is more than the first attempt needs. */
const MAX_FIRST_ATTEMPT_MS = 60_000

type NewItem = Omit<Insertable<Tables['outbox_item']>, 'state' | 'accepted_at'> & {
  replaces: string | undefined
  /** A held item isn't sent yet, so it needn't wait for earlier items. */
  isHeld: boolean
  usesIdempotencyKey: boolean
}

type Acceptance =
  /** The caller makes the first attempt. */
  | { kind: 'accepted'; item: OutboxItem; job: Job; replaced: RemovedItem | undefined }
  /** A worker sends the item later: after earlier items of the user, or because the submission was split. */
  | { kind: 'queued' }
  /** The item's file must be uploaded first. Other items don't wait for it. */
  | { kind: 'uploading' }
  /** The form was submitted before. */
  | { kind: 'repeated'; item: OutboxItem }
  /** The item that this one replaces can no longer be replaced, for example because it was sent. */
  | { kind: 'too late' }
  /** Something that the item needs, such as a slot, is reserved for another record. */
  | { kind: 'reserved'; field: string; message: string }

type AdditionalItem = Pick<NewItem, 'id' | 'team_id' | 'project_id' | 'body' | 'form_values' | 'warnings'>

type AcceptOptions = {
  reserve?: Reserve | undefined
  /** Further records that the same submission creates. They are sent after the first one. */
  others?: AdditionalItem[]
}

/** Stores a submission before the first attempt. If the same form is submitted again, it isn't stored again. */
export const acceptItem = (
  db: Db,
  { replaces, isHeld, usesIdempotencyKey, ...newItem }: NewItem,
  { now: readClock }: Pick<Runtime, 'now'>,
  { reserve, others = [] }: AcceptOptions = {},
): Promise<Acceptance> =>
  db.transaction().execute(async (transaction) => {
    const now = readClock()
    const { team_id, user_id, view_id } = newItem
    const job = toItemJob(newItem.slack_file ? UPLOAD : SEND, newItem)
    // Keeps the items of a user in order, whichever instances they arrive at.
    await lockForTransaction(transaction, `outbox ${job.key}`)
    const items = transaction.selectFrom('outbox_item').selectAll()
    const existing = await items.where('view_id', '=', view_id).executeTakeFirst()
    if (existing) return { kind: 'repeated', item: existing }
    for (const item of [{ ...newItem, replaces }, ...others]) {
      const conflict = await reserve?.(transaction, item, now)
      if (conflict) return { kind: 'reserved', ...conflict }
    }
    const replaced = replaces ? await removeItem(transaction, { team_id, user_id, id: replaces }) : undefined
    if (replaces && !replaced) return { kind: 'too late' }
    const isWaiting =
      others.length > 0 ||
      newItem.slack_file ||
      (!isHeld && (await isKeyBlocked(transaction, SEND, job.key, now)))
    const row = { ...newItem, accepted_at: now }
    if (isWaiting) {
      const state: 'uploading' | 'queued' = newItem.slack_file ? 'uploading' : 'queued'
      const parts = others.map(({ id, body, form_values }) => {
        return { ...row, id, body, form_values, state, view_id: `${view_id} ${id}` }
      })
      await transaction
        .insertInto('outbox_item')
        .values([{ ...row, state }, ...parts])
        .execute()
      await addJobs(transaction, [job, ...others.map(({ id }) => ({ ...job, id }))], now)
      return { kind: state }
    }
    const keyed_at = usesIdempotencyKey && !isHeld ? now : null
    // If the instance dies during the first attempt, the item stays unconfirmed, so the outbox looks the record up.
    const item = await transaction
      .insertInto('outbox_item')
      .values({ ...row, ...attemptColumns(now), attempts: 1, keyed_at })
      .returningAll()
      .executeTakeFirstOrThrow()
    const due_at = addMs(now, MAX_FIRST_ATTEMPT_MS)
    await addJobs(transaction, [{ ...job, due_at, blocks_until: due_at }], now)
    const [started] = await lockJobs(transaction, [job.kind], [job.id])
    if (!started) throw new Error('The job of a new outbox item is missing.')
    return { kind: 'accepted', item, job: started, replaced }
  })

/** Takes back an item whose form stays open, and restores the item that it had replaced. */
export const withdrawItem = (
  db: Db,
  { id }: OutboxItem,
  replaced: RemovedItem | undefined,
  now: Date,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    await deleteJobs(transaction, SEND, [id])
    await transaction.deleteFrom('outbox_item').where('id', '=', id).execute()
    if (!replaced) return
    const { seq: _, ...restored } = replaced.item
    await transaction.insertInto('outbox_item').values(restored).execute()
    if (!replaced.job) return
    const { kind, due_at, blocks_until } = replaced.job
    await addJobs(transaction, [{ ...toItemJob(kind, restored), due_at, blocks_until }], now)
  })

export type BatchItem = Omit<NewItem, 'view_id' | 'replaces' | 'isHeld' | 'usesIdempotencyKey'> & {
  batch_id: string
}

/**
 * Stores items that are sent one after the other. Other items of the same user don't wait for them. Call this in a
 * transaction.
 */
export async function queueBatch(transaction: Db, items: BatchItem[], now: Date): Promise<void> {
  if (!items.length) return
  const rows = items.map((item) => ({
    ...item,
    view_id: item.id,
    state: 'queued' as const,
    accepted_at: now,
  }))
  await transaction.insertInto('outbox_item').values(rows).execute()
  const jobs = items.map((item) => ({ ...toSendJob(item), key: item.batch_id }))
  await addJobs(transaction, jobs, now)
}
