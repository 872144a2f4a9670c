import type { WebClient } from '@slack/web-api'
import type { Job, NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import { type Cancellation, readCancellation } from './digest-jobs.ts'
import { abandonCancellation } from './digest-store.ts'

/** This long after a request, Slack has finished it, and Slack's list of scheduled messages is up to date. */
export const SETTLE_MS = 120_000

/** Finds the id of the message that is scheduled in a channel for this second. Returns undefined if Slack has none. */
export async function findScheduledMessage(
  client: WebClient,
  channel: string,
  post_at: Date,
): Promise<string | undefined> {
  const second = post_at.getTime() / 1000
  const range = { oldest: String(second - 1), latest: String(second + 1) }
  const { scheduled_messages = [] } = await client.chat.scheduledMessages.list({ channel, ...range })
  return scheduled_messages.find((message) => message.post_at === second)?.id
}

/** Returns false if Slack doesn't have the message, or no longer deletes it because it is due within a minute. */
async function deleteScheduledMessage(client: WebClient, channel: string, message_id: string) {
  try {
    await client.chat.deleteScheduledMessage({ channel, scheduled_message_id: message_id })
    return true
  } catch (error) {
    if (slackErrorCode(error) === 'invalid_scheduled_message_id') return false
    throw error
  }
}

/** Slack doesn't delete a scheduled message less than a minute before it's due. */
const MIN_DELETE_LEAD_MS = 60_000

const RETRY_MS = 30_000

/** Deletes the scheduled message of a digest that was paused, edited or deleted. */
export async function cancelMessage(bot: Bot, client: WebClient, job: Job): Promise<NextRun | undefined> {
  const { db, log, runtime } = bot
  const cancellation = readCancellation(job)
  const { day, post_at, next_at: last_at } = cancellation
  const isCancelled = await ensureCancelled(bot, client, cancellation).catch((err) =>
    log.warn({ err, digest: job.key, day }, 'Failed to cancel a scheduled digest'),
  )
  if (isCancelled) return undefined
  const now = runtime.now()
  if (now <= post_at) return { due_at: addMs(now, RETRY_MS), blocks_until: post_at }
  log.warn({ digest: job.key, day }, "A scheduled digest couldn't be cancelled in time")
  const message = `Slack didn't confirm in time that the message for ${day} was cancelled, so it may have been posted.`
  await abandonCancellation(db, job, last_at, { id: job.id, digest: cancellation, message, now })
  return undefined
}

async function ensureCancelled({ runtime }: Bot, client: WebClient, cancellation: Cancellation) {
  const { channel_id, requested_at, post_at } = cancellation
  const message_id = cancellation.message_id ?? (await findScheduledMessage(client, channel_id, post_at))
  if (message_id && (await deleteScheduledMessage(client, channel_id, message_id))) return true
  const now = runtime.now()
  if (!message_id) return now > addMs(requested_at, SETTLE_MS) && now < post_at
  // If Slack no longer has the message long before its time, the message can't have been posted.
  return addMs(now, MIN_DELETE_LEAD_MS) < post_at
}
