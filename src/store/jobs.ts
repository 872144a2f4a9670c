import type { Pool } from 'pg'
import { type Jobs, startJobs as startJobsOn } from '../database/jobs.ts'

export type { Jobs } from '../database/jobs.ts'

/** Somebody has something due in the outbox. */
export const OUTBOX = 'outbox'
/** A digest is to be handed over to Slack. */
export const DIGEST = 'digest'

const SET_UP_LOCK_ID = 7_503_203

type JobsOptions = { pool: Pool; onError: (error: Error) => void }

/** The queues on which the instances share what is to be done now; when it is due, our own tables know. */
export const startJobs = (options: JobsOptions): Promise<Jobs> =>
  startJobsOn({
    ...options,
    schema: 'upnext_jobs',
    setUpLockId: SET_UP_LOCK_ID,
    setUp: async (jobs) => {
      // Who waits in it already need not be called a second time.
      for (const name of [OUTBOX, DIGEST]) await jobs.createQueue(name, { name, policy: 'short' })
    },
  })
