import { type Insertable, sql, type Updateable } from 'kysely'
import {
  addJobs,
  isKeyBlocked,
  type Job,
  lockJob,
  lockJobs,
  type NewJob,
  type NextRun,
  removeJobs,
} from '../../jobs/job-store.ts'
import { addMs, type Runtime } from '../../runtime.ts'
import { isUniqueViolation } from '../database/error-codes.ts'
import type { Db, Tables } from '../database/tables.ts'
import type { Form } from '../forms/form.ts'
import type { OpenedRecord } from '../forms/form-value.ts'
import { insertAuditEntry, withoutPhoneNumber } from '../slack/audit-store.ts'
import type { AuditEntry, AuditOutcome } from '../slack/tables.ts'
import { addItemNotification, addNotification, removeNotification } from './add-notification.ts'
import { type ItemKey, selectItem } from './find-items.ts'
import type { ItemFailure, OutboxItem, OutboxState } from './tables.ts'

/** An item's file is uploaded, then the item is sent. */
export const UPLOAD = 'upload'
export const SEND = 'outbox item'
const ITEM_JOBS = [UPLOAD, SEND]

const toJob = (kind: string, { id, team_id, user_id }: ItemKey): NewJob => ({
  kind,
  id,
  key: `${team_id} ${user_id}`,
  owner: team_id,
})

export const toSendJob = (item: ItemKey): NewJob => toJob(SEND, item)

/** Longer than a first attempt takes. During this time, no run takes the item's job. */
const FIRST_ATTEMPT_MS = 60_000

/** A request that was cut off may still be on its way, so a lookup waits this long. */
export const LOOKUP_DELAY_MS = 30_000

/** The longest pause between attempts, whatever the service asks for. An item doesn't hold up later ones for longer. */
export const MAX_PAUSE_MS = 15 * 60_000

type NewItem = Omit<Insertable<Tables['outbox_item']>, 'state' | 'accepted_at'> & {
  /** The id of the item that this one replaces, because the user edited it. */
  replaces: string | undefined
  /** A held item isn't sent yet, so it needn't wait for earlier items. */
  isHeld: boolean
  takesKeys: boolean
}

type Acceptance =
  /** The caller makes the first attempt. */
  | { kind: 'accepted'; item: OutboxItem; job: Job; replaced: TakenItem | undefined }
  /** Earlier items of the user go first. */
  | { kind: 'queued' }
  /** Its file must be uploaded first. Other items don't wait for it. */
  | { kind: 'uploading' }
  /** The form was submitted before. */
  | { kind: 'repeated'; item: OutboxItem }
  /** The item to be replaced has been sent in the meantime. */
  | { kind: 'too late' }
  /** Another record has what only one can have. */
  | { kind: 'reserved'; field: string; message: string }

type OtherItem = Pick<NewItem, 'id' | 'team_id' | 'project_id' | 'body' | 'form_values' | 'warnings'>

type AcceptOptions = {
  reserve?: Reserve | undefined
  /** Further records that the same submission creates. They are sent after the first one. */
  others?: OtherItem[]
}

type Reserve = NonNullable<NonNullable<Form['creation']>['reserve']>

