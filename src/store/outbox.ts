import { sql } from 'kysely'
import { removeItem } from './outbox-of-person.ts'
import type { Db, OutboxItem } from './tables.ts'
import { isTwice } from './twice.ts'

type Person = { team_id: string; user_id: string }

type Accepted = Pick<
  OutboxItem,
  | 'id'
  | 'view_id'
  | 'team_id'
  | 'user_id'
  | 'channel_id'
  | 'verb'
  | 'project_id'
  | 'project_name'
  | 'is_telling'
> & {
  entries: unknown
  body: unknown
  /** An item that this one takes the place of. */
  replaces?: string | undefined
}

/** For the whole of a call and what is looked up before it: whoever holds an item that long has died. */
const LEASE_MS = 60_000

/** A call that was cut off may still arrive: nobody looks for what it made before. */
export const LOOK_AFTER_MS = 30_000

const OPEN = ['waiting', 'unclear'] as const

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

export type Acceptance =
  /** It is kept, and the caller's to send. */
  | { kind: 'ours'; item: OutboxItem }
  /** It is kept, and goes out behind what the person sent off before. */
  | { kind: 'behind'; item: OutboxItem }
  /** Of that view there is one already. */
  | { kind: 'known'; item: OutboxItem }
  /** What it was to take the place of has gone out meanwhile. */
  | { kind: 'too late' }

