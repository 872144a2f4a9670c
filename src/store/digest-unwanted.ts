import type { Selectable } from 'kysely'
import type { Db, Tables } from './tables.ts'

export type Unwanted = Selectable<Tables['digest_unwanted']>

/** Slack gives nothing back in the last minute before its time; and it is asked some seconds after this. */
const TOO_LATE_MS = 75_000

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
  // What nobody has begun with is simply not there any more.
  await within.deleteFrom('digest_run').where('digest_id', '=', id).where('state', '=', 'planned').execute()
  const begun = await within
    .deleteFrom('digest_run')
    .where('digest_id', '=', id)
    .where('state', 'in', ['intended', 'handed over'])
    .where('post_at', '>', latest)
    .returningAll()
    .execute()
  for (const { id: run_id, day, message_id, intended_at, post_at } of begun)
    await within
      .insertInto('digest_unwanted')
      .values({
        run_id,
        digest_id: id,
        day,
        channel_id,
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

/** Those that are to be asked back now, for whoever takes them in hand. */
export const takeUnwanted = (db: Db, { now, again_at }: { now: Date; again_at: Date }): Promise<Unwanted[]> =>
  db.updateTable('digest_unwanted').set({ again_at }).where('again_at', '<=', now).returningAll().execute()

/** Slack has it no more. */
export const forgetUnwanted = (db: Db, { run_id }: Unwanted): Promise<unknown> =>
  db.deleteFrom('digest_unwanted').where('run_id', '=', run_id).execute()

/** It may have come after all: its day has no other. False where Slack has given it back meanwhile. */
export const giveUpUnwanted = (db: Db, { run_id, digest_id, day }: Unwanted): Promise<boolean> =>
  db.transaction().execute(async (within) => {
    const { numDeletedRows } = await within
      .deleteFrom('digest_unwanted')
      .where('run_id', '=', run_id)
      .executeTakeFirst()
    if (!numDeletedRows) return false
    await within
      .updateTable('digest_run')
      .set({ state: 'unclear', leased_until: null })
      .where('digest_id', '=', digest_id)
      .where('day', '=', day)
      .where('state', '=', 'planned')
      .execute()
    return true
  })

/** Whether Slack may still hold another for that day. */
export async function isAwaited(
  db: Db,
  { digest_id, day }: { digest_id: string; day: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('digest_unwanted')
    .select('run_id')
    .where('digest_id', '=', digest_id)
    .where('day', '=', day)
    .executeTakeFirst()
  return row !== undefined
}