/** Stores a submission before the first attempt. If the same form is submitted again, it isn't stored again. */
export const acceptItem = (
  db: Db,
  { replaces, isHeld, takesKeys, ...newItem }: NewItem,
  { now: readClock }: Pick<Runtime, 'now'>,
  { reserve, others = [] }: AcceptOptions = {},
): Promise<Acceptance> =>
  db.transaction().execute(async (transaction) => {
    const now = readClock()
    const { team_id, user_id, view_id } = newItem
    const job = toJob(newItem.slack_file ? UPLOAD : SEND, newItem)
    // Keeps the items of a user in order, whichever instances they arrive at.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`outbox ${job.key}`}, 0))`.execute(transaction)
    const items = transaction.selectFrom('outbox_item').selectAll()
    const existing = await items.where('view_id', '=', view_id).executeTakeFirst()
    if (existing) return { kind: 'repeated', item: existing }
    for (const item of [{ ...newItem, replaces }, ...others]) {
      const conflict = await reserve?.(transaction, item, now)
      if (conflict) return { kind: 'reserved', ...conflict }
    }
    const replaced = replaces ? await takeItem(transaction, { team_id, user_id, id: replaces }) : undefined
    if (replaces && !replaced) return { kind: 'too late' }
    const isWaiting =
      others.length > 0 ||
      newItem.slack_file ||
      (!isHeld && (await isKeyBlocked(transaction, SEND, job.key, now)))
    const insert = (
      changes: Partial<Insertable<Tables['outbox_item']>> & Pick<Insertable<Tables['outbox_item']>, 'state'>,
    ) =>
      transaction
        .insertInto('outbox_item')
        .values({ ...newItem, accepted_at: now, ...changes })
        .returningAll()
        .executeTakeFirstOrThrow()
    if (isWaiting) {
      const state = newItem.slack_file ? 'uploading' : 'queued'
      await insert({ state })
      for (const { id, body, form_values } of others)
        await insert({
          ...{ state, id, view_id: `${view_id} ${id}` },
          ...{ body: body ?? null, form_values: form_values ?? null },
        })
      const jobs = others.map(({ id }) => ({ ...job, id }))
      await addJobs(transaction, [job, ...jobs], now)
      return { kind: state }
    }
    // If the instance dies during the first attempt, the item stays unconfirmed.
    const item = await insert({ ...attemptAt(now), attempts: 1, keyed_at: takesKeys && !isHeld ? now : null })
    const due_at = addMs(now, FIRST_ATTEMPT_MS)
    await addJobs(transaction, [{ ...job, due_at, blocks_until: due_at }], now)
    const [started] = await lockJobs(transaction, [job.kind], [job.id])
    if (!started) throw new Error('The job of a new outbox item is missing.')
    return { kind: 'accepted', item, job: started, replaced }
  })

export type BatchItem = Omit<NewItem, 'view_id' | 'replaces' | 'isHeld' | 'takesKeys'> & { batch_id: string }

/**
 * Stores items that are sent one after the other. A single item of the same user doesn't wait for them. Call this in a
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

const attemptAt = (now: Date) => ({
  state: 'unconfirmed' as const,
  attempted_at: now,
  absent_since: null,
})

/** A run changes its item only while it has the job: another instance may have taken over. */
export const changeItem = (
  db: Db,
  job: Job,
  changes: Updateable<Tables['outbox_item']>,
): Promise<OutboxItem | undefined> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return undefined
    return transaction
      .updateTable('outbox_item')
      .set(changes)
      .where('id', '=', job.id)
      .returningAll()
      .executeTakeFirst()
  })

/** Marks the item as unconfirmed before an attempt. Returns undefined if it was discarded, or another instance has it now. */
export const markAttempt = (
  db: Db,
  job: Job,
  { attempts, keyed_at }: OutboxItem,
  { now, takesKeys }: { now: Date; takesKeys: boolean },
): Promise<OutboxItem | undefined> =>
  changeItem(db, job, {
    ...attemptAt(now),
    attempts: attempts + 1,
    keyed_at: keyed_at ?? (takesKeys ? now : null),
  })

/** Services keep keys for at least a day. */
const REPEATABLE_MS = 24 * 60 * 60_000

/** Whether a service that takes idempotency keys still knows the item's key, so that no second record is created. */
export const isRepeatable = ({ keyed_at }: OutboxItem, now: Date): boolean =>
  keyed_at !== null && now < addMs(keyed_at, REPEATABLE_MS)

/** An item in a run of its job. */
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
export const settleItem = (db: Db, item: RunningItem, sent: SentItem, now: Date): Promise<boolean> =>
  trySettle(db, item, sent, now).catch((error) => {
    // Another item claimed the record at the same moment. Its claim is committed by now, so this second try finds it.
    if (isUniqueViolation(error)) return trySettle(db, item, sent, now)
    throw error
  })

