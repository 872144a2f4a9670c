import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import PgBoss from 'pg-boss'
import { withSetUpPool } from '../../database/set-up-pool.ts'
import type { Db } from './tables.ts'

export type JobQueue = PgBoss

const SCHEMA = 'service_jobs'
/** pg-boss creates its schema together with this table. */
export const JOBS_TABLE = { schema: SCHEMA, table: 'version' }
const SET_UP_LOCK_ID = 7_503_202

export const WEBHOOK_QUEUE = 'deliver-webhook'

/** Allows 14 attempts. The delays double from 11 s to half a day and add up to at least 25 hours. */
const WEBHOOK_RETRY_POLICY = {
  name: WEBHOOK_QUEUE,
  retryLimit: 13,
  retryDelay: 11,
  retryBackoff: true,
  expireInSeconds: 120,
}

export async function startJobQueue(pool: Pool, onError: (error: Error) => void): Promise<JobQueue> {
  let isStopped = false
  const queue = new PgBoss({
    db: {
      // pg-boss doesn't await its last queries when it stops, so their errors would end the process.
      executeSql: (text, values) => (isStopped ? new Promise(() => {}) : pool.query(text, values)),
    },
    schema: SCHEMA,
    schedule: false,
  })
  queue.on('error', onError)
  queue.on('stopped', () => {
    isStopped = true
  })
  // Two instances that create the same queue at once can deadlock. The lock makes them take turns.
  await withSetUpPool(pool, async (setUpPool) => {
    const lockHolder = await setUpPool.connect()
    try {
      await lockHolder.query('select pg_advisory_lock($1)', [SET_UP_LOCK_ID])
      await queue.start()
      await queue.createQueue(WEBHOOK_QUEUE)
      await queue.updateQueue(WEBHOOK_QUEUE, WEBHOOK_RETRY_POLICY)
    } finally {
      lockHolder.release(true) // Closing the connection also releases the lock.
    }
  })
  return queue
}

/** Options that insert jobs in the transaction of `db`, so that they exist only if it commits. */
export const transactionOptions = (db: Db): PgBoss.ConnectionOptions => ({
  db: { executeSql: (text, values) => db.executeQuery(CompiledQuery.raw(text, values)) },
})
