import type { Pool } from 'pg'
import PgBoss from 'pg-boss'

export type Jobs = PgBoss

type JobsOptions = {
  pool: Pool
  schema: string
  /**
   * Two instances that create the same queues at once can deadlock. This advisory lock makes them take turns.
   */
  setUpLockId: number
  onError: (error: Error) => void
  setUp: (jobs: Jobs) => Promise<void>
}

/** Starts pg-boss on a connection pool that is already open. */
export async function startJobs({ pool, schema, setUpLockId, onError, setUp }: JobsOptions): Promise<Jobs> {
  const jobs = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema,
    schedule: false,
  })
  jobs.on('error', onError)
  const lockHolder = await pool.connect()
  try {
    await lockHolder.query('select pg_advisory_lock($1)', [setUpLockId])
    await jobs.start()
    await setUp(jobs)
  } finally {
    lockHolder.release(true) // Closing the connection also releases the lock.
  }
  return jobs
}
