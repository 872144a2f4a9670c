import { postRecord } from '../records.ts'
import { DELIVERY, type Jobs, within } from '../storage/jobs.ts'
import { writeLog } from '../storage/logs.ts'
import { takeDuePosts } from '../storage/posts.ts'
import type { Db, Row } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { listProjectsWithWebhook } from '../storage/webhooks.ts'
import type { Delivery } from './deliver-webhook.ts'

/** Small enough for several instances to share a rush, and for a killed one to give back little. */
const BATCH = 100

type Publishing = { db: Db; jobs: Jobs; now: Date }

type PublishingAll = Publishing & { isStopping: () => boolean }

/**
 * Publishes every post that is due. Status, log entry and delivery are one transaction: of an instance that dies in the
 * middle nothing remains, and another one does it whole.
 */
export async function publishDuePosts({ db, jobs, now, isStopping }: PublishingAll): Promise<number> {
  let published = 0
  for (;;) {
    const batch = await inTransaction(db, (db) => publishBatch({ db, jobs, now }))
    published += batch
    if (batch < BATCH || isStopping()) return published
  }
}

async function publishBatch({ db, jobs, now }: Publishing): Promise<number> {
  const posts = await takeDuePosts(db, now, BATCH)
  if (!posts.length) return 0
  await writeLog(
    db,
    posts.map((post) => publishedEntry(post, now)),
  )
  const listening = await listProjectsWithWebhook(db, [...new Set(posts.map((post) => post.project_id))])
  const deliveries = posts
    .filter((post) => listening.has(post.project_id))
    .map((post) => deliveryOf(post, now))
  if (deliveries.length)
    await jobs.insert(
      deliveries.map((data) => ({ name: DELIVERY, data })),
      within(db),
    )
  return posts.length
}

const publishedEntry = (post: Row<'post'>, now: Date) => ({
  project_id: post.project_id,
  action: 'post.published',
  message: `Published a post on ${post.platforms.join(', ')}.`,
  actor: 'scheduler',
  target_id: post.id,
  created_at: now,
})

const deliveryOf = (post: Row<'post'>, now: Date): Delivery => ({
  project_id: post.project_id,
  event: { type: 'post.published', timestamp: now.toISOString(), data: postRecord(post) },
})
