import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { lastDue } from './digest-runs.ts'
import { type Withdrawn, withdrawRuns } from './digest-unwanted.ts'
import type { Db, Tables } from './tables.ts'
import { isTwice } from './twice.ts'

export type Digest = Selectable<Tables['digest']>

type Channel = { team_id: string; channel_id: string }

/** What somebody sets up. */
export type NewDigest = Omit<Digest, 'rhythm' | 'paused_for' | 'is_untold' | 'tell_at'> & { rhythm: object }

/** False where that very digest is there already. */
export async function addDigest(db: Db, { rhythm, ...digest }: NewDigest): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('digest')
    .values({ ...digest, rhythm: JSON.stringify(rhythm) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

type Change = {
  digest: Omit<NewDigest, 'next_at'>
  now: Date
  /** When it comes first, after the last time that it came. */
  nextAt: (last: Date | undefined) => Date
}

/** What was set up becomes another, and goes on if it was paused. */
export async function changeDigest(
  db: Db,
  { digest: { id, team_id, rhythm, ...digest }, now, nextAt }: Change,
): Promise<Withdrawn | 'twice' | 'gone'> {
  const change = db.transaction().execute(async (within) => {
    const withdrawn = await withdrawRuns(within, { id, team_id }, now)
    if (withdrawn === 'gone') return withdrawn
    const next_at = nextAt(await lastDue(within, id))
    await within
      .updateTable('digest')
      .set({ ...digest, rhythm: JSON.stringify(rhythm), next_at, paused_for: null, is_untold: false })
      .where('id', '=', id)
      .execute()
    return withdrawn
  })
  return change.catch((error) => {
    if (isTwice(error)) return 'twice'
    throw error
  })
}

/** As one was asked to: there is nobody to be told of it. */
export const pauseDigest = (db: Db, digest: Digest, now: Date): Promise<Withdrawn | 'gone'> =>
  db.transaction().execute(async (within) => {
    const withdrawn = await withdrawRuns(within, digest, now)
    await within
      .updateTable('digest')
      .set({ paused_for: 'asked' })
      .where('id', '=', digest.id)
      .where('paused_for', 'is', null)
      .execute()
    return withdrawn
  })

export const removeDigest = (db: Db, digest: Digest, now: Date): Promise<Withdrawn | 'gone'> =>
  db.transaction().execute(async (within) => {
    const withdrawn = await withdrawRuns(within, digest, now)
    await within.deleteFrom('digest').where('id', '=', digest.id).execute()
    return withdrawn
  })

export const listDigests = (db: Db, { team_id, channel_id }: Channel): Promise<Digest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('channel_id', '=', channel_id)
    .orderBy('set_at')
    .execute()

/** Those that a person set up, wherever. */
export const listDigestsOf = (
  db: Db,
  { team_id, user_id }: { team_id: string; user_id: string },
): Promise<Digest[]> =>
  db
    .selectFrom('digest')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('set_by', '=', user_id)
    .orderBy('set_at')
    .execute()

export const findDigest = (db: Db, id: string): Promise<Digest | undefined> =>
  db.selectFrom('digest').selectAll().where('id', '=', id).executeTakeFirst()

/** For a reason that whoever set it up is to be told. */
export const stopDigest = (
  db: Db,
  id: string,
  { paused_for, now }: { paused_for: string; now: Date },
): Promise<unknown> =>
  db
    .updateTable('digest')
    .set({ paused_for, is_untold: true, tell_at: now })
    .where('id', '=', id)
    .where('paused_for', 'is', null)
    .execute()

/** The same for all of a workspace. */
export const stopDigests = (
  db: Db,
  team_id: string,
  { paused_for, now }: { paused_for: string; now: Date },
): Promise<unknown> =>
  db
    .updateTable('digest')
    .set({ paused_for, is_untold: true, tell_at: now })
    .where('team_id', '=', team_id)
    .where('paused_for', 'is', null)
    .execute()

export const resumeDigest = (db: Db, id: string, next_at: Date): Promise<unknown> =>
  db
    .updateTable('digest')
    .set({ paused_for: null, is_untold: false, next_at })
    .where('id', '=', id)
    .where('paused_for', 'is not', null)
    .execute()

/** Those who do not know yet that theirs have stopped; for whoever takes them in hand, until then. */
export const takeUntold = (db: Db, { now, until }: { now: Date; until: Date }): Promise<Digest[]> =>
  db
    .updateTable('digest')
    .set({ tell_at: until })
    .where('is_untold', '=', true)
    .where('tell_at', '<=', now)
    .returningAll()
    .execute()

export const markTold = (db: Db, ids: string[]): Promise<unknown> =>
  db.updateTable('digest').set({ is_untold: false }).where('id', 'in', ids).execute()

/**
 * Those whose next time is near enough to begin: the more of a workspace's come in the same hours, the sooner, for Slack
 * takes only so many a minute.
 */
export async function listDigestsDue(
  db: Db,
  now: Date,
  { leadMs, eachMs }: { leadMs: number; eachMs: number },
): Promise<Digest[]> {
  const furthest = new Date(now.getTime() + LOOK_AHEAD_MS)
  const { rows } = await sql<Digest>`
    select * from (
      select digest.*, count(*) over (partition by team_id) as beside
      from upnext.digest where paused_for is null and next_at <= ${furthest}
    ) near
    where next_at <= ${now}::timestamptz + (greatest(${leadMs}, ${leadMs} / 3.0 + beside * ${eachMs}) || ' ms')::interval
  `.execute(db)
  return rows
}

const LOOK_AHEAD_MS = 2 * 60 * 60_000

/** Those that nobody was there for are passed over. */
export const skipTo = (db: Db, { id, next_at: missed }: Digest, next_at: Date): Promise<unknown> =>
  db.updateTable('digest').set({ next_at }).where('id', '=', id).where('next_at', '=', missed).execute()
