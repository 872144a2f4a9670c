import { addMs } from '../../runtime.ts'
import { deleteRows, selectRows, updateRows } from '../database/queries.ts'
import type { Db } from '../database/tables.ts'

/** Longer than Slack waits for a response. A later submission comes from a user who saw that the first one failed. */
const CLAIM_TTL_MS = 5000

/** Lets only one of several identical submissions through, even if they arrive on different instances. */
export async function claimSubmission(db: Db, view_id: string, now: Date) {
  const claimed = await db
    .insertInto('submission')
    .values({ view_id, claimed_at: now, is_settled: false })
    .onConflict((conflict) =>
      conflict
        .column('view_id')
        .doUpdateSet({ claimed_at: now })
        .where('submission.is_settled', '=', false)
        .where('submission.claimed_at', '<', addMs(now, -CLAIM_TTL_MS)),
    )
    .returning('view_id')
    .executeTakeFirst()
  if (claimed) return 'claimed'
  const earlier = await selectRows(db, 'submission', { view_id }).executeTakeFirst()
  return earlier?.is_settled ? 'settled' : 'in progress'
}

/** Also remembers what was submitted, so that a later submission of the form with other values isn't taken for this one. */
export async function settleSubmission(db: Db, view_id: string, content: string, now: Date): Promise<void> {
  const submitted = { view_id: `${view_id} ${content}`, claimed_at: now, is_settled: true }
  await db
    .insertInto('submission')
    .values(submitted)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await updateRows(db, 'submission', { view_id }).set({ is_settled: true }).execute()
}

/** Whether a settled submission of the form had this content. */
export const isSettledContent = async (db: Db, view_id: string, content: string): Promise<boolean> =>
  (await selectRows(db, 'submission', { view_id: `${view_id} ${content}` }).executeTakeFirst()) !== undefined

/** Allows another submission of the form, which stays open. */
export const releaseSubmission = (db: Db, view_id: string): Promise<unknown> =>
  deleteRows(db, 'submission', { view_id }).execute()
