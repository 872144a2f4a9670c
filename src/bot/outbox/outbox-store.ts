import type { Updateable } from 'kysely'
import { lockForTransaction } from '../../database/lock-for-transaction.ts'
import { addJobs, deleteJobs, type Job, lockJob, type NextRun } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import { updateRows } from '../database/queries.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { Form } from '../forms/form.ts'
import type { OpenedRecord } from '../forms/form-value.ts'
import { insertAuditEntry, withoutPhoneNumber } from '../slack/audit-store.ts'
import type { AuditEntry, AuditOutcome } from '../slack/tables.ts'
import { addItemNotification, addNotification, removeNotification } from './add-notification.ts'
import type { ItemKey } from './find-items-store.ts'
import { SEND, toItemJob, UPLOAD } from './item-jobs.ts'
import { MAX_PAUSE_MS } from './retry-limits.ts'
import type { ItemFailure, OutboxItem, OutboxState } from './tables.ts'

/** An item is unconfirmed as soon as an attempt begins, because the response may be lost. */
export const attemptColumns = (now: Date) => ({
  state: 'unconfirmed' as const,
  attempted_at: now,
  absent_since: null,
})

type Changes = Updateable<Tables['outbox_item']>

export const updateItemInRun = (db: Db, job: Job, changes: Changes): Promise<OutboxItem | undefined> =>
  db.transaction().execute((transaction) => changeRunningItem(transaction, job, changes))

/** A run changes its item only while it has the job: another instance may have taken over. Call this in a transaction. */
async function changeRunningItem(transaction: Db, job: Job, changes: Changes) {
  if (!(await lockJob(transaction, job))) return undefined
  const item = updateRows(transaction, 'outbox_item', { id: job.id }).set(changes).returningAll()
  return item.executeTakeFirst()
}

/** An item whose job is running. */
export type RunningItem = { item: OutboxItem; job: Job; form: Pick<Form, 'creation'> }

type SentItem = {
  record: Record<string, unknown> | undefined
  record_id: string | undefined
  foundByLookup: boolean
  shouldNotify: boolean
}

/**
 * Stores that an item's record exists. The response to the item's own request is certain, so another item that a lookup
 * had matched with the same record is queued again. Returns false if a lookup found a record that belongs to another item.
 */
export const settleItem = (
  db: Db,
  { item, job, form: { creation } }: RunningItem,
  sent: SentItem,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { id, project_id, form } = item
    const { record, record_id = null, foundByLookup, shouldNotify } = sent
    // Keeps two items from claiming the same record at the same moment.
    await lockForTransaction(transaction, `settle ${project_id}`)
    // The response to the item's own request counts even if the run has lost the job.
    if (!(await lockJob(transaction, job)) && foundByLookup) return true
    const owner = await transaction
      .selectFrom('outbox_item')
      .select(['id', 'team_id', 'user_id', 'slack_file', 'found_by_lookup'])
      .where((eb) => eb.and({ project_id, form }))
      .where('record_id', '=', record_id)
      .where('id', '!=', id)
      .forUpdate()
      .executeTakeFirst()
    if (owner && foundByLookup) return false
    if (owner?.found_by_lookup) await queueItem(transaction, owner, {}, now)
    // If the service answered two requests with the same record, the first item keeps it.
    const isOwnRecord = !owner || owner.found_by_lookup
    const { numUpdatedRows } = await updateRows(transaction, 'outbox_item', { id })
      .set({
        state: 'sent',
        needs_answer: false,
        record_id: isOwnRecord ? record_id : null,
        found_by_lookup: foundByLookup,
        record: record ?? null,
        failure: null,
        finished_at: now,
      })
      .executeTakeFirst()
    if (numUpdatedRows) await insertItemAuditEntry(transaction, item, 'done', now, record_id ?? undefined)
    if (numUpdatedRows) await creation?.onItemChange?.(transaction, item, now)
    if (numUpdatedRows && shouldNotify) await addItemNotification(transaction, item, now)
    // Another run that has taken over must not send the item again.
    await deleteJobs(transaction, SEND, [id])
    return true
  })

type QueuedItem = ItemKey & Pick<OutboxItem, 'slack_file'>

