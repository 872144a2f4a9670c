import { type Selectable, sql } from 'kysely'
import { keepNote } from './digest-notes.ts'
import type { DigestRun } from './digest-runs.ts'
import type { Db, Tables } from './tables.ts'

export type Unwanted = Selectable<Tables['digest_unwanted']>

/** Slack gives nothing back in the last minute before its time; and it is asked some seconds after this. */
export const TOO_LATE_MS = 75_000

/** Whether it comes all the same: it is too late for Slack to give it back. */
export type Withdrawn = { isTooLate: boolean }

/** What is on its way of a digest is not to come any more. Within the transaction in which it is changed, paused or ended. */
export async function withdrawRuns(
  within: Db,
  { id, team_id }: { id: string; team_id: string },
  now: Date,
): Promise<Withdrawn | 'gone'> {
  const digest = await within
    .selectFrom('digest')
    .selectAll()
    .where('id', '=', id)
    .where('team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirst()
  if (!digest) return 'gone'
  const { channel_id, project_name, set_by } = digest
  const latest = new Date(now.getTime() + TOO_LATE_MS)
  const { rows } = await sql<DigestRun>`
    delete from upnext.digest_run where digest_id = ${id}
      and (state = 'planned' or (state in ('intended', 'handed over') and post_at > ${latest}))
    returning *
  `.execute(within)
  // What nobody has begun with is simply not there any more.
  for (const { id: run_id, day, message_id, intended_at, post_at, state, ...run } of rows)
    if (state !== 'planned')
      await within
        .insertInto('digest_unwanted')
        .values({
          run_id,
          digest_id: id,
          day,
          channel_id: run.channel_id ?? channel_id,
          project_name,
          set_by,
          message_id,
          intended_at: intended_at ?? now,
          post_at: post_at ?? now,
          again_at: now,
        })
        .execute()
  const late = await within
    .selectFrom('digest_run')
    .select('id')
    .where('digest_id', '=', id)
    .where('state', 'in', ['intended', 'handed over'])
    .where('post_at', '>', now)
    .executeTakeFirst()
  return { isTooLate: late !== undefined }
}

const MOST_AT_ONCE = 20

/** Those that are to be asked back now, for whoever takes them in hand; those first that come first. */
export const takeUnwanted = (db: Db, { now, again_at }: { now: Date; again_at: Date }): Promise<Unwanted[]> =>
  db
    .updateTable('digest_unwanted')
    .set({ again_at })
    .where('run_id', 'in', ({ selectFrom }) =>
      selectFrom('digest_unwanted')
        .select('run_id')
        .where('again_at', '<=', now)
        .orderBy('post_at')
        .limit(MOST_AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

/** Slack has it no more. */
export const forgetUnwanted = (db: Db, { run_id }: Unwanted): Promise<unknown> =>
  db.deleteFrom('digest_unwanted').where('run_id', '=', run_id).execute()

/** It may have come after all: its day has no other, and whoever set it up hears of it. */
export const giveUpUnwanted = (
  db: Db,
  unwanted: Unwanted,
  { say, now }: { say: string; now: Date },
): Promise<void> =>
  db.transaction().execute(async (within) => {
    const { run_id, digest_id, day, channel_id, intended_at, post_at } = unwanted
    const { numDeletedRows } = await within
      .deleteFrom('digest_unwanted')
      .where('run_id', '=', run_id)
      .executeTakeFirst()
    if (!numDeletedRows) return
    await keepNote(within, { ...unwanted, say }, now)
    const digest = await within
      .selectFrom('digest')
      .select('id')
      .where('id', '=', digest_id)
      .forUpdate()
      .executeTakeFirst()
    if (!digest) return
    await within
      .updateTable('digest_run')
      .set({ state: 'unclear', leased_until: null })
      .where('digest_id', '=', digest_id)
      .where('state', '=', 'planned')
      .execute()
    await within
      .insertInto('digest_run')
      .values({
        id: run_id,
        digest_id,
        day,
        channel_id,
        due_at: post_at,
        post_at,
        intended_at,
        state: 'unclear',
      })
      .onConflict((conflict) => conflict.columns(['digest_id', 'day']).doNothing())
      .execute()
  })

/** Whether Slack may still hold another of it. */
export async function isAwaited(db: Db, digest_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('digest_unwanted')
    .select('run_id')
    .where('digest_id', '=', digest_id)
    .executeTakeFirst()
  return row !== undefined
}
