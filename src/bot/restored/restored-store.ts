import type pg from 'pg'
import { removeJobs } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import type { Db } from '../database/tables.ts'
import { LEAD_MS } from '../features/digests/digest-jobs.ts'
import { addNotification } from '../outbox/add-notification.ts'
import { SEND, UPLOAD } from '../outbox/outbox-store.ts'

/** A restoration creates all tables anew, so they get other ids. */
const IDENTITY = `concat_ws(' ', 'upnext.job'::regclass::oid, 'upnext.outbox_item'::regclass::oid,
  'upnext.digest'::regclass::oid)`

const COMMENT_LOCK_ID = 7_503_205

const RESTORED = `This database was restored from a backup, or copied. What was sent since the backup would be sent again. Stop all instances and run one of these, then start again:
  npm run restored             asks people about what may have been sent already
  npm run restored -- --moved  if nothing was sent since the copy was made`

/** Refuses to work with the tables of a backup before an operator has said what they are. */
export async function refuseRestoredDatabase(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select obj_description('upnext.job'::regclass, 'pg_class') as known, ${IDENTITY} as current`,
  )
  const [{ known, current }] = rows
  if (known === null) await rememberDatabase(pool)
  else if (known !== current) throw new Error(RESTORED)
}

/** A backup has this comment, too, so it no longer fits where the backup is restored. */
export const rememberDatabase = (pool: pg.Pool): Promise<unknown> =>
  pool.query(`do $$ begin
    perform pg_advisory_xact_lock(${COMMENT_LOCK_ID});
    execute format('comment on table upnext.job is %L', ${IDENTITY});
  end $$`)

const MAY_BE_SENT = {
  kind: 'unsendable' as const,
  details: [{ loc: [], msg: 'Upnext was restored from a backup, so it may have been sent before.' }],
}

/** Asks people about everything that was on its way or due. Returns how many submissions that are. */
export const askAboutItems = (db: Db, now: Date): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const items = await transaction
      .updateTable('outbox_item')
      .set({ state: 'unconfirmed', needs_answer: true, failure: MAY_BE_SENT, finished_at: now })
      .where('needs_answer', '=', false)
      .where((eb) =>
        eb.or([
          eb('state', 'in', ['uploading', 'queued', 'unconfirmed']),
          eb.and([eb('state', '=', 'held'), eb('held_until', '<=', now)]),
        ]),
      )
      .returningAll()
      .execute()
    const ids = items.map(({ id }) => id)
    if (ids.length) for (const kind of [UPLOAD, SEND]) await removeJobs(transaction, kind, ids)
    for (const { id, team_id, user_id } of items)
      await addNotification(transaction, id, { team_id, user_id, item_id: id }, now)
    return items.length
  })

/** Has digests looked for in Slack that may have been given to it. Returns how many. */
export async function checkDigests(db: Db, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('digest')
    .set(({ fn, val, ref }) => ({
      post_at: fn<Date>('date_trunc', [val('second'), ref('next_at')]),
      requested_at: now,
    }))
    .where('post_at', 'is', null)
    .where('paused_reason', 'is', null)
    .where('next_at', '<=', addMs(now, LEAD_MS))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
