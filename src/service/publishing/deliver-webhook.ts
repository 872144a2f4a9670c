import type { JobWithMetadata } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { Runtime } from '../../runtime.ts'
import { type JobQueue, WEBHOOK_QUEUE } from '../stores/job-queue.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { deleteWebhook, findWebhook } from '../stores/projects-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import { createPublicDispatcher, type Dispatcher, PrivateAddressError } from './public-dispatcher.ts'

export type WebhookJob = { project_id: string; event: { type: string; timestamp: string; data: unknown } }

export type WebhookDeliveryOptions = {
  db: Db
  queue: JobQueue
  runtime: Runtime
  allowPrivateWebhooks: boolean
  deliveryIntervalMs: number
  webhookTimeoutMs: number
}

export const DELIVERY_INTERVAL_MS = 2000

/** Far below the job expiry, so that an attempt never overlaps with its retry. */
export const WEBHOOK_TIMEOUT_MS = 15_000

const BATCH_SIZE = 20
const TIMED_OUT = 'the webhook timed out'
const PAUSE_AFTER_TIMEOUT_MS = 60_000

export async function startWebhookDelivery(options: WebhookDeliveryOptions): Promise<void> {
  const { db, queue, runtime, deliveryIntervalMs, allowPrivateWebhooks } = options
  const dispatcher = allowPrivateWebhooks ? undefined : createPublicDispatcher()
  /** A webhook that times out is paused, so that it doesn't delay the webhooks of other projects. */
  const pausedUntil = new Map<string, number>()

  const processJob = async (job: JobWithMetadata<WebhookJob>) => {
    const { project_id, event } = job.data
    const isPaused = (pausedUntil.get(project_id) ?? 0) > runtime.now().getTime()
    const failure = isPaused ? TIMED_OUT : await deliverEvent(job, dispatcher, options)
    if (!failure) return
    const created_at = runtime.now()
    if (failure === TIMED_OUT && !isPaused)
      pausedUntil.set(project_id, created_at.getTime() + PAUSE_AFTER_TIMEOUT_MS)
    if (job.retryCount >= job.retryLimit) {
      const message = `Stopped trying to deliver ${event.type} after ${job.retryCount + 1} attempts: ${failure}.`
      const entry = { project_id, action: 'webhook.failed', message, actor: 'scheduler', created_at }
      await insertLogEntries(db, [{ ...entry, level: 'ERROR' }])
    }
    await queue.fail(WEBHOOK_QUEUE, job.id, { failure })
  }

  const pollingIntervalSeconds = deliveryIntervalMs / 1000
  const workOptions = { includeMetadata: true as const, batchSize: BATCH_SIZE, pollingIntervalSeconds }
  // When the batch ends, pg-boss completes the jobs that haven't failed.
  await queue.work<WebhookJob>(WEBHOOK_QUEUE, workOptions, async (batch) => {
    await Promise.all(batch.map(processJob))
  })
}

/** Sends the event, signed as in the Standard Webhooks specification. Returns the reason if it fails. */
async function deliverEvent(
  job: JobWithMetadata<WebhookJob>,
  dispatcher: Dispatcher | undefined,
  options: WebhookDeliveryOptions,
) {
  const { db, runtime, webhookTimeoutMs } = options
  const { project_id, event } = job.data
  const webhook = await findWebhook(db, project_id)
  if (!webhook) return undefined // The webhook was deleted after the post was published.
  const now = runtime.now()
  const body = JSON.stringify(event)
  try {
    const response = await runtime.nodeFetch(webhook.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': job.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(webhook.secret).sign(job.id, now, body),
      },
      redirect: 'manual',
      ...(dispatcher && { dispatcher }),
      signal: AbortSignal.timeout(webhookTimeoutMs),
    })
    await response.body?.cancel()
    const isGone = response.status === 410
    if (isGone) await deleteGoneWebhook(db, webhook, now)
    return response.ok || isGone ? undefined : `the webhook responded with ${response.status}`
  } catch (error) {
    const { name, cause } = error as Error
    if (cause instanceof PrivateAddressError) return cause.message
    return name === 'TimeoutError' ? TIMED_OUT : "the webhook couldn't be reached"
  }
}

/** A webhook that answers 410 Gone doesn't want to be called anymore. One that was replaced meanwhile stays. */
async function deleteGoneWebhook(db: Db, { project_id, url }: Row<'webhook'>, now: Date): Promise<void> {
  const message = 'Deleted the webhook because it responded with 410 Gone.'
  const entry = { project_id, action: 'webhook.deleted', message, actor: 'scheduler', created_at: now }
  await db.transaction().execute(async (db) => {
    if (await deleteWebhook(db, { project_id, url }))
      await insertLogEntries(db, [{ ...entry, level: 'WARNING' }])
  })
}
