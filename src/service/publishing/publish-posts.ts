import type { Logger } from 'pino'
import { startJobQueue } from '../../jobs/job-queue.ts'
import { addJobs } from '../../jobs/job-store.ts'
import { type Poller, startPoller } from '../../jobs/poller.ts'
import type { Runtime } from '../../runtime.ts'
import { createDateFormat, type FormatDate } from '../date-format.ts'
import { postRecord } from '../records.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { markDuePostsPublished } from '../stores/posts-store.ts'
import { findProjectsWithWebhook } from '../stores/projects-store.ts'
import type { Db } from '../stores/tables.ts'
import { createWebhookHandler, type WebhookDeliveryOptions, webhookJob } from './deliver-webhook.ts'

type PublishingOptions = WebhookDeliveryOptions & {
  log: Logger
  publishIntervalMs: number
  jobIntervalMs: number
}

/** How often the service looks for due posts. */
export const PUBLISH_INTERVAL_MS = 1000

/** Small batches let several instances share many due posts, and a killed instance loses little work. */
const BATCH_SIZE = 100

/** Publishes posts when they are due and delivers the events to the projects' webhooks. */
export function startPublishing(options: PublishingOptions): Poller[] {
  const { db, log, runtime, publishIntervalMs, jobIntervalMs } = options
  const formatDate = createDateFormat()
  return [
    startPoller({
      log,
      runtime,
      name: 'publish due posts',
      intervalMs: publishIntervalMs,
      task: async () => {
        const batchSize = await db.transaction().execute((db) => publishBatch(db, runtime, formatDate))
        if (batchSize) log.info({ posts: batchSize }, 'published due posts')
        return batchSize === BATCH_SIZE
      },
    }),
    startJobQueue({ db, log, runtime, intervalMs: jobIntervalMs, handlers: [createWebhookHandler(options)] }),
  ]
}

/** Needs a transaction, which saves a post's status, log entry and webhook job together or not at all. */
async function publishBatch(
  db: Db,
  { now: readClock, newId }: Runtime,
  formatDate: FormatDate,
): Promise<number> {
  const now = readClock()
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
  const jobs = postsWithWebhook.map((post, index) => {
    const event = { type: 'post.published', timestamp: now.toISOString(), data: postRecord(post, formatDate) }
    return webhookJob(newId(), index, { project_id: post.project_id, event })
  })
  await addJobs(db, jobs, now)
  return posts.length
}
