import { type Insertable, sql, type Updateable } from 'kysely'
import { ERASED } from '../../database/personal-data.ts'
import { addMs } from '../../runtime.ts'
import { isUniqueViolation } from '../database/error-codes.ts'
import type { Db, Tables, UserKey } from '../database/tables.ts'
import type { Form, StoredSubmission } from '../forms/form.ts'
import type { OpenedRecord } from '../forms/form-value.ts'
import { insertAuditEntry, withoutPhoneNumber } from '../slack/audit-store.ts'
import type { AuditEntry, AuditOutcome } from '../slack/tables.ts'
import { addItemNotification, addNotifications, removeNotification } from './add-notification.ts'
import type { ItemFailure, OutboxItem, OutboxState } from './tables.ts'

/** Longer than an attempt and its lookup can take. An instance that holds a lease longer is assumed dead. */
const LEASE_MS = 60_000

/** A request that was cut off may still be on its way, so a lookup waits this long. */
export const LOOKUP_DELAY_MS = 30_000

/** The longest pause between attempts, whatever the service asks for. An item doesn't hold up later ones for longer. */
export const MAX_PAUSE_MS = 15 * 60_000

type NewItem = Omit<Insertable<Tables['outbox_item']>, 'state' | 'accepted_at'> & {
  /** The item that the user edited. */
  replaces: string | undefined
}

type Acceptance =
  /** The caller makes the first attempt. */
  | { kind: 'accepted'; item: OutboxItem; replaced: OutboxItem | undefined }
  /** Earlier items of the user go first. */
  | { kind: 'queued' }
  /** Its file must be uploaded first. Other items don't wait for it. */
  | { kind: 'uploading' }
  /** The form was submitted before. */
  | { kind: 'repeated'; item: OutboxItem }
  /** The item to be replaced has been sent in the meantime. */
  | { kind: 'too late' }

/** Items that can still be sent. Items that need the user's answer are left out, so that later items don't wait for them. */
const openItems = (db: Db) =>
  db
    .selectFrom('outbox_item')
    .where('state', 'in', ['queued', 'unconfirmed'])
    .where('needs_answer', '=', false)

const openItemsOf = (db: Db, { team_id, user_id }: UserKey) =>
  openItems(db).where((eb) => eb.and({ team_id, user_id }))