const trySettle = (
  db: Db,
  { item, job, form: { creation } }: RunningItem,
  sent: SentItem,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { id, project_id, form } = item
    const { record, record_id = null, foundByLookup, shouldNotify } = sent
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
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({
        state: 'sent',
        needs_answer: false,
        record_id: isOwnRecord ? record_id : null,
        found_by_lookup: foundByLookup,
        record: record ?? null,
        failure: null,
        finished_at: now,
      })
      .where('id', '=', id)
      .executeTakeFirst()
    if (numUpdatedRows) await insertItemEntry(transaction, item, 'done', now, record_id ?? undefined)
    if (numUpdatedRows) await creation?.onItemChange?.(transaction, item, now)
    if (numUpdatedRows && shouldNotify) await addItemNotification(transaction, item, now)
    // Another run that has taken over must not send the item again.
    await removeJobs(transaction, SEND, [id])
    return true
  })

type QueuedItem = ItemKey & Pick<OutboxItem, 'slack_file'>

async function queueItem(
  db: Db,
  item: QueuedItem,
  changes: Updateable<Tables['outbox_item']>,
  now: Date,
): Promise<void> {
  const unsent = { needs_answer: false, record: null, record_id: null, found_by_lookup: false }
  const state: OutboxState = item.slack_file ? 'uploading' : 'queued'
  await db
    .updateTable('outbox_item')
    .set({ state, ...unsent, finished_at: null, ...changes })
    .where('id', '=', item.id)
    .execute()
  await addJobs(db, [toJob(item.slack_file ? UPLOAD : SEND, item)], now)
  await removeNotification(db, item.id)
}

/** Adds the result of an outbox item to the audit trail, in the transaction that decides the result. */
export const insertItemEntry = (
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

export type UnsentItem =
  | {
      state: 'refused' | 'expired' | 'missed'
      failure: ItemFailure | null
      outcome?: 'denied'
      /** The version of the post that another attempt would replace. */
      opened_record?: OpenedRecord
    }
  /** Only the user can say whether the record exists. `found` describes a record from a lookup that may be the one. */
  | { needs_answer: true; record: { found: string } | null }

type Message = { user_ids: string[]; message: string; newId: () => string }

/** Ends the work on an item that wasn't sent, or may not have been. Notifies the user, and others with another message. */
export const endItem = (
  db: Db,
  { item, job, form: { creation } }: RunningItem,
  unsent: UnsentItem,
  now: Date,
  others?: Message,
): Promise<undefined> =>
  db.transaction().execute(async (transaction) => {
    const { outcome, ...changes } = { outcome: undefined, ...unsent }
    if (!(await lockJob(transaction, job))) return undefined
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({ needs_answer: false, ...changes, finished_at: now })
      .where('id', '=', item.id)
      .executeTakeFirst()
    if (!numUpdatedRows) return undefined
    await insertItemEntry(transaction, item, outcome ?? auditOutcomeOf(unsent), now)
    await creation?.onItemChange?.(transaction, item, now)
    await addItemNotification(transaction, item, now)
    await removeJobs(transaction, job.kind, [item.id])
    if (others) {
      const { user_ids, message, newId } = others
      for (const user_id of user_ids)
        await addNotification(transaction, newId(), { team_id: item.team_id, user_id, message }, now)
    }
    return undefined
  })

function auditOutcomeOf(unsent: UnsentItem): AuditOutcome {
  if (!('state' in unsent)) return 'unclear'
  return unsent.state === 'refused' ? 'refused' : 'expired'
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
  await changeItem(db, job, changes)
  const blocks_until = changes.state === 'queued' ? addMs(item.accepted_at, MAX_PAUSE_MS) : undefined
  return { due_at, blocks_until }
}

/** Has an item sent, now that its file is uploaded. Returns false if it was discarded, or another instance has it now. */
export const queueUploaded = (
  db: Db,
  { item, job }: Omit<RunningItem, 'form'>,
  uploaded: Pick<Updateable<Tables['outbox_item']>, 'body' | 'form_values' | 'warnings'>,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    if (!(await lockJob(transaction, job))) return false
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({ ...uploaded, state: 'queued', slack_file: null, failure: null, attempts: 0 })
      .where('id', '=', item.id)
      .executeTakeFirst()
    if (!numUpdatedRows) return false
    await addJobs(transaction, [toJob(SEND, item)], now)
    return true
  })

