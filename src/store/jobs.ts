import type { Pool } from 'pg'
import PgBoss from 'pg-boss'

export type Jobs = PgBoss

/** Somebody has something due in the outbox. */
export const OUTBOX = 'outbox'
/** A digest is to be handed over to Slack. */
export const DIGEST = 'digest'

/** Two instances that set the queues up at the same moment deadlock in it: one after the other. */
const SETTING_UP = 7_503_203

type JobsOptions = { pool: Pool; onError: (error: Error) => void }

/** The queues on which the instances share what is to be done now; when it is due, our own tables know. */
export async function startJobs({ pool, onError }: JobsOptions): Promise<Jobs> {
  const jobs = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'upnext_jobs',
    schedule: false,
  })
  jobs.on('error', onError)
  const guard = await pool.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [SETTING_UP])
    await jobs.start()
    // Who waits in it already need not be called a second time.
    for (const name of [OUTBOX, DIGEST]) await jobs.createQueue(name, { name, policy: 'short' })
  } finally {
    guard.release(true) // the lock goes with its connection
  }
  return jobs
}
