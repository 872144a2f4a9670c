import type { JobWithMetadata } from 'pg-boss'
import { Webhook } from 'standardwebhooks'
import type { Runtime } from '../../runtime.ts'
import { DELIVERY, type Jobs } from '../storage/jobs.ts'
import { writeLog } from '../storage/logs.ts'
import type { Db } from '../storage/tables.ts'
import { inTransaction } from '../storage/transaction.ts'
import { deleteWebhook, findWebhook } from '../storage/webhooks.ts'

export type Delivery = { project_id: string; event: { type: string; timestamp: string; data: unknown } }

type Delivering = { db: Db; jobs: Jobs; runtime: Runtime }

/** Far below the job's expiry: a delivery never runs beside its own repetition. */
const PATIENCE_MS = 15_000
const AT_ONCE = 20

export async function deliverWebhooks({ db, jobs, runtime: { fetch, now } }: Delivering): Promise<void> {
  const hanging = new Map<string, number>()
  await jobs.work<Delivery>(DELIVERY, { includeMetadata: true, batchSize: AT_ONCE }, async (batch) => {
    await Promise.all(
      batch.map(async (job) => {
        const { project_id } = job.data
        // A receiver that hangs would hold up all others: for a while it gets no more of our time.
        const isHanging = (hanging.get(project_id) ?? 0) > now().getTime()
        const failure = isHanging ? HANGS : await deliver(job, { db, fetch, now: now() })
        if (!failure) return
        if (failure === HANGS && !isHanging) hanging.set(project_id, now().getTime() + LEFT_ALONE_MS)
        if (job.retryCount >= job.retryLimit) await giveUp(job, { db, failure, now: now() })
        await jobs.fail(DELIVERY, job.id, { failure }) // those not failed are completed with the batch
      }),
    )
  })
}

const HANGS = 'it did not answer in time'
const LEFT_ALONE_MS = 60_000

type Attempt = { db: Db; fetch: typeof fetch; now: Date }

/** Sends the event, signed as Standard Webhooks has it. What is returned is why it did not arrive. */
async function deliver(
  job: JobWithMetadata<Delivery>,
  { db, fetch, now }: Attempt,
): Promise<string | undefined> {
  const { project_id, event } = job.data
  const webhook = await findWebhook(db, project_id)
  if (!webhook) return undefined // deleted since: nobody is waiting
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
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.body?.cancel()
    if (response.status === 410) return await forget(project_id, { db, now })
    return response.ok ? undefined : `it answered ${response.status}`
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? HANGS : 'it could not be reached'
  }
}

/** 410 Gone is how a receiver says that it wants no more. */
async function forget(project_id: string, { db, now }: { db: Db; now: Date }): Promise<undefined> {
  const message = 'Deleted the webhook: it answered 410 Gone.'
  const entry = {
    project_id,
    level: 'WARNING',
    action: 'webhook.deleted',
    message,
    actor: 'scheduler',
    created_at: now,
  } as const
  await inTransaction(db, async (db) => {
    await deleteWebhook(db, project_id)
    await writeLog(db, [entry])
  })
}

type GivingUp = { db: Db; failure: string; now: Date }

async function giveUp(job: JobWithMetadata<Delivery>, { db, failure, now }: GivingUp): Promise<void> {
  const { project_id, event } = job.data
  const message = `Gave up delivering ${event.type} to the webhook after ${job.retryCount + 1} tries: ${failure}.`
  await writeLog(db, [
    { project_id, level: 'ERROR', action: 'webhook.failed', message, actor: 'scheduler', created_at: now },
  ])
}
