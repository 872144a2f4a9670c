import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type Poller, startPoller } from '../../jobs/poller.ts'
import { createDateFormat, type FormatDate } from '../date-format.ts'
import { postRecord } from '../records.ts'
import { type JobQueue, startJobQueue, transactionOptions, WEBHOOK_QUEUE } from '../stores/job-queue.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { markDuePostsPublished } from '../stores/posts-store.ts'
import { findProjectsWithWebhook } from '../stores/projects-store.ts'
import type { Db } from '../stores/tables.ts'
import { startWebhookDelivery, type WebhookDeliveryOptions, type WebhookJob } from './deliver-webhook.ts'

type PublishingOptions = Omit<WebhookDeliveryOptions, 'queue'> & {
  pool: Pool
  log: Logger
  publishIntervalMs: number
}

/** How often the service looks for due posts. */
export const PUBLISH_INTERVAL_MS = 1000

/** Small batches let several instances share many due posts, and a killed instance loses little work. */
const BATCH_SIZE = 100

/** Publishes posts when they are due and delivers the events to the projects' webhooks. */
export async function startPublishing(options: PublishingOptions): Promise<Poller> {
  const { pool, db, log, runtime, publishIntervalMs } = options
  const formatDate = createDateFormat()
  const queue = await startJobQueue(pool, (error) => log.error(error, 'job queue error'))
  await startWebhookDelivery({ ...options, queue })

  const poller = startPoller({
    log,
    runtime,
    name: 'Publishing due posts',
    intervalMs: publishIntervalMs,
    task: async () => {
      const batchSize = await db
        .transaction()
        .execute((db) => publishBatch(db, { queue, formatDate }, runtime.now()))
      if (batchSize) log.info({ posts: batchSize }, 'published due posts')
      return batchSize === BATCH_SIZE
    },
  })
  return {
    ...poller,
    async stop() {
      await poller.stop()
      await queue.stop({ graceful: true })
    },
  }
}

/** Needs a transaction, which saves a post's status, log entry and webhook job together or not at all. */
async function publishBatch(
  db: Db,
  { queue, formatDate }: { queue: JobQueue; formatDate: FormatDate },
  now: Date,
): Promise<number> {
  const posts = await markDuePostsPublished(db, now, BATCH_SIZE)
  if (!posts.length) return 0
  const entries = posts.map((post) => ({
    project_id: post.project_id,
    action: 'post.published',
    message: `Published a post on ${post.platforms.join(', ')}.`,
    actor: 'scheduler',
    target_id: post.id,
    created_at: now,
  }))
  await insertLogEntries(db, entries)
  const projectsWithWebhook = await findProjectsWithWebhook(db, [
    ...new Set(posts.map((post) => post.project_id)),
  ])
  const postsWithWebhook = posts.filter((post) => projectsWithWebhook.has(post.project_id))
  const jobs = postsWithWebhook.map((post) => {
    const event = { type: 'post.published', timestamp: now.toISOString(), data: postRecord(post, formatDate) }
    return { name: WEBHOOK_QUEUE, data: { project_id: post.project_id, event } satisfies WebhookJob }
  })
  if (jobs.length) await queue.insert(jobs, transactionOptions(db))
  return posts.length
}
