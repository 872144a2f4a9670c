import type { Db } from './tables.ts'

/** Longer than Slack waits for an answer: who sends a form off again after that has been told, and means it. */
const CLAIM_MS = 5000

/** No form stands open that long. */
const KEPT_MS = 24 * 60 * 60 * 1000

export type Claim = 'ours' | 'taken' | 'settled'

/** A form that is sent off twice, by a double click or by Slack, goes on once, on whichever instance. */
export async function claimSubmission(
  db: Db,
  { view_id, now }: { view_id: string; now: Date },
): Promise<Claim> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.deleteFrom('submission').where('claimed_at', '<', before(KEPT_MS)).execute()
  const ours = await db
    .insertInto('submission')
    .values({ view_id, claimed_at: now, is_settled: false })
    .onConflict((conflict) =>
      conflict
        .column('view_id')
        .doUpdateSet({ claimed_at: now })
        .where('submission.is_settled', '=', false)
        .where('submission.claimed_at', '<', before(CLAIM_MS)),
    )
    .returning('view_id')
    .executeTakeFirst()
  if (ours) return 'ours'
  const other = await db
    .selectFrom('submission')
    .select('is_settled')
    .where('view_id', '=', view_id)
    .executeTakeFirst()
  return other?.is_settled ? 'settled' : 'taken'
}

/** It went through: whatever else comes of that form is an echo. */
export const settleSubmission = (db: Db, view_id: string): Promise<unknown> =>
  db.updateTable('submission').set({ is_settled: true }).where('view_id', '=', view_id).execute()

/** It did not: the form stands open, and may be sent off again. */
export const releaseSubmission = (db: Db, view_id: string): Promise<unknown> =>
  db.deleteFrom('submission').where('view_id', '=', view_id).execute()