/** Stores a submission before the first attempt, once for each form. */
export const acceptItem = (db: Db, { replaces, ...newItem }: NewItem, now: Date): Promise<Acceptance> =>
  db.transaction().execute(async (transaction) => {
    const { team_id, user_id, view_id } = newItem
    // Keeps the items of a user in order, whichever instances they arrive at.
    const lockName = `outbox ${team_id} ${user_id}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(transaction)
    const items = transaction.selectFrom('outbox_item').selectAll()
    const existing = await items.where('view_id', '=', view_id).executeTakeFirst()
    if (existing) return { kind: 'repeated', item: existing }
    const replaced = replaces ? await takeItem(transaction, { team_id, user_id, id: replaces }) : undefined
    if (replaces && !replaced) return { kind: 'too late' }
    const earlier = await openItemsOf(transaction, newItem)
      .where((eb) => eb.not(letsOthersPass(now)))
      .select('id')
      .executeTakeFirst()
    const kind = newItem.slack_file ? 'uploading' : earlier ? 'queued' : 'accepted'
    const item = await transaction
      .insertInto('outbox_item')
      .values({
        ...newItem,
        accepted_at: now,
        // If the instance dies during the first attempt, the item stays unconfirmed.
        ...(kind === 'accepted' ? { ...attemptAt(now), attempts: 1 } : { state: kind, due_at: now }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return kind === 'accepted' ? { kind, item, replaced } : { kind }
  })

const attemptAt = (now: Date) => ({
  state: 'unconfirmed' as const,
  attempted_at: now,
  absent_since: null,
  due_at: addMs(now, LOOKUP_DELAY_MS),
  leased_until: addMs(now, LEASE_MS),
})

const isDue = (now: Date) =>
  sql<boolean>`(due_at <= ${now} and (leased_until is null or leased_until < ${now}))`

/**
 * Whether later items needn't wait for an item that pauses: if it may have been sent, because a lookup never claims the
 * record of another item, and otherwise if it was accepted long ago.
 */
const letsOthersPass = (now: Date) =>
  sql<boolean>`(due_at > ${now} and (leased_until is null or leased_until < ${now})
    and (state = 'unconfirmed' or accepted_at <= ${addMs(now, -MAX_PAUSE_MS)}))`

/** Users whose first open item is due. */
export function listUsersDue(db: Db, now: Date): Promise<UserKey[]> {
  const firstItems = openItems(db)
    .where((eb) => eb.not(letsOthersPass(now)))
    .distinctOn(['team_id', 'user_id'])
    .select(['team_id', 'user_id', 'due_at', 'leased_until'])
    .orderBy('team_id')
    .orderBy('user_id')
    .orderBy('seq')
  return db.selectFrom(firstItems.as('first')).select(['team_id', 'user_id']).where(isDue(now)).execute()
}

/** Takes the user's first open item if it is due. Later items wait for it, unless it lets them pass. */
export const leaseNextItem = (db: Db, user: UserKey, now: Date): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set({ leased_until: addMs(now, LEASE_MS) })
    .where(
      'id',
      '=',
      openItemsOf(db, user)
        .where((eb) => eb.not(letsOthersPass(now)))
        .select('id')
        .orderBy('seq')
        .limit(1),
    )
    .where(isDue(now))
    .returningAll()
    .executeTakeFirst()

/** A worker changes an item only while it holds the lease: another instance may have taken over meanwhile. */
const updateLeased = (db: Db, { id, leased_until }: OutboxItem) =>
  db.updateTable('outbox_item').where((eb) => eb.and({ id, leased_until }))

/** Marks the item as unconfirmed before an attempt. Undefined if it was discarded, or another instance has it now. */
export const markAttempt = (db: Db, item: OutboxItem, now: Date): Promise<OutboxItem | undefined> =>
  updateLeased(db, item)
    .set(({ eb }) => ({ ...attemptAt(now), attempts: eb('attempts', '+', 1) }))
    .returningAll()
    .executeTakeFirst()

export type ItemOfForm = { item: OutboxItem; form: Pick<Form, 'creation'> }

type SentItem = {
  record: Record<string, unknown> | undefined
  record_id: string | undefined
  foundByLookup: boolean
  shouldNotify: boolean
}

/**
 * Stores that the record exists. The response to an item's own request is certain, so an item that a lookup had matched
 * with the same record is queued again. Returns false if a lookup found a record that belongs to another item.
 */
export const settleItem = (db: Db, item: ItemOfForm, sent: SentItem, now: Date): Promise<boolean> =>
  trySettle(db, item, sent, now).catch((error) => {
    // Another item claimed the record at the same moment. Now that its claim is committed, it is taken into account.
    if (isUniqueViolation(error)) return trySettle(db, item, sent, now)
    throw error
  })

const trySettle = (
  db: Db,
  { item, form: { creation } }: ItemOfForm,
  sent: SentItem,
  now: Date,
): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const { id, project_id, form, leased_until } = item
    const { record, record_id = null, foundByLookup, shouldNotify } = sent
    const owner = await transaction
      .selectFrom('outbox_item')
      .select(['id', 'found_by_lookup'])
      .where((eb) => eb.and({ project_id, form }))
      .where('record_id', '=', record_id)
      .where('id', '!=', id)
      .forUpdate()
      .executeTakeFirst()
    if (owner && foundByLookup) return false
    if (owner?.found_by_lookup) await queueItem(transaction, owner.id, { due_at: now })
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
        leased_until: null,
        finished_at: now,
      })
      .where('id', '=', id)
      // The response to the item's own request counts even after the lease.
      .$if(foundByLookup, (query) => query.where('leased_until', '=', leased_until))
      .executeTakeFirst()
    if (numUpdatedRows) await insertItemEntry(transaction, item, 'done', now, record_id ?? undefined)
    if (numUpdatedRows) await creation?.onItemEnd?.(transaction, item, now)
    if (numUpdatedRows && shouldNotify) await addItemNotification(transaction, item, now)
    return true
  })

async function queueItem(db: Db, id: string, changes: Updateable<Tables['outbox_item']>): Promise<void> {
  const unsent = { needs_answer: false, record: null, record_id: null, found_by_lookup: false }
  const state = sql<OutboxState>`case when slack_file is null then 'queued' else 'uploading' end`
  await db
    .updateTable('outbox_item')
    .set({ state, ...unsent, leased_until: null, finished_at: null, ...changes })
    .where('id', '=', id)
    .execute()
  await removeNotification(db, id)
}

/** What became of an outbox item, in the transaction that decides it. */
const insertItemEntry = (
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

type UnsentItem =
  | {
      state: 'refused' | 'expired' | 'missed'
      failure: ItemFailure | null
      outcome?: 'denied'
      /** The version of the post that another attempt would replace. */
      opened_record?: OpenedRecord
    }
  /** Only the user can tell whether the record exists, perhaps from what a lookup found. */
  | { needs_answer: true; record: { found: string } | null }

/** Ends the work on an item that wasn't sent for certain, and notifies the user and, with another message, the others. */
export const endItem = (
  db: Db,
  { item, form: { creation } }: ItemOfForm,
  unsent: UnsentItem,
  now: Date,
  others?: { user_ids: string[]; message: string; newId: () => string },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { outcome, ...changes } = { outcome: undefined, ...unsent }
    const { numUpdatedRows } = await updateLeased(transaction, item)
      .set({ needs_answer: false, ...changes, leased_until: null, finished_at: now })
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await insertItemEntry(transaction, item, outcome ?? auditOutcomeOf(unsent), now)
    await creation?.onItemEnd?.(transaction, item, now)
    await addItemNotification(transaction, item, now)
    if (others) await addNotifications(transaction, { ...others, team_id: item.team_id }, now)
  })

function auditOutcomeOf(unsent: UnsentItem): AuditOutcome {
  if (!('state' in unsent)) return 'unclear'
  return unsent.state === 'refused' ? 'refused' : 'expired'
}

type NextStep = Pick<OutboxItem, 'state' | 'failure'> & { due_at: Date; absent_since?: Date }

export const postponeItem = (db: Db, item: OutboxItem, nextStep: NextStep): Promise<unknown> =>
  updateLeased(db, item)
    .set({ ...nextStep, leased_until: null })
    .execute()

/** For a form that stays open and can be submitted again, so it doesn't replace an earlier item yet. */
export const withdrawItem = (
  db: Db,
  { id }: OutboxItem,
  replaced: OutboxItem | undefined,
): Promise<unknown> =>
  db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('outbox_item').where('id', '=', id).execute()
    if (!replaced) return
    const { seq: _, ...restored } = replaced
    await transaction.insertInto('outbox_item').values(restored).execute()
  })

type ItemKey = UserKey & { id: string }

/** An item that is being sent right now can be neither retried nor taken back. */
const isChangeable = sql<boolean>`(state in ('refused', 'expired', 'missed', 'queued', 'uploading') or needs_answer)`

/** Sends an item of the user again. False if it is on its way, or what the user entered has been erased. */
export const retryItem = (db: Db, item: ItemKey, now: Date): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const changeable = await selectItem(transaction, item)
      .where(isChangeable)
      .where('body', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (changeable) await queueItem(transaction, item.id, { due_at: now, accepted_at: now, attempts: 0 })
    return changeable !== undefined
  })

/** False if the item is on its way. */
export const discardItem = async (db: Db, key: ItemKey): Promise<boolean> =>
  (await takeItem(db, key)) !== undefined

const takeItem = (db: Db, { team_id, user_id, id }: ItemKey): Promise<OutboxItem | undefined> =>
  db
    .deleteFrom('outbox_item')
    .where((eb) => eb.and({ id, team_id, user_id }))
    .where(isChangeable)
    .returningAll()
    .executeTakeFirst()

const selectItem = (db: Db, { team_id, user_id, id }: ItemKey) =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where((eb) => eb.and({ id, team_id, user_id }))

export const findItem = (db: Db, item: ItemKey): Promise<OutboxItem | undefined> =>
  selectItem(db, item).executeTakeFirst()

export const findItemById = (db: Db, id: string): Promise<OutboxItem | undefined> =>
  db.selectFrom('outbox_item').selectAll().where('id', '=', id).executeTakeFirst()

/** Items that aren't sent yet come first, then the latest. */
export const listItems = (db: Db, { team_id, user_id }: UserKey, limit: number): Promise<OutboxItem[]> =>
  db
    .selectFrom('outbox_item')
    .selectAll()
    .where((eb) => eb.and({ team_id, user_id }))
    .orderBy((eb) => eb('state', '=', 'sent'))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()

/** What these forms of a workspace sent, as far as the service doesn't have it yet. */
export async function listUnsentBodies(
  db: Db,
  team_id: string,
  forms: string[],
): Promise<Record<string, unknown>[]> {
  const items = await db
    .selectFrom('outbox_item')
    .select('body')
    .where('team_id', '=', team_id)
    .where('form', 'in', forms)
    .where('state', '!=', 'sent')
    .where('body', 'is not', null)
    .execute()
  return items.flatMap(({ body }) => (body ? [body] : []))
}

const MAX_OTHER_ITEMS = 1000

type OtherItem = Pick<OutboxItem, 'state' | 'record_id' | 'finished_at'> & { body: Record<string, unknown> }

/** The latest items of the same project and form, to tell their records from that of this item. */
export async function listOtherItems(
  db: Db,
  { id, project_id, form }: StoredSubmission,
): Promise<OtherItem[]> {
  const items = await db
    .selectFrom('outbox_item')
    .select(['state', 'record_id', 'body', 'finished_at'])
    .where((eb) => eb.and({ project_id, form }))
    .where('id', '!=', id)
    .where('body', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(MAX_OTHER_ITEMS)
    .execute()
  return items.flatMap(({ body, ...item }) => (body ? [{ ...item, body }] : []))
}

/** Who created a record of the service from Slack. */
export async function findRecordAuthor(
  db: Db,
  { team_id, project_id, record_id }: Record<'team_id' | 'project_id' | 'record_id', string>,
): Promise<string | undefined> {
  const item = await db
    .selectFrom('outbox_item')
    .select('user_id')
    .where((eb) => eb.and({ team_id, project_id, record_id, form: 'schedule' }))
    .where('user_id', '!=', ERASED)
    .executeTakeFirst()
  return item?.user_id
}
