import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import { type Jobs, startJobs as startJobsOn } from '../../database/jobs.ts'
import type { Db } from './tables.ts'

export type { Jobs } from '../../database/jobs.ts'

export const DELIVERY = 'deliver-webhook'

const SETTING_UP = 7_503_202

type JobsOptions = { pool: Pool; onError: (error: Error) => void }

export const startJobs = (options: JobsOptions): Promise<Jobs> =>
  startJobsOn({
    ...options,
    schema: 'service_jobs',
    settingUp: SETTING_UP,
    setUp: async (jobs) => {
      await jobs.createQueue(DELIVERY)
      await jobs.updateQueue(DELIVERY, DELIVERY_PATIENCE)
    },
  })

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
