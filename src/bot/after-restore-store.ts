import { deleteJobs } from '../jobs/job-store.ts'
import { addMs } from '../runtime.ts'
import { nextOccurrence } from '../time/recurrence.ts'
import { updateRows } from './database/queries.ts'
import type { Db } from './database/tables.ts'
import { SCHEDULING_LEAD_MS } from './features/digests/digest-jobs.ts'
import { addNotification } from './outbox/add-notification.ts'
import { SEND, UPLOAD } from './outbox/item-jobs.ts'

const POSSIBLY_SENT_FAILURE = {
  kind: 'unsendable' as const,
  details: [{ loc: [], msg: 'Upnext was restored from a backup, so this may already have been sent.' }],
}

/** Asks users about outbox items that were in progress or due and may have been sent. Returns the number of items. */
export const askAboutPossiblySentItems = (db: Db, now: Date): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const items = await updateRows(transaction, 'outbox_item', { needs_answer: false })
      .set({ state: 'unconfirmed', needs_answer: true, failure: POSSIBLY_SENT_FAILURE, finished_at: now })
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['uploading', 'queued', 'unconfirmed']),
          eb.and([eb('state', '=', 'held'), eb('held_until', '<=', now)]),
        ]),
      )
      .returningAll()
      .execute()
    const ids = items.map(({ id }) => id)
    if (ids.length) for (const kind of [UPLOAD, SEND]) await deleteJobs(transaction, kind, ids)
    for (const { id, team_id, user_id } of items)
      await addNotification(transaction, id, { team_id, user_id, item_id: id }, now)
    return items.length
  })

/**
 * For each digest, marks the latest message that Slack may have, so that it is looked up in Slack. Returns the number of
 * digests.
 */
export async function markDigestsForLookup(db: Db, now: Date): Promise<number> {
  const latest = addMs(now, SCHEDULING_LEAD_MS)
  const digests = db
    .selectFrom('digest')
    .selectAll()
    .where('post_at', 'is', null)
    .where('next_at', '<=', latest)
  const due = await digests.where('paused_reason', 'is', null).execute()
  for (const { id, recurrence, next_at } of due) {
    let last = next_at
    for (let next = next_at; next <= latest; next = nextOccurrence(recurrence, next).toJSDate()) last = next
    const post_at = new Date(Math.floor(last.getTime() / 1000) * 1000)
    await updateRows(db, 'digest', { id }).set({ next_at: last, post_at, requested_at: now }).execute()
  }
  return due.length
}
