import { type Selectable, sql } from 'kysely'
import type { ApiFailure } from '../../api/result.ts'
import { isUniqueViolation } from '../database/connect.ts'
import type { Db, OutboxItem, Tables, UserKey } from '../database/tables.ts'
import { addItemNotification, deleteItemNotification } from '../notifications/notification-store.ts'
import { discardItem } from './outbox-list-store.ts'

/** Longer than an attempt with its lookup. An instance that holds a lease for longer has died. */
const LEASE_MS = 60_000

/** A request that was cut off may still be on its way, so a lookup would come too early before this. */
export const LOOKUP_DELAY_MS = 30_000

const OPEN_STATES = ['queued', 'unconfirmed'] as const

const addMs = (date: Date, ms: number) => new Date(date.getTime() + ms)

type NewItem = Pick<
  Selectable<Tables['outbox_item']>,
  | 'id'
  | 'view_id'
  | 'team_id'
  | 'user_id'
  | 'channel_id'
  | 'form'
  | 'project_id'
  | 'project_name'
  | 'notify_channel'
  | 'form_values'
  | 'body'
> & { replaces: string | undefined }

type Acceptance =
  /** The caller makes the first attempt. */
  | { kind: 'accepted'; item: OutboxItem }
  /** Earlier items of the user go first. */
  | { kind: 'queued'; item: OutboxItem }
  /** The form was submitted before. */
  | { kind: 'repeated'; item: OutboxItem }
  /** The item to be replaced has been sent meanwhile. */
  | { kind: 'too late' }

