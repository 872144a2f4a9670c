import type { JobHandler } from '../../jobs/job-queue.ts'
import type { Job, NewJob } from '../../jobs/job-store.ts'
import { addMs } from '../../runtime.ts'
import { insertLogEntries } from '../stores/logs-store.ts'
import { deleteWebhook, findWebhook } from '../stores/projects-store.ts'
import type { Db, Row } from '../stores/tables.ts'
import { PrivateAddressError } from './public-dispatcher.ts'
import type { PublishingContext } from './publishing-context.ts'
import { sendSignedEvent } from './send-signed-event.ts'

type WebhookEvent = { type: string; timestamp: string; data: unknown }
type WebhookData = { project_id: string; event: WebhookEvent }

const WEBHOOK_KIND = 'webhook'
/** Each project has its own lanes, so a webhook that times out delays only the events of its own project. */
const LANES_PER_PROJECT = 4
const MAX_ATTEMPTS = 14
const FIRST_BACKOFF_MS = 11_000

export const createWebhookJob = (id: string, lane: number, data: WebhookData): NewJob => ({
  kind: WEBHOOK_KIND,
  id,
  key: `${data.project_id} ${lane % LANES_PER_PROJECT}`,
  data,
})

/** Sends events to webhooks. The pauses between attempts double from 11 s to half a day and add up to at least 25 hours. */
export const createWebhookHandler = (context: PublishingContext): JobHandler => ({
  kind: WEBHOOK_KIND,
  name: 'deliver a webhook',
  async run(job) {
    const { db, runtime } = context
    const { project_id, event } = job.data as WebhookData
    const failure = await deliverEvent(job, context)
    if (!failure) return
    const now = runtime.now()
    if (job.attempts < MAX_ATTEMPTS)
      return { due_at: addMs(now, FIRST_BACKOFF_MS * 2 ** (job.attempts - 1)), problem: failure }
    const message = `Stopped trying to deliver ${event.type} after ${job.attempts} attempts: ${failure}.`
    const entry = { project_id, action: 'webhook.failed', message, actor: 'scheduler', created_at: now }
    await insertLogEntries(db, [{ ...entry, level: 'ERROR' }])
  },
})

/** Sends an event to the project's webhook. Returns the reason if that fails. */
async function deliverEvent(
  { id, data }: Job,
  { db, runtime, allowPrivateWebhooks, publicDispatcher, webhookTimeoutMs }: PublishingContext,
): Promise<string | undefined> {
  const { project_id, event } = data as WebhookData
  const webhook = await findWebhook(db, project_id)
  if (!webhook) return undefined // The webhook was deleted after the post was published.
  const { url, secret } = webhook
  try {
    const sender = { runtime, dispatcher: allowPrivateWebhooks ? undefined : publicDispatcher }
    const delivery = { url, secret, id, event, timeoutMs: webhookTimeoutMs }
    const { ok, status } = await sendSignedEvent(sender, delivery)
    const isGone = status === 410
    if (isGone) await deleteGoneWebhook(db, webhook, runtime.now())
    return ok || isGone ? undefined : `the webhook responded with ${status}`
  } catch (error) {
    const { name, cause } = error as Error
    if (cause instanceof PrivateAddressError) return cause.message
    return name === 'TimeoutError' ? 'the webhook timed out' : "the webhook couldn't be reached"
  }
}

/** 410 Gone means that the webhook accepts no more events. A webhook that has replaced it since then is kept. */
async function deleteGoneWebhook(db: Db, { project_id, url }: Row<'webhook'>, now: Date): Promise<void> {
  const message = 'Deleted the webhook because it responded with 410 Gone.'
  const entry = { project_id, action: 'webhook.deleted', message, actor: 'scheduler', created_at: now }
  await db.transaction().execute(async (db) => {
    if (await deleteWebhook(db, { project_id, url }))
      await insertLogEntries(db, [{ ...entry, level: 'WARNING' }])
  })
}