/** Keeps it before the first call, so that nothing is lost however that goes; one for each view. */
export const acceptItem = (db: Db, accepted: Accepted, now: Date): Promise<Acceptance> =>
  db.transaction().execute(async (within) => {
    const { replaces, entries, body, ...row } = accepted
    // The order is that of one person, whichever instance hears of it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`outbox ${row.team_id} ${row.user_id}`}, 0))`.execute(
      within,
    )
    const known = await within
      .selectFrom('outbox_item')
      .selectAll()
      .where('view_id', '=', row.view_id)
      .executeTakeFirst()
    if (known) return { kind: 'known', item: known }
    if (replaces && !(await removeItem(within, { ...row, id: replaces }))) return { kind: 'too late' }
    const before = await within
      .selectFrom('outbox_item')
      .select('id')
      .where('team_id', '=', row.team_id)
      .where('user_id', '=', row.user_id)
      .where('state', 'in', OPEN)
      .where('is_asked', '=', false)
      .executeTakeFirst()
    const item = await within
      .insertInto('outbox_item')
      .values({
        ...row,
        entries: JSON.stringify(entries),
        body: JSON.stringify(body),
        accepted_at: now,
        // Whoever dies in the middle of the call leaves behind that it is not known how it went.
        ...(before
          ? { state: 'waiting' as const, due_at: now }
          : { state: 'unclear' as const, tries: 1, ...calling(now) }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { kind: before ? 'behind' : 'ours', item }
  })

const calling = (now: Date) => ({
  called_at: now,
  due_at: later(now, LOOK_AFTER_MS),
  leased_until: later(now, LEASE_MS),
})

/** The person's next item, if it is due and nobody has it in hand: those behind it wait, except for an answer of theirs. */
export const leaseNextItem = (
  db: Db,
  { team_id, user_id }: Person,
  now: Date,
): Promise<OutboxItem | undefined> =>
  db
    .updateTable('outbox_item')
    .set({ leased_until: later(now, LEASE_MS) })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('outbox_item')
        .select('id')
        .where('team_id', '=', team_id)
        .where('user_id', '=', user_id)
        .where('state', 'in', OPEN)
        .where('is_asked', '=', false)
        .orderBy('seq')
        .limit(1),
    )
    .where('due_at', '<=', now)
    .where(isFree(now))
    .returningAll()
    .executeTakeFirst()

const isFree = (now: Date) => sql<boolean>`(leased_until is null or leased_until < ${now})`

/**
 * The call is about to be made: from here on it is not known how it went, until that is known. False where the person has
 * called it off, or somebody else has it in hand by now.
 */
export async function markCalling(db: Db, { id, leased_until }: OutboxItem, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_item')
    .set(({ eb }) => ({ state: 'unclear', tries: eb('tries', '+', 1), ...calling(now) }))
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

type Ending = { data: unknown; record_id: string | undefined; isFound: boolean; isUntold: boolean }

/**
 * It is there. What a call of its own answered is certain; whoever had taken that record for theirs by looking it up was
 * wrong, and goes out again. False where it was looked up, and has become another's meanwhile.
 */
export async function settleItem(db: Db, item: OutboxItem, ending: Ending, now: Date): Promise<boolean> {
  const isWritten = (what: Ending) =>
    writeSettled(db, item, what, now).then(
      () => true,
      (error) => {
        if (isTwice(error)) return false
        throw error
      },
    )
  if (await isWritten(ending)) return true
  if (ending.isFound) return false
  // Somebody took it for theirs in that very moment: now that this is to be seen, they go out again.
  if (await isWritten(ending)) return true
  // A service that gives two calls one record has made one of them: it is there for both.
  return isWritten({ ...ending, record_id: undefined })
}

const writeSettled = (
  db: Db,
  { id, project_id, verb }: OutboxItem,
  { data, record_id, isFound, isUntold }: Ending,
  now: Date,
): Promise<void> =>
  db.transaction().execute(async (within) => {
    if (record_id !== undefined) {
      const other = within
        .updateTable('outbox_item')
        .set({
          state: 'waiting',
          record_id: null,
          is_found: false,
          due_at: now,
          leased_until: null,
          ended_at: null,
        })
        .where('project_id', '=', project_id)
        .where('verb', '=', verb)
        .where('record_id', '=', record_id)
        .where('id', '!=', id)
      if (!isFound) await other.where('is_found', '=', true).execute()
    }
    await within
      .updateTable('outbox_item')
      .set({
        state: 'settled',
        is_asked: false,
        record_id: record_id ?? null,
        is_found: isFound,
        data: JSON.stringify(data ?? null),
        failure: null,
        leased_until: null,
        due_at: now,
        is_untold: isUntold,
        ended_at: now,
      })
      .where('id', '=', id)
      .execute()
  })

/** Those of these records that no other item has made. */
export async function unclaimed(db: Db, { project_id, verb }: OutboxItem, ids: string[]): Promise<string[]> {
  if (!ids.length) return []
  const claimed = await db
    .selectFrom('outbox_item')
    .select('record_id')
    .where('project_id', '=', project_id)
    .where('verb', '=', verb)
    .where('record_id', 'in', ids)
    .execute()
  const taken = new Set(claimed.map(({ record_id }) => record_id))
  return ids.filter((id) => !taken.has(id))
}

export const endItem = (
  db: Db,
  { id }: { id: string },
  { state, failure }: { state: 'refused' | 'given up'; failure: unknown },
  now: Date,
): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({
      state,
      is_asked: false,
      failure: JSON.stringify(failure ?? null),
      leased_until: null,
      due_at: now,
      is_untold: true,
      ended_at: now,
    })
    .where('id', '=', id)
    .execute()

/** Not now: it is tried, or looked for, again later. */
export const postponeItem = (
  db: Db,
  { id }: { id: string },
  { state, due_at, failure }: { state: 'waiting' | 'unclear'; due_at: Date; failure: unknown },
): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({ state, due_at, failure: JSON.stringify(failure ?? null), leased_until: null })
    .where('id', '=', id)
    .execute()

/** Only the person can say whether it is there: it waits for that, and what is behind it does not. */
export const askAboutItem = (db: Db, { id }: { id: string }, now: Date): Promise<unknown> =>
  db
    .updateTable('outbox_item')
    .set({ is_asked: true, is_untold: true, leased_until: null, due_at: now })
    .where('id', '=', id)
    .execute()

/** The form stands open, and may be sent off again. */
export const freeItem = (db: Db, { id }: { id: string }): Promise<unknown> =>
  db.deleteFrom('outbox_item').where('id', '=', id).execute()

/** Whose turn it is: the first of what they have open is due, or something has come of theirs that they do not know of. */
export async function listPeopleDue(db: Db, now: Date): Promise<Person[]> {
  const first = db
    .selectFrom('outbox_item')
    .distinctOn(['team_id', 'user_id'])
    .select(['team_id', 'user_id', 'due_at', 'leased_until'])
    .where('state', 'in', OPEN)
    .where('is_asked', '=', false)
    .orderBy('team_id')
    .orderBy('user_id')
    .orderBy('seq')
    .as('first')
  return db
    .selectFrom(first)
    .select(['team_id', 'user_id'])
    .where('due_at', '<=', now)
    .where(isFree(now))
    .union(
      db
        .selectFrom('outbox_item')
        .select(['team_id', 'user_id'])
        .where('is_untold', '=', true)
        .where('due_at', '<=', now),
    )
    .execute()
}

/** What people typed goes; that something was made of it stays, or a later one of the same words would be taken for it. */
export async function forgetWhatWasTyped(db: Db, before: Date): Promise<void> {
  await db
    .updateTable('outbox_item')
    .set({ entries: null, body: null, data: null, failure: null })
    .where('ended_at', '<', before)
    .where('entries', 'is not', null)
    .execute()
}
