import type { Pool } from 'pg'
import PgBoss from 'pg-boss'

export type Jobs = PgBoss

type JobsOptions = {
  pool: Pool
  /** Each room's jobs are in a schema of its own. */
  schema: string
  /** Two instances that set the queues up at the same moment deadlock in it: one after the other, by this lock. */
  settingUp: number
  onError: (error: Error) => void
  setUp: (jobs: Jobs) => Promise<void>
}

/** The queues of a room, on the database that it has already. */
export async function startJobs({ pool, schema, settingUp, onError, setUp }: JobsOptions): Promise<Jobs> {
  const jobs = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
  })
  jobs.on('error', onError)
  const guard = await pool.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [settingUp])
    await jobs.start()
    await setUp(jobs)
  } finally {
    guard.release(true) // the lock goes with its connection
  }
  return jobs
}
