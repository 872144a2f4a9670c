import { startJobQueue } from '../../jobs/job-queue.ts'
import { addJobs, type NewJob } from '../../jobs/job-store.ts'
import { type Poller, startPoller } from '../../jobs/poller.ts'
import type { Runtime } from '../../runtime.ts'
import { type Gap, listConnectedAccounts, recordHeartbeat } from '../stores/accounts-store.ts'
import { findOldestDueTime, lockDuePosts, type Progress, saveProgress } from '../stores/posts-store.ts'
import type { Db, PublishResult } from '../stores/tables.ts'
import { PLATFORMS } from '../values.ts'
import { announceSettledPosts } from './announce-posts.ts'
import { createReference, toProgress } from './change-result.ts'
import { createConfirmHandler } from './confirm-job.ts'
import { createWebhookHandler } from './deliver-webhook.ts'
import { createPublicDispatcher } from './public-dispatcher.ts'
import { createPublication, createPublishHandler } from './publish-job.ts'
import type { Publishers, PublishOutcome } from './publisher.ts'
import type { PublishingContext } from './publishing-context.ts'

type PublishingOptions = Omit<PublishingContext, 'publicDispatcher'> & {
  publishIntervalMs: number
  jobIntervalMs: number
}

/** Small batches let several instances share many due posts, and a killed instance loses little work. */
const BATCH_SIZE = 100

/** Publishes posts when they are due and delivers the events to the projects' webhooks. */
export function startPublishing(options: PublishingOptions): Poller[] {
  const { db, log, metrics, runtime, publishers, publishIntervalMs, jobIntervalMs } = options
  const context = { ...options, publicDispatcher: createPublicDispatcher() }
  const jobQueue = startJobQueue({
    db,
    log,
    metrics,
    runtime,
    intervalMs: jobIntervalMs,
    handlers: [createPublishHandler(context), createConfirmHandler(context), createWebhookHandler(context)],
  })
  // Prometheus counts the first event only if the series already existed with the value 0.
  for (const platform of PLATFORMS) {
    for (const outcome of OUTCOMES) metrics.publications.inc({ platform, outcome }, 0)
    metrics.publicationLateness.zero({ platform })
  }
  metrics.collectors.push(async () => {
    const now = runtime.now()
    const oldest = await findOldestDueTime(db, now)
    metrics.postLateness.set(oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0)
  })
  const poller = startPoller({
    log,
    runtime,
    name: 'publish due posts',
    intervalMs: publishIntervalMs,
    task: async () => {
      const now = runtime.now()
      const gap = await recordHeartbeat(db, now)
      const batch = await db.transaction().execute((db) => startBatch(db, { runtime, publishers, gap, now }))
      if (batch.jobs) jobQueue.wake()
      if (batch.posts) log.info(batch, 'Started to publish due posts')
      return batch.posts === BATCH_SIZE
    },
  })
  return [poller, jobQueue]
}

const OUTCOMES: PublishOutcome['state'][] = [
  'published',
  'accepted',
  'failed',
  'postponed',
  'moved',
  'unknown',
]

type BatchOptions = {
  runtime: Pick<Runtime, 'now' | 'newId'>
  publishers: Publishers
  gap: Gap | undefined
  now: Date
}

/** Needs a transaction, which saves a post's results, log entry and jobs together or not at all. */
async function startBatch(db: Db, { runtime, publishers, gap, now }: BatchOptions) {
  const posts = await lockDuePosts(db, now, BATCH_SIZE)
  if (!posts.length) return { posts: 0, jobs: 0 }
  const accounts = await listConnectedAccounts(db, [...new Set(posts.map(({ project_id }) => project_id))])
  const jobs: NewJob[] = []
  const started: (Progress & { id: string })[] = []
  for (const post of posts) {
    const { schedule_date: date } = post
    const isInGap = gap && date && date >= gap.from && date <= gap.to
    const results = post.platforms.map((platform): PublishResult => {
      const account = accounts.find(
        (account) => account.project_id === post.project_id && account.platform === platform,
      )
      if (!account) {
        const reference = createReference(post, platform)
        return { platform, reference, at: now.toISOString(), state: 'NOT_CONNECTED' }
      }
      const { job, result } = createPublication(post, account, { publishers, now })
      jobs.push(job)
      return isInGap ? { ...result, may_be_out: true } : result
    })
    started.push({ id: post.id, ...toProgress(results, post, now) })
  }
  const saved = await saveProgress(db, started)
  await addJobs(db, jobs, now)
  await announceSettledPosts(db, saved, runtime)
  return { posts: posts.length, jobs: jobs.length }
}
