import type { JobWithMetadata } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { Runtime } from '../../runtime.ts'
import { inTransaction } from '../stores/database.ts'
import { type JobQueue, WEBHOOK_QUEUE } from '../stores/job-queue.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import type { Db } from '../stores/tables.ts'
import { deleteWebhook, findWebhook } from '../stores/webhooks-store.ts'

export type WebhookJob = { project_id: string; event: { type: string; timestamp: string; data: unknown } }

type DeliveryOptions = {
  db: Db
  queue: JobQueue
  runtime: Runtime
  intervalMs: number
  /** Must stay far below the queue's job expiry, so that an attempt never overlaps with its retry. */
  webhookTimeoutMs: number
}

const BATCH_SIZE = 20
const TIMED_OUT = 'the webhook timed out'
const PAUSE_AFTER_TIMEOUT_MS = 60_000

export async function startWebhookDelivery(options: DeliveryOptions): Promise<void> {
  const { db, queue, runtime, intervalMs, webhookTimeoutMs } = options
  /** A webhook that times out is paused, so that it doesn't delay those of other projects. */
  const pausedUntil = new Map<string, number>()

  const processJob = async (job: JobWithMetadata<WebhookJob>) => {
    const { project_id } = job.data
    const now = runtime.now()
    const isPaused = (pausedUntil.get(project_id) ?? 0) > now.getTime()
    const failure = isPaused
      ? TIMED_OUT
      : await deliverEvent(job, { db, fetch: runtime.fetch, now, webhookTimeoutMs })
    if (!failure) return
    if (failure === TIMED_OUT && !isPaused)
      pausedUntil.set(project_id, runtime.now().getTime() + PAUSE_AFTER_TIMEOUT_MS)
    if (job.retryCount >= job.retryLimit) await logFinalFailure(job, { db, failure, now: runtime.now() })
    await queue.fail(WEBHOOK_QUEUE, job.id, { failure })
  }

  const workOptions = {
    includeMetadata: true as const,
    batchSize: BATCH_SIZE,
    pollingIntervalSeconds: intervalMs / 1000,
  }
  // When the batch ends, pg-boss completes the jobs that haven't failed.
  await queue.work<WebhookJob>(WEBHOOK_QUEUE, workOptions, async (batch) => {
    await Promise.all(batch.map(processJob))
  })
}

type Attempt = { db: Db; fetch: typeof fetch; now: Date; webhookTimeoutMs: number }

/** Sends the event, signed as in the Standard Webhooks specification. Returns the reason if it fails. */
async function deliverEvent(
  job: JobWithMetadata<WebhookJob>,
  { db, fetch, now, webhookTimeoutMs }: Attempt,
): Promise<string | undefined> {
  const { project_id, event } = job.data
  const webhook = await findWebhook(db, project_id)
  if (!webhook) return undefined // It was deleted after the post was published.
  const body = JSON.stringify(event)
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': job.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(webhook.secret).sign(job.id, now, body),
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(webhookTimeoutMs),
    })
    await response.body?.cancel()
    if (response.status === 410) {
      await deleteGoneWebhook(project_id, { db, now })
      return undefined
    }
    return response.ok ? undefined : `the webhook responded with ${response.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError'
      ? TIMED_OUT
      : "the webhook couldn't be reached"
  }
}

/** With 410 Gone, a webhook asks not to be called any more. */
async function deleteGoneWebhook(project_id: string, { db, now }: { db: Db; now: Date }): Promise<void> {
  await inTransaction(db, async (db) => {
    await deleteWebhook(db, project_id)
    await insertLogEntries(db, [
      {
        project_id,
        level: 'WARNING',
        action: 'webhook.deleted',
        message: 'Deleted the webhook because it responded with 410 Gone.',
        actor: 'scheduler',
        created_at: now,
      },
    ])
  })
}

async function logFinalFailure(
  job: JobWithMetadata<WebhookJob>,
  { db, failure, now }: { db: Db; failure: string; now: Date },
): Promise<void> {
  const { project_id, event } = job.data
  const attempts = job.retryCount + 1
  const message = `Stopped trying to deliver ${event.type} after ${attempts} attempts: ${failure}.`
  await insertLogEntries(db, [
    { project_id, level: 'ERROR', action: 'webhook.failed', message, actor: 'scheduler', created_at: now },
  ])
}