/** Returns undefined if the item was discarded, or another instance has it now. */
export const markUpload = (db: Db, job: Job, { attempts }: OutboxItem, now: Date) =>
  changeItem(db, job, { attempted_at: now, attempts: attempts + 1 })

export const saveProgressMessage = (
  db: Db,
  { id }: OutboxItem,
  message: { progress_channel: string; progress_ts: string },
): Promise<unknown> => db.updateTable('outbox_item').set(message).where('id', '=', id).execute()

/** Takes back an item whose form stays open, and restores the item that it had replaced. */
export const withdrawItem = (
  db: Db,
  { id }: OutboxItem,
  replaced: TakenItem | undefined,
  now: Date,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    await removeJobs(transaction, SEND, [id])
    await transaction.deleteFrom('outbox_item').where('id', '=', id).execute()
    if (!replaced) return
    const { seq: _, ...restored } = replaced.item
    await transaction.insertInto('outbox_item').values(restored).execute()
    if (!replaced.job) return
    const { kind, due_at, blocks_until } = replaced.job
    await addJobs(transaction, [{ ...toJob(kind, restored), due_at, blocks_until }], now)
  })

/** An item that is being sent right now can be neither retried nor taken back. */
const isChangeable = sql<boolean>`(state in ('refused', 'expired', 'missed', 'queued', 'uploading') or needs_answer)`

type Retry =
  | { kind: 'queued' }
  /** The item is on its way, or the user's input has been erased. */
  | { kind: 'too late' }
  /** Another record has what only one can have. */
  | { kind: 'reserved' }

/** Has an item of the user sent again. */
export const retryItem = (db: Db, item: ItemKey, now: Date, reserve?: Reserve): Promise<Retry> =>
  db.transaction().execute(async (transaction) => {
    await lockJobs(transaction, ITEM_JOBS, [item.id])
    const changeable = await selectItem(transaction, item)
      .where(isChangeable)
      .where('body', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!changeable) return { kind: 'too late' }
    if (await reserve?.(transaction, changeable, now)) return { kind: 'reserved' }
    await queueItem(transaction, changeable, { accepted_at: now, attempts: 0, batch_id: null }, now)
    return { kind: 'queued' }
  })

/** Marks an item as sent, because the user has found its record. Returns false if the user isn't being asked anymore. */
export const confirmItem = (
  db: Db,
  { id, team_id, user_id }: ItemKey,
  { creation }: RunningItem['form'],
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const item = await transaction
      .updateTable('outbox_item')
      .set({ state: 'sent', needs_answer: false, record: null, failure: null, finished_at: now })
      .where((eb) => eb.and({ id, team_id, user_id, needs_answer: true }))
      .returningAll()
      .executeTakeFirst()
    if (!item) return false
    await insertItemEntry(transaction, item, 'done', now)
    await creation?.onItemChange?.(transaction, item, now)
    return true
  })

/** Returns false if the item is on its way. */
export const discardItem = async (db: Db, key: ItemKey): Promise<boolean> =>
  (await takeItem(db, key)) !== undefined

type TakenItem = { item: OutboxItem; job: Job | undefined }

async function takeItem(db: Db, { team_id, user_id, id }: ItemKey): Promise<TakenItem | undefined> {
  const [job] = await lockJobs(db, ITEM_JOBS, [id])
  const item = await db
    .deleteFrom('outbox_item')
    .where((eb) => eb.and({ id, team_id, user_id }))
    .where(isChangeable)
    .returningAll()
    .executeTakeFirst()
  if (!item) return undefined
  for (const kind of ITEM_JOBS) await removeJobs(db, kind, [id])
  return { item, job }
}
