import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import PgBoss from 'pg-boss'
import type { Db } from './tables.ts'

export type Jobs = PgBoss

export const DELIVERY = 'deliver-webhook'

/** Two instances that set the queue up at the same moment deadlock in it: one after the other. */
const SETTING_UP = 7_503_202

type JobsOptions = { pool: Pool; onError: (error: Error) => void }

export async function startJobs({ pool, onError }: JobsOptions): Promise<Jobs> {
  const jobs = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schema: 'service_jobs',
    schedule: false,
  })
  jobs.on('error', onError)
  const guard = await pool.connect()
  try {
    await guard.query('select pg_advisory_lock($1)', [SETTING_UP])
    await jobs.start()
    await jobs.createQueue(DELIVERY)
    await jobs.updateQueue(DELIVERY, DELIVERY_PATIENCE)
  } finally {
    guard.release(true) // the lock goes with its connection
  }
  return jobs
}

/** Fourteen tries, each waiting about twice as long as the one before: from 11 s to half a day, in all 25 h or more. */
const DELIVERY_PATIENCE = {
  name: DELIVERY,
  retryLimit: 13,
  retryDelay: 11,
  retryBackoff: true,
  expireInSeconds: 120,
}

/** So that a job is there if, and only if, what it follows from was committed. */
export const within = (db: Db) => ({
  db: {
    executeSql: async (text: string, values: unknown[]) => {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
      return { rows }
    },
  },
})
