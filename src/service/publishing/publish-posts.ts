import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Runtime } from '../../runtime.ts'
import { postRecord } from '../records.ts'
import { inTransaction } from '../stores/database.ts'
import { type JobQueue, startJobQueue, transactionOptions, WEBHOOK_QUEUE } from '../stores/job-queue.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { markDuePostsPublished } from '../stores/posts-store.ts'
import type { Db } from '../stores/tables.ts'
import { findProjectsWithWebhook } from '../stores/webhooks-store.ts'
import { startWebhookDelivery, type WebhookJob } from './deliver-webhook.ts'

export type PublishingOptions = {
  pool: Pool
  db: Db
  log: Logger
  runtime: Runtime
  publishIntervalMs: number
  deliveryIntervalMs: number
  webhookTimeoutMs: number
}

/** Small batches let several instances share many due posts, and a killed instance loses little work. */
const BATCH_SIZE = 100

/** Publishes posts when they are due and delivers the events to the projects' webhooks. */
export async function startPublishing(options: PublishingOptions): Promise<{ stop(): Promise<void> }> {
  const { pool, db, log, runtime, publishIntervalMs, deliveryIntervalMs, webhookTimeoutMs } = options
  const queue = await startJobQueue({ pool, onError: (error) => log.error(error, 'job queue error') })
  await startWebhookDelivery({ db, queue, runtime, intervalMs: deliveryIntervalMs, webhookTimeoutMs })

  let timer: NodeJS.Timeout | undefined
  let currentRun = Promise.resolve()
  let isStopping = false
  const publishDuePosts = async () => {
    let batchSize: number
    do {
      batchSize = await inTransaction(db, (db) => publishBatch({ db, queue, now: runtime.now() }))
      if (batchSize) log.info({ posts: batchSize }, 'published due posts')
    } while (batchSize === BATCH_SIZE && !isStopping)
  }
  const scheduleRun = () => {
    currentRun = publishDuePosts()
      .catch((error) => log.error(error, 'publishing due posts failed, retrying'))
      .then(() => {
        if (!isStopping) timer = setTimeout(scheduleRun, publishIntervalMs)
      })
  }
  scheduleRun()

  return {
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await currentRun
      await queue.stop({ graceful: true })
    },
  }
}

type Batch = { db: Db; queue: JobQueue; now: Date }

/** Needs a transaction, which saves a post's status, log entry and webhook job together or not at all. */
async function publishBatch({ db, queue, now }: Batch): Promise<number> {
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
  const projectIds = await findProjectsWithWebhook(db, [...new Set(posts.map((post) => post.project_id))])
  const jobs = posts
    .filter((post) => projectIds.has(post.project_id))
    .map((post): { name: string; data: WebhookJob } => ({
      name: WEBHOOK_QUEUE,
      data: {
        project_id: post.project_id,
        event: { type: 'post.published', timestamp: now.toISOString(), data: postRecord(post) },
      },
    }))
  if (jobs.length) await queue.insert(jobs, transactionOptions(db))
  return posts.length
}