export async function queueItem(db: Db, item: QueuedItem, changes: Changes, now: Date): Promise<void> {
  const clearedOutcome = { needs_answer: false, record: null, record_id: null, found_by_lookup: false }
  const state: OutboxState = item.slack_file ? 'uploading' : 'queued'
  await updateRows(db, 'outbox_item', { id: item.id })
    .set({ state, ...clearedOutcome, finished_at: null, ...changes })
    .execute()
  await addJobs(db, [toItemJob(item.slack_file ? UPLOAD : SEND, item)], now)
  await removeNotification(db, item.id)
}

/** Adds the result of an outbox item to the audit trail, in the transaction that decides the result. */
export const insertItemAuditEntry = (
  db: Db,
  item: OutboxItem,
  outcome: AuditEntry['outcome'],
  now: Date,
  target: string | null = item.opened_record?.record_id ?? null,
): Promise<unknown> =>
  insertAuditEntry(db, {
    at: now,
    team_id: item.team_id,
    user_id: item.user_id,
    user_team_id: item.user_team_id ?? item.team_id,
    action: item.form,
    project_id: item.project_id,
    target,
    detail: { after: withoutPhoneNumber(item.body ?? {}) },
    outcome,
    request_id: item.id,
  })

export type ItemEnding =
  | {
      state: 'refused' | 'expired' | 'missed'
      failure: ItemFailure | null
      outcome?: 'denied'
      /** The version of the post that another attempt would replace. */
      opened_record?: OpenedRecord
    }
  /** Only the user can say whether the record exists. `found` describes a possible match from a lookup. */
  | { needs_answer: true; record: { found: string } | null }

/** Ends the work on an item that wasn't sent, or may not have been. Notifies the user, and `others` with their own messages. */
export const endItem = (
  db: Db,
  { item, job, form: { creation } }: RunningItem,
  ending: ItemEnding,
  now: Date,
  others: { id: string; user_id: string; message: string }[] = [],
): Promise<undefined> =>
  db.transaction().execute(async (transaction) => {
    const { outcome, ...changes } = { outcome: undefined, ...ending }
    const ended = { needs_answer: false, ...changes, finished_at: now }
    if (!(await changeRunningItem(transaction, job, ended))) return undefined
    await insertItemAuditEntry(transaction, item, outcome ?? auditOutcomeOf(ending), now)
    await creation?.onItemChange?.(transaction, item, now)
    await addItemNotification(transaction, item, now)
    await deleteJobs(transaction, job.kind, [item.id])
    for (const { id, ...notice } of others)
      await addNotification(transaction, id, { team_id: item.team_id, ...notice }, now)
    return undefined
  })

function auditOutcomeOf(ending: ItemEnding): AuditOutcome {
  if (!('state' in ending)) return 'unclear'
  return ending.state === 'refused' ? 'refused' : 'expired'
}

type Postponement = Pick<OutboxItem, 'failure'> & {
  state: 'queued' | 'unconfirmed' | 'uploading'
  due_at: Date
  absent_since?: Date
}

/** Postpones the next attempt. Later items wait if this one is queued and was accepted less than `MAX_PAUSE_MS` ago. */
export async function postponeItem(
  db: Db,
  { item, job }: Omit<RunningItem, 'form'>,
  { due_at, ...changes }: Postponement,
): Promise<NextRun> {
  await updateItemInRun(db, job, changes)
  const blocks_until = changes.state === 'queued' ? addMs(item.accepted_at, MAX_PAUSE_MS) : undefined
  return { due_at, blocks_until }
}

/** Queues an item after its upload. Returns false if the item was discarded, or another instance has its job now. */
export const queueUploadedItem = (
  db: Db,
  { item, job }: Omit<RunningItem, 'form'>,
  uploaded: Pick<Updateable<Tables['outbox_item']>, 'body' | 'form_values' | 'warnings'>,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const queued = { ...uploaded, state: 'queued' as const, slack_file: null, failure: null, attempts: 0 }
    if (!(await changeRunningItem(transaction, job, queued))) return false
    await addJobs(transaction, [toItemJob(SEND, item)], now)
    return true
  })

export const saveProgressMessage = (
  db: Db,
  { id }: OutboxItem,
  message: { progress_channel: string | null; progress_ts: string | null },
): Promise<unknown> => db.updateTable('outbox_item').set(message).where('id', '=', id).execute()
