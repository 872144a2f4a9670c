import type { Updateable } from 'kysely'
import { addJobs, type Job, lockJob, lockJobs, type NextRun, removeJobs } from '../../jobs/job-store.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { Form } from '../forms/form.ts'
import { addItemNotification } from './add-notification.ts'
import { insertItemEntry, type RunningItem, SEND, toSendJob } from './outbox-store.ts'
import type { OutboxItem } from './tables.ts'

type Hold = { held_until: Date; record: Record<string, unknown>; shouldNotify: boolean }

/** Holds an item, so that it can still be changed until it is released. */
export const holdItem = (
  db: Db,
  { item, job }: RunningItem,
  { held_until, record, shouldNotify }: Hold,
  now: Date,
): Promise<NextRun> =>
  db.transaction().execute(async (transaction) => {
    if (await lockJob(transaction, job)) {
      await updateItem(transaction, item.id, { state: 'held', held_until, record, failure: null })
      await insertItemEntry(transaction, item, 'done', now, item.id)
      if (shouldNotify) await addItemNotification(transaction, item, now)
    }
    return { due_at: held_until }
  })

/** Has a held item sent. Returns undefined if it was changed or discarded, or another instance has it now. */
export const releaseItem = (
  db: Db,
  { job, form: { creation } }: { job: Job; form: Form },
  now: Date,
): Promise<OutboxItem | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    const due = selectHeld(transaction).where('id', '=', job.id).where('held_until', '<=', now)
    const held = await due.executeTakeFirst()
    if (!held) return undefined
    // The item's author was notified when it was held. Delivery begins only now, so old progress and warnings are cleared.
    const forgotten = { record: null, warnings: null, progress_channel: null, progress_ts: null }
    const item = await updateItem(transaction, job.id, {
      ...{ state: 'queued', accepted_at: now, attempts: 0, keyed_at: null, notify_channel: false },
      ...forgotten,
      ...creation?.holding?.release(held.body ?? {}),
    })
    await creation?.onItemChange?.(transaction, item, now)
    return item
  })

type HeldVersion = Pick<OutboxItem, 'team_id' | 'project_id' | 'id' | 'version'>

/** Returns undefined if the item has another version, or isn't held anymore. */
export const updateHeldItem = (
  db: Db,
  held: HeldVersion,
  changes: { body: Record<string, unknown>; held_until: Date },
  now: Date,
): Promise<OutboxItem | undefined> =>
  changeHeld(db, held, async (transaction, { id, version }) => {
    const item = await updateItem(transaction, id, { ...changes, version: version + 1 })
    // If the job was due earlier, it stays due then. Its run checks `held_until` and waits for the rest of the time.
    await addJobs(transaction, [{ ...toSendJob(item), due_at: changes.held_until }], now)
    return item
  })

/** Returns undefined if the item has another version, or isn't held anymore. */
export const deleteHeldItem = (db: Db, held: HeldVersion): Promise<OutboxItem | undefined> =>
  changeHeld(db, held, async (transaction, item) => {
    await transaction.deleteFrom('outbox_item').where('id', '=', item.id).execute()
    await removeJobs(transaction, SEND, [item.id])
    return item
  })

const changeHeld = (
  db: Db,
  { team_id, project_id, id, version }: HeldVersion,
  change: (transaction: Db, item: OutboxItem) => Promise<OutboxItem>,
): Promise<OutboxItem | undefined> =>
  db.transaction().execute(async (transaction) => {
    await lockJobs(transaction, [SEND], [id])
    const held = selectHeld(transaction).where((eb) => eb.and({ team_id, project_id, id, version }))
    const item = await held.forUpdate().executeTakeFirst()
    return item && change(transaction, item)
  })

const selectHeld = (db: Db) => db.selectFrom('outbox_item').selectAll().where('state', '=', 'held')

const updateItem = (db: Db, id: string, changes: Updateable<Tables['outbox_item']>) =>
  db.updateTable('outbox_item').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
