import { type Selectable, sql } from 'kysely'
import { isUniqueViolation } from '../database/connect.ts'
import type { ChannelKey, Db, Digest, DigestContent, Tables, UserKey } from '../database/tables.ts'
import { addDigestNotification, deleteStopNotifications } from '../notifications/notification-store.ts'
import { type CancelledRuns, cancelRuns, findLastDue } from './digest-run-store.ts'

export type NewDigest = Omit<Selectable<Tables['digest']>, 'paused_reason' | 'next_at'>

/** False if the channel has the same digest already. */
export async function insertDigest(
  db: Db,
  { recurrence, ...digest }: NewDigest,
  next_at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('digest')
    .values({ ...digest, recurrence: JSON.stringify(recurrence), next_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

type DigestUpdate = {
  digest: NewDigest
  now: Date
  /** The next time after the last one that was posted. */
  nextAt: (last: Date | undefined) => Date
}

/** Replaces a digest's settings, cancels what is scheduled and resumes the digest if it was paused. */
export async function updateDigest(
  db: Db,
  { digest, now, nextAt }: DigestUpdate,
): Promise<CancelledRuns | 'duplicate' | 'gone'> {
  const { id, team_id, recurrence, ...columns } = digest
  try {
    return await db.transaction().execute(async (transaction) => {
      const cancelled = await cancelRuns(transaction, { id, team_id }, now)
      if (cancelled === 'gone') return cancelled
      await deleteStopNotifications(transaction, id)
      const next_at = nextAt(await findLastDue(transaction, id))
      await transaction
        .updateTable('digest')
        .set({ ...columns, recurrence: JSON.stringify(recurrence), next_at, paused_reason: null })
        .where('id', '=', id)
        .execute()
      return cancelled
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'duplicate'
    throw error
  }
}

/** The reason of a digest that a user paused. Any other reason is a code of Slack's. */
export const USER_REQUEST = 'user_request'

export const pauseDigest = (db: Db, digest: Digest, now: Date): Promise<CancelledRuns | 'gone'> =>
  db.transaction().execute(async (transaction) => {
    const cancelled = await cancelRuns(transaction, digest, now)
    await transaction
      .updateTable('digest')
      .set({ paused_reason: USER_REQUEST })
      .where('id', '=', digest.id)
      .where('paused_reason', 'is', null)
      .execute()
    return cancelled
  })

export async function resumeDigest(db: Db, id: string, next_at: Date): Promise<void> {
  await deleteStopNotifications(db, id)
  await db
    .updateTable('digest')
    .set({ paused_reason: null, next_at })
    .where('id', '=', id)
    .where('paused_reason', 'is not', null)
    .execute()
}

export const deleteDigest = (db: Db, digest: Digest, now: Date): Promise<CancelledRuns | 'gone'> =>
  db.transaction().execute(async (transaction) => {
    const cancelled = await cancelRuns(transaction, digest, now)
    await transaction.deleteFrom('digest').where('id', '=', digest.id).execute()
    return cancelled
  })

type StoppedDigests = { team_id: string; id?: string }

/** Pauses a digest, or all digests of a workspace, because Slack no longer accepts their messages. */
export const stopDigests = (
  db: Db,
  { team_id, id }: StoppedDigests,
  { reason, message, now }: { reason: string; message: string; now: Date },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const update = transaction
      .updateTable('digest')
      .set({ paused_reason: reason })
      .where('team_id', '=', team_id)
      .where('paused_reason', 'is', null)
    const stopped = await (id ? update.where('id', '=', id) : update).returningAll().execute()
    for (const digest of stopped)
      await addDigestNotification(transaction, { ...digest, stopped_digest_id: digest.id }, message, now)
  })

export const findDigest = (db: Db, id: string): Promise<Digest | undefined> =>
  db.selectFrom('digest').selectAll().where('id', '=', id).executeTakeFirst()

export const listChannelDigests = (db: Db, { team_id, channel_id }: ChannelKey): Promise<Digest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .where((eb) => eb.and({ team_id, channel_id }))
    .orderBy('created_at')
    .execute()

export const listOwnDigests = (db: Db, { team_id, user_id }: UserKey): Promise<Digest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .where((eb) => eb.and({ team_id, owner_id: user_id }))
    .orderBy('created_at')
    .execute()

const LOOKAHEAD_MS = 2 * 60 * 60_000

/** Digests to be planned. The more digests a workspace has at the same time, the earlier they start: Slack limits messages per minute. */
export async function listDigestsDue(
  db: Db,
  now: Date,
  { leadMs, leadPerDigestMs }: { leadMs: number; leadPerDigestMs: number },
): Promise<Digest[]> {
  const horizon = new Date(now.getTime() + LOOKAHEAD_MS)
  const { rows } = await sql<Digest>`
    select * from (
      select digest.*, count(*) over (partition by team_id) as workspace_count
      from upnext.digest where paused_reason is null and next_at <= ${horizon}
    ) upcoming
    where next_at <= ${now}::timestamptz
      + (greatest(${leadMs}, ${leadMs} / 3.0 + workspace_count * ${leadPerDigestMs}) || ' ms')::interval
  `.execute(db)
  return rows
}

/** Moves a digest on if no other instance has done so. */
export const skipToNext = (db: Db, { id, next_at: missed }: Digest, next_at: Date): Promise<unknown> =>
  db.updateTable('digest').set({ next_at }).where('id', '=', id).where('next_at', '=', missed).execute()

export const saveContent = (
  db: Db,
  { id, content, created_at }: { id: string; content: DigestContent; created_at: Date },
): Promise<unknown> =>
  db
    .insertInto('digest_content')
    .values({ id, content: JSON.stringify(content), created_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ content: JSON.stringify(content) }))
    .execute()

export async function findContent(db: Db, id: string): Promise<DigestContent | undefined> {
  const row = await db.selectFrom('digest_content').select('content').where('id', '=', id).executeTakeFirst()
  return row?.content
}

export const deleteContents = (db: Db, createdBefore: Date): Promise<unknown> =>
  db.deleteFrom('digest_content').where('created_at', '<', createdBefore).execute()
