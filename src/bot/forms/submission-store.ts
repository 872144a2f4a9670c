import { addMs } from '../../runtime.ts'
import type { Db } from '../database/tables.ts'

/** Longer than Slack waits for a response. A later submission comes from a user who saw that the first one failed. */
const CLAIM_TTL_MS = 5000

export type Claim = 'claimed' | 'in progress' | 'settled'

/** Lets one of several identical submissions through, on whichever instance they arrive. */
export async function claimSubmission(db: Db, view_id: string, now: Date): Promise<Claim> {
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
  const earlier = await db
    .selectFrom('submission')
    .select('is_settled')
    .where('view_id', '=', view_id)
    .executeTakeFirst()
  return earlier?.is_settled ? 'settled' : 'in progress'
}

export const settleSubmission = (db: Db, view_id: string): Promise<unknown> =>
  db.updateTable('submission').set({ is_settled: true }).where('view_id', '=', view_id).execute()

/** Allows another submission of the form, which stays open. */
export const releaseSubmission = (db: Db, view_id: string): Promise<unknown> =>
  db.deleteFrom('submission').where('view_id', '=', view_id).execute()
