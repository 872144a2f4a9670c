import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Runtime } from '../../runtime.ts'
import { startJobs } from '../storage/jobs.ts'
import type { Db } from '../storage/tables.ts'
import { deliverWebhooks } from './deliver-webhook.ts'
import { publishDuePosts } from './publish-due-posts.ts'

export type PublishingOptions = { pool: Pool; db: Db; log: Logger; runtime: Runtime }

const EVERY_MS = 1000

/** What the service does when nobody asks: publishes what is due, and tells the webhooks. */
export async function startPublishing({
  pool,
  db,
  log,
  runtime,
}: PublishingOptions): Promise<{ stop(): Promise<void> }> {
  const jobs = await startJobs({ pool, onError: (error) => log.error(error, 'jobs') })
  await deliverWebhooks({ db, jobs, runtime })

  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  let stopping = false
  const round = async () => {
    try {
      const published = await publishDuePosts({ db, jobs, now: runtime.now(), isStopping: () => stopping })
      if (published) log.info({ published }, 'published due posts')
    } catch (error) {
      log.error(error, 'publishing due posts; trying again')
    }
  }
  const next = () => {
    running = round().then(() => {
      if (!stopping) timer = setTimeout(next, EVERY_MS)
    })
  }
  next()

  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
      await jobs.stop({ graceful: true })
    },
  }
}