/** Stores a submission before the first attempt, once for each form. */
export const acceptItem = (db: Db, newItem: NewItem, now: Date): Promise<Acceptance> =>
  db.transaction().execute(async (transaction) => {
    const { replaces, form_values, body, ...columns } = newItem
    const { view_id, team_id, user_id } = columns
    // Keeps the items of a user in order, whichever instances they arrive at.
    const lockName = `outbox ${team_id} ${user_id}`
    await sql`select pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`.execute(transaction)
    const existing = await transaction
      .selectFrom('outbox_item')
      .selectAll()
      .where('view_id', '=', view_id)
      .executeTakeFirst()
    if (existing) return { kind: 'repeated', item: existing }
    if (replaces && !(await discardItem(transaction, { team_id, user_id, id: replaces })))
      return { kind: 'too late' }
    const earlier = await transaction
      .selectFrom('outbox_item')
      .select('id')
      .where((eb) => eb.and({ team_id, user_id }))
      .where('state', 'in', OPEN_STATES)
      .where('needs_answer', '=', false)
      .executeTakeFirst()
    const item = await transaction
      .insertInto('outbox_item')
      .values({
        ...columns,
        form_values: JSON.stringify(form_values),
        body: JSON.stringify(body),
        accepted_at: now,
        // If the instance dies during the first attempt, the item stays unconfirmed.
        ...(earlier
          ? { state: 'queued' as const, due_at: now }
          : { state: 'unconfirmed' as const, attempts: 1, ...attemptAt(now) }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { kind: earlier ? 'queued' : 'accepted', item }
  })

const attemptAt = (now: Date) => ({
  attempted_at: now,
  due_at: addMs(now, LOOKUP_DELAY_MS),
  leased_until: addMs(now, LEASE_MS),
})

const isLeaseFree = (now: Date) => sql<boolean>`(leased_until is null or leased_until < ${now})`

/** Users whose first open item is due. */
export function listUsersDue(db: Db, now: Date): Promise<UserKey[]> {
  const firstItems = db
    .selectFrom('outbox_item')
    .distinctOn(['team_id', 'user_id'])
    .select(['team_id', 'user_id', 'due_at', 'leased_until'])
    .where('state', 'in', OPEN_STATES)
    .where('needs_answer', '=', false)
    .orderBy('team_id')
    .orderBy('user_id')
    .orderBy('seq')
    .as('first')
  return db
    .selectFrom(firstItems)
    .select(['team_id', 'user_id'])
    .where('due_at', '<=', now)
    .where(isLeaseFree(now))
    .execute()
}

/** Takes the user's first open item if it is due. Later items wait for it, unless it needs the user's answer. */
export const leaseNextItem = (
  db: Db,
  { team_id, user_id }: UserKey,
  now: Date,
): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set({ leased_until: addMs(now, LEASE_MS) })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('outbox_item')
        .select('id')
        .where((eb) => eb.and({ team_id, user_id }))
        .where('state', 'in', OPEN_STATES)
        .where('needs_answer', '=', false)
        .orderBy('seq')
        .limit(1),
    )
    .where('due_at', '<=', now)
    .where(isLeaseFree(now))
    .returningAll()
    .executeTakeFirst()

// A worker changes an item only while it holds the lease: another instance may have taken over meanwhile.

/** Marks the item as unconfirmed before an attempt. Undefined if it was discarded, or another instance has it now. */
export const markAttempt = (
  db: Db,
  { id, leased_until }: OutboxItem,
  now: Date,
): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set(({ eb }) => ({ state: 'unconfirmed', attempts: eb('attempts', '+', 1), ...attemptAt(now) }))
    .where((eb) => eb.and({ id, leased_until }))
    .returningAll()
    .executeTakeFirst()

type SentItem = {
  record: unknown
  record_id: string | undefined
  foundByLookup: boolean
  shouldNotify: boolean
}

/**
 * Stores that the record exists. The response to an item's own request is certain, so an item that a lookup had matched
 * with the same record is queued again. Returns false if a lookup found a record that belongs to another item by now.
 */
export async function settleItem(db: Db, item: OutboxItem, sent: SentItem, now: Date): Promise<boolean> {
  if (await trySettle(db, item, sent, now)) return true
  if (sent.foundByLookup) return false
  // A lookup claimed the record at the same moment. Now that its claim is committed, it can be taken back.
  if (await trySettle(db, item, sent, now)) return true
  // The service answered two requests with the same record, so it belongs to both items.
  return trySettle(db, item, { ...sent, record_id: undefined }, now)
}

async function trySettle(
  db: Db,
  item: OutboxItem,
  { record, record_id, foundByLookup, shouldNotify }: SentItem,
  now: Date,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (transaction) => {
      if (record_id !== undefined && !foundByLookup)
        await releaseLookupMatch(transaction, item, record_id, now)
      const { numUpdatedRows } = await transaction
        .updateTable('outbox_item')
        .set({
          state: 'sent',
          needs_answer: false,
          record_id: record_id ?? null,
          found_by_lookup: foundByLookup,
          record: JSON.stringify(record ?? null),
          failure: null,
          leased_until: null,
          finished_at: now,
        })
        .where('id', '=', item.id)
        // The response to the item's own request counts even after the lease.
        .$if(foundByLookup, (query) => query.where('leased_until', '=', item.leased_until))
        .executeTakeFirst()
      if (numUpdatedRows && shouldNotify) await addItemNotification(transaction, item, now)
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

async function releaseLookupMatch(
  db: Db,
  { id, project_id, form }: OutboxItem,
  record_id: string,
  now: Date,
): Promise<void> {
  const released = await db
    .updateTable('outbox_item')
    .set({
      state: 'queued',
      record_id: null,
      found_by_lookup: false,
      due_at: now,
      leased_until: null,
      finished_at: null,
    })
    .where((eb) => eb.and({ project_id, form, record_id }))
    .where('id', '!=', id)
    .where('found_by_lookup', '=', true)
    .returning('id')
    .executeTakeFirst()
  if (released) await deleteItemNotification(db, released.id)
}

/** The ids of records that no other item has created. */
export async function filterUnclaimed(
  db: Db,
  { id, project_id, form }: OutboxItem,
  record_ids: string[],
): Promise<string[]> {
  if (!record_ids.length) return []
  const rows = await db
    .selectFrom('outbox_item')
    .select('record_id')
    .where((eb) => eb.and({ project_id, form }))
    .where('record_id', 'in', record_ids)
    .where('id', '!=', id)
    .execute()
  const claimed = new Set(rows.map(({ record_id }) => record_id))
  return record_ids.filter((record_id) => !claimed.has(record_id))
}

/** Gives up on an item and notifies the user. */
export const endItem = (
  db: Db,
  item: OutboxItem,
  { state, failure }: { state: 'refused' | 'expired'; failure: ApiFailure | null },
  now: Date,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { id, leased_until } = item
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({
        state,
        needs_answer: false,
        failure: JSON.stringify(failure),
        leased_until: null,
        finished_at: now,
      })
      .where((eb) => eb.and({ id, leased_until }))
      .executeTakeFirst()
    if (numUpdatedRows) await addItemNotification(transaction, item, now)
  })

export const postponeItem = (
  db: Db,
  { id, leased_until }: OutboxItem,
  { state, due_at, failure }: { state: 'queued' | 'unconfirmed'; due_at: Date; failure: ApiFailure | null },
): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({ state, due_at, failure: JSON.stringify(failure), leased_until: null })
    .where((eb) => eb.and({ id, leased_until }))
    .execute()

/** Only the user can tell whether the record exists. The items behind it don't wait. */
export const askUser = (db: Db, item: OutboxItem, now: Date): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const { id, leased_until } = item
    const { numUpdatedRows } = await transaction
      .updateTable('outbox_item')
      .set({ needs_answer: true, leased_until: null })
      .where((eb) => eb.and({ id, leased_until }))
      .executeTakeFirst()
    if (numUpdatedRows) await addItemNotification(transaction, item, now)
  })

/** For a form that stays open and can be submitted again. */
export const deleteItem = (db: Db, { id }: OutboxItem): Promise<unknown> =>
  db.deleteFrom('outbox_item').where('id', '=', id).execute()

/** Erases what users entered. The row stays, so that a later lookup doesn't claim its record. */
export const eraseInput = (db: Db, finishedBefore: Date): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({ form_values: null, body: null, record: null, failure: null })
    .where('finished_at', '<', finishedBefore)
    .where('form_values', 'is not', null)
    .execute()
