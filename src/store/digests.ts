import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

export type Digest = Selectable<Tables['digest']>
export type DigestRun = Selectable<Tables['digest_run']>

type Channel = { team_id: string; channel_id: string }

/** For rendering it, and for one call to Slack: whoever holds a run that long has died. */
const LEASE_MS = 60_000

export const saveDigest = (db: Db, digest: Omit<Digest, 'rhythm'> & { rhythm: object }): Promise<unknown> =>
  db
    .insertInto('digest')
    .values({ ...digest, rhythm: JSON.stringify(digest.rhythm) })
    .execute()

export const listDigests = (db: Db, { team_id, channel_id }: Channel): Promise<Digest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('channel_id', '=', channel_id)
    .orderBy('set_at')
    .execute()

export const findDigest = (db: Db, id: string): Promise<Digest | undefined> =>
  db.selectFrom('digest').selectAll().where('id', '=', id).executeTakeFirst()

export const pauseDigest = (db: Db, id: string, paused_for: string): Promise<unknown> =>
  db.updateTable('digest').set({ paused_for }).where('id', '=', id).where('paused_for', 'is', null).execute()

export const resumeDigest = (db: Db, id: string, next_at: Date): Promise<unknown> =>
  db.updateTable('digest').set({ paused_for: null, next_at }).where('id', '=', id).execute()

export const removeDigest = (db: Db, id: string): Promise<unknown> =>
  db.deleteFrom('digest').where('id', '=', id).execute()

/** Those whose next time has come, or nearly. */
export const listDigestsDue = (db: Db, before: Date): Promise<Digest[]> =>
  db.selectFrom('digest').selectAll().where('paused_for', 'is', null).where('next_at', '<=', before).execute()

/** A digest's next run, and when the one after it is; once, on whichever instance. */
export const planRun = (
  db: Db,
  digest: Digest,
  { day, next_at }: { day: string; next_at: Date },
): Promise<void> =>
  db.transaction().execute(async (within) => {
    const { numUpdatedRows } = await within
      .updateTable('digest')
      .set({ next_at })
      .where('id', '=', digest.id)
      .where('next_at', '=', digest.next_at)
      .executeTakeFirst()
    if (!numUpdatedRows) return
    await within
      .insertInto('digest_run')
      .values({ digest_id: digest.id, day, due_at: digest.next_at, state: 'planned' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

const isFree = (now: Date) => sql<boolean>`(leased_until is null or leased_until < ${now})`

const OPEN = ['planned', 'intended'] as const

/** Runs that somebody has to see to, with what they are of. */
export const listOpenRuns = (db: Db, now: Date): Promise<Pick<DigestRun, 'digest_id' | 'day'>[]> =>
  db
    .selectFrom('digest_run')
    .select(['digest_id', 'day'])
    .where('state', 'in', OPEN)
    .where(isFree(now))
    .orderBy('due_at')
    .execute()

type Run = { digest_id: string; day: string }

export const leaseRun = (db: Db, { digest_id, day }: Run, now: Date): Promise<DigestRun | undefined> =>
  db
    .updateTable('digest_run')
    .set({ leased_until: new Date(now.getTime() + LEASE_MS) })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('state', 'in', OPEN)
    .where(isFree(now))
    .returningAll()
    .executeTakeFirst()

/** Slack is about to be called: from here on it may have the message. False where somebody else has it in hand by now. */
export async function intendRun(
  db: Db,
  { digest_id, day, leased_until }: DigestRun,
  { post_at, now }: { post_at: Date; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('digest_run')
    .set({
      state: 'intended',
      post_at,
      intended_at: now,
      leased_until: new Date(now.getTime() + LEASE_MS),
    })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .where('leased_until', '=', leased_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const endRun = (
  db: Db,
  { digest_id, day }: Run,
  ending: { state: 'handed over'; message_id: string } | { state: 'skipped' | 'unclear' },
): Promise<unknown> =>
  db
    .updateTable('digest_run')
    .set({ ...ending, leased_until: null })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .execute()

/** Not now: it is seen to again then. */
export const postponeRun = (
  db: Db,
  { digest_id, day }: Run,
  { state, until }: { state: 'planned' | 'intended'; until: Date },
): Promise<unknown> =>
  db
    .updateTable('digest_run')
    .set({ state, leased_until: until })
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .execute()

/** It is taken back before it was posted: the same day may come again. */
export const forgetRun = (db: Db, { digest_id, day }: Run): Promise<unknown> =>
  db.deleteFrom('digest_run').where('digest_id', '=', digest_id).where('day', '=', day).execute()

/** What nobody has begun with. */
export const forgetPlanned = (db: Db, digest_id: string): Promise<unknown> =>
  db.deleteFrom('digest_run').where('digest_id', '=', digest_id).where('state', '=', 'planned').execute()

/** What Slack holds, and has not posted yet. */
export const listHandedOver = (db: Db, digest_id: string, now: Date): Promise<DigestRun[]> =>
  db
    .selectFrom('digest_run')
    .selectAll()
    .where('digest_id', '=', digest_id)
    .where('state', '=', 'handed over')
    .where('post_at', '>', now)
    .execute()

/** When the channel was told last. */
export async function lastPostedAt(db: Db, digest_id: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('digest_run')
    .select(({ fn }) => fn.max('post_at').as('post_at'))
    .where('digest_id', '=', digest_id)
    .where('state', '=', 'handed over')
    .executeTakeFirst()
  return row?.post_at ?? undefined
}
