import type { Insertable, Updateable } from 'kysely'
import { addJobs, deleteJobs, type Job, lockJob, lockJobs, type NextRun } from '../../jobs/job-store.ts'
import { selectRows } from '../database/queries.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { Form } from '../forms/form.ts'
import type { Hold } from '../forms/outcome.ts'
import { addItemNotification } from './add-notification.ts'
import { SEND, toSendJob } from './item-jobs.ts'
import { insertItemAuditEntry, type RunningItem } from './outbox-store.ts'
import type { OutboxItem } from './tables.ts'

type HoldOptions = Hold & { record: Record<string, unknown>; shouldNotify: boolean }

/** Holds an item, so that it can still be changed until it is released. */
export const holdItem = (
  db: Db,
  { item, job, form: { creation } }: RunningItem,
  { until: held_until, body, failure, record, shouldNotify }: HoldOptions,
  now: Date,
): Promise<NextRun> =>
  db.transaction().execute(async (transaction) => {
    if (await lockJob(transaction, job)) {
      const held = await updateItem(transaction, item.id, {
        state: 'held',
        held_until,
        record,
        failure: failure ?? null,
        ...(body && { body }),
      })
      await creation?.onItemChange?.(transaction, held, now)
      await insertItemAuditEntry(transaction, item, 'done', now, item.id)
      if (shouldNotify) await addItemNotification(transaction, item, now)
    }
    return { due_at: held_until }
  })

/** Queues a held item. Returns undefined if it was changed or discarded, or another instance has it now. */
export const releaseItem = (
  db: Db,
  { job, form: { creation } }: { job: Job; form: Form },
  now: Date,
): Promise<OutboxItem | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    const due = selectRows(transaction, 'outbox_item', { id: job.id, state: 'held' })
    const held = await due.where('held_until', '<=', now).executeTakeFirst()
    if (!held) return undefined
    // The author was notified when the item was held, so the values from that notification are cleared.
    // A change keeps its warnings, because its author confirmed them.
    const warnings = creation ? null : held.warnings
    const clearedColumns = { record: null, warnings, progress_channel: null, progress_ts: null }
    const item = await updateItem(transaction, job.id, {
      state: 'queued',
      accepted_at: now,
      attempts: 0,
      keyed_at: null,
      notify_channel: false,
      ...clearedColumns,
      ...creation?.holding?.release(held.body ?? {}),
    })
    await creation?.onItemChange?.(transaction, item, now)
    return item
  })

/** Stores an item that is held from the beginning. Call this in a transaction. */
export async function insertHeldItem(
  transaction: Db,
  item: Omit<Insertable<Tables['outbox_item']>, 'state'> & { held_until: Date },
  now: Date,
): Promise<OutboxItem> {
  const held = await transaction
    .insertInto('outbox_item')
    .values({ ...item, state: 'held' })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addJobs(transaction, [{ ...toSendJob(held), due_at: item.held_until }], now)
  return held
}

/** Without a version, any version matches. */
type HeldItemKey = Pick<OutboxItem, 'team_id' | 'project_id' | 'id'> & { version?: number }

type HeldItemChanges = Pick<Updateable<Tables['outbox_item']>, 'body' | 'failure'> & { held_until: Date }

/** Changes a held item. Returns undefined if its version has changed, or if it isn't held anymore. */
export const updateHeldItem = (
  db: Db,
  held: HeldItemKey,
  change: (transaction: Db, item: OutboxItem) => Promise<HeldItemChanges | undefined>,
  now: Date,
): Promise<OutboxItem | undefined> =>
  withHeldItem(db, held, async (transaction, current) => {
    const changes = await change(transaction, current)
    if (!changes) return current
    const item = await updateItem(transaction, current.id, { ...changes, version: current.version + 1 })
    // If the job was due earlier, it stays due at that time. Its run then finds that `held_until` is later, and waits.
    await addJobs(transaction, [{ ...toSendJob(item), due_at: changes.held_until }], now)
    return item
  })

/** Returns undefined if the item has another version, or isn't held anymore. */
export const deleteHeldItem = (db: Db, held: HeldItemKey): Promise<OutboxItem | undefined> =>
  withHeldItem(db, held, async (transaction, item) => {
    await transaction.deleteFrom('outbox_item').where('id', '=', item.id).execute()
    await deleteJobs(transaction, SEND, [item.id])
    return item
  })

const withHeldItem = (
  db: Db,
  key: HeldItemKey,
  change: (transaction: Db, item: OutboxItem) => Promise<OutboxItem>,
): Promise<OutboxItem | undefined> =>
  db.transaction().execute(async (transaction) => {
    await lockJobs(transaction, [SEND], [key.id])
    const held = selectRows(transaction, 'outbox_item', { ...key, state: 'held' })
    const item = await held.forUpdate().executeTakeFirst()
    return item && change(transaction, item)
  })

const updateItem = (db: Db, id: string, changes: Updateable<Tables['outbox_item']>) =>
  db.updateTable('outbox_item').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
