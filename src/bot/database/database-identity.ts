import type pg from 'pg'

/**
 * pg_restore creates new tables, so their ids differ from those in the comment on the table `job`. On another server,
 * at least the system identifier differs.
 */
const IDENTITY = `concat_ws(' ', (select system_identifier from pg_control_system()), 'upnext.job'::regclass::oid,
  'upnext.outbox_item'::regclass::oid)`

const COMMENT_LOCK_ID = 7_503_205

const RESTORED_MESSAGE = `This database is a restored backup or a copy. If Upnext started now, it might send posts and messages again. Stop all instances, run one of these commands, then start Upnext:
  npm run after-restore             if anything may have been sent since the backup: asks people about it
  npm run after-restore -- --moved  if nothing was sent since the backup or copy was made`

/** Refuses to work with a restored backup until an operator has run one of the commands in the message. */
export async function checkDatabaseIdentity(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select obj_description('upnext.job'::regclass, 'pg_class') as known, ${IDENTITY} as current`,
  )
  const [{ known, current }] = rows
  if (known === null) await recordDatabaseIdentity(pool)
  else if (known !== current) throw new Error(RESTORED_MESSAGE)
}

/** A backup contains this comment, which no longer matches once the backup is restored. */
export const recordDatabaseIdentity = (pool: pg.Pool): Promise<unknown> =>
  pool.query(`do $$ begin
    perform pg_advisory_xact_lock(${COMMENT_LOCK_ID});
    execute format('comment on table upnext.job is %L', ${IDENTITY});
  end $$`)
