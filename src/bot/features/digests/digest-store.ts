import { type Insertable, type Selectable, sql } from 'kysely'
import { addMs } from '../../../runtime.ts'
import { blockedUntil, nextOccurrence } from '../../../time/recurrence.ts'
import { isUniqueViolation } from '../../database/error-codes.ts'
import { prepareOne } from '../../database/prepare.ts'
import type { Db, Tables } from '../../database/tables.ts'
import { deleteOpenRuns, findLastRun, OPEN_STATES, UNPOSTED_STATES } from './digest-run-store.ts'
import { addDigestNotification, removeStopNotification, stopNotificationId } from './notify-owner.ts'
import { stopMessage } from './stop-reasons.ts'
import type { Digest, DigestContent } from './tables.ts'

export type NewDigest = Omit<Selectable<Tables['digest']>, 'paused_reason' | 'next_at'>

export async function insertDigest(db: Db, { recurrence, ...digest }: NewDigest, next_at: Date) {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('digest')
    .values({ ...digest, recurrence: JSON.stringify(recurrence), next_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows ? { isTooLate: false } : ('duplicate' as const)
}

/** Cancels what is scheduled and changes the digest, in one transaction. */
const cancelAndChange = (db: Db, id: string, now: Date, change: (transaction: Db) => Promise<unknown>) =>
  db.transaction().execute(async (transaction) => {
    const cancelled = await deleteOpenRuns(transaction, id, now)
    if (cancelled !== 'gone') await change(transaction)
    return cancelled
  })

/** Replaces a digest's settings, cancels what is scheduled and resumes the digest if it was paused. */
export const updateDigest = (db: Db, digest: NewDigest, now: Date) =>
  cancelAndChange(db, digest.id, now, async (transaction) => {
    const { id, recurrence, ...columns } = digest
    await removeStopNotification(transaction, id)
    const next_at = await findNextTime(transaction, digest, now)
    await transaction
      .updateTable('digest')
      .set({ ...columns, recurrence: JSON.stringify(recurrence), next_at, paused_reason: null })
      .where('id', '=', id)
      .execute()
  }).catch((error) => {
    if (isUniqueViolation(error)) return 'duplicate' as const
    throw error
  })

/** The reason of a digest that a user paused. Any other reason is a code of Slack's. */
export const USER_REQUEST = 'user_request'

export const pauseDigest = (db: Db, { id, team_id }: Digest, now: Date) =>
  cancelAndChange(db, id, now, (transaction) => pauseAll(transaction, { id, team_id }, USER_REQUEST))

export const deleteDigest = (db: Db, { id }: Digest, now: Date) =>
  cancelAndChange(db, id, now, async (transaction) => {
    await removeStopNotification(transaction, id)
    await transaction.deleteFrom('digest').where('id', '=', id).execute()
  })

export async function resumeDigest(db: Db, digest: Digest, now: Date): Promise<void> {
  await removeStopNotification(db, digest.id)
  await db
    .updateTable('digest')
    .set({ paused_reason: null, next_at: await findNextTime(db, digest, now) })
    .where('id', '=', digest.id)
    .where('paused_reason', 'is not', null)
    .execute()
}

/** Resumes the digests of a workspace that stopped for one of these reasons. */
export async function resumeStoppedDigests(
  db: Db,
  { team_id, reasons }: { team_id: string; reasons: readonly string[] },
  now: Date,
): Promise<void> {
  const digests = db.selectFrom('digest').selectAll().where('team_id', '=', team_id)
  for (const digest of await digests.where('paused_reason', 'in', reasons).execute())
    await resumeDigest(db, digest, now)
}

async function findNextTime(db: Db, { id, recurrence }: NewDigest, now: Date): Promise<Date> {
  const { due_at } = await findLastRun(db, id)
  const blocked = due_at && blockedUntil(recurrence, due_at)
  return nextOccurrence(recurrence, blocked && blocked > now ? blocked : now).toJSDate()
}

/** Pauses a digest, or all digests of a workspace, because Slack no longer accepts their messages. */
export const stopDigests = (db: Db, digests: DigestFilter, reason: string, now: Date) =>
  db.transaction().execute(async (transaction) => {
    const message = stopMessage(reason)
    for (const digest of await pauseAll(transaction, digests, reason))
      await addDigestNotification(transaction, { id: stopNotificationId(digest), digest, message, now })
  })

type DigestFilter = { team_id: string } & Partial<Pick<Digest, 'id' | 'channel_id' | 'owner_id'>>

const pauseAll = (db: Db, digests: DigestFilter, paused_reason: string) =>
  db
    .updateTable('digest')
    .set({ paused_reason })
    .where((eb) => eb.and(digests))
    .where('paused_reason', 'is', null)
    .returningAll()
    .execute()

export const findDigest = prepareOne((db, { id }: Pick<Digest, 'id'>) =>
  db.selectFrom('digest').selectAll().where('id', '=', id),
)

/** `upcoming_at` is the time of the next planned or scheduled message. */
export type ListedDigest = Digest & { upcoming_at: Date | null }

export const listDigests = (db: Db, filter: DigestFilter, now: Date): Promise<ListedDigest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('digest_run')
        .select(({ fn }) => fn.min('due_at').as('due_at'))
        .whereRef('digest_id', '=', 'digest.id')
        .where(({ eb, or, and }) =>
          or([eb('state', 'in', OPEN_STATES), and([eb('state', '=', 'scheduled'), eb('post_at', '>', now)])]),
        )
        .as('upcoming_at'),
    )
    .where((eb) => eb.and(filter))
    .orderBy('created_at')
    .execute()

const LOOKAHEAD_MS = 2 * 60 * 60_000
/** Slack accepts about 50 messages a minute from a workspace, so many digests at the same time start earlier. */
const LEAD_PER_DIGEST_MS = 60_000 / 40

/** `last_at` is when the digest was last posted, or may have been. */
export type DigestDue = Digest & { last_at: Date | null }

/** Digests that are due within `leadMs`. */
export async function listDigestsDue(db: Db, now: Date, leadMs: number): Promise<DigestDue[]> {
  const horizon = addMs(now, LOOKAHEAD_MS)
  const { rows } = await sql<DigestDue>`
    select *, (
      select max(due_at) from upnext.digest_run
      where digest_id = upcoming.id and state <> all(${UNPOSTED_STATES}::text[])
    ) as last_at
    from (
      select digest.*, count(*) over (partition by team_id) as workspace_count
      from upnext.digest where paused_reason is null and next_at <= ${horizon}
    ) upcoming
    where next_at <= ${now}::timestamptz
      + (greatest(${leadMs}, ${leadMs} / 3.0 + workspace_count * ${LEAD_PER_DIGEST_MS}) || ' ms')::interval
  `.execute(db)
  return rows
}

export const saveContent = (db: Db, content: Insertable<Tables['digest_content']>) =>
  db.insertInto('digest_content').values(content).execute()

export async function findContent(db: Db, id: string): Promise<DigestContent | undefined> {
  const row = await db.selectFrom('digest_content').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content
}
