import type { ChatScheduledMessagesListResponse, WebClient } from '@slack/web-api'
import type { JobHandler } from '../../../jobs/job-queue.ts'
import type { NextRun } from '../../../jobs/job-store.ts'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import type { WorkerContext } from '../../slack/module.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import {
  CANCELLATION,
  deleteCancellation,
  findCancellation,
  giveUpCancellation,
  SETTLE_MS,
} from './digest-run-store.ts'
import type { DigestCancellation } from './tables.ts'

/** Slack's list of scheduled messages has only their text, so the text carries this mark. */
export const runMark = (run_id: string) => `[${run_id.slice(0, 8)}]`

const PAGE_SIZE = 100

/** The id of the scheduled message of a run, if Slack has it. */
export async function findScheduledMessage(client: WebClient, channel: string, run_id: string) {
  const pages = client.paginate('chat.scheduledMessages.list', { channel, limit: PAGE_SIZE })
  for await (const page of pages as AsyncIterable<ChatScheduledMessagesListResponse>) {
    const message = page.scheduled_messages?.find(({ text }) => text?.includes(runMark(run_id)))
    if (message?.id) return message.id
  }
  return undefined
}

/** False if Slack doesn't have the message, or no longer deletes it because it appears within a minute. */
export async function deleteScheduledMessage(client: WebClient, channel: string, message_id: string) {
  try {
    await client.chat.deleteScheduledMessage({ channel, scheduled_message_id: message_id })
    return true
  } catch (error) {
    if (slackErrorCode(error) === 'invalid_scheduled_message_id') return false
    throw error
  }
}

/** Slack doesn't delete a message in its last minute. */
const SLACK_DELETE_DEADLINE_MS = 60_000

const RETRY_MS = 30_000

/** Deletes scheduled messages of digests that were paused, edited or deleted. */
export const cancellationHandler = ({ bot, client }: WorkerContext): JobHandler => ({
  kind: CANCELLATION,
  name: 'cancel a digest',
  async run(job) {
    const cancellation = await findCancellation(bot.db, job)
    return cancellation && cancelMessage(bot, client, cancellation)
  },
})

async function cancelMessage(
  bot: Bot,
  client: WebClient,
  cancellation: DigestCancellation,
): Promise<NextRun | undefined> {
  const { db, log, runtime } = bot
  const { digest_id: digest, day, post_at } = cancellation
  const isCancelled = await isDefinitelyCancelled(bot, client, cancellation).catch((err) =>
    log.warn({ err, digest, day }, 'Failed to cancel a scheduled digest'),
  )
  const now = runtime.now()
  if (isCancelled) {
    await deleteCancellation(db, cancellation)
    return undefined
  }
  if (now <= post_at) return { due_at: addMs(now, RETRY_MS) }
  log.warn({ digest, day }, "A scheduled digest couldn't be cancelled in time")
  const message = `Slack didn't confirm in time that the message for ${day} was cancelled, so it may have been posted.`
  await giveUpCancellation(db, cancellation, message, now)
  return undefined
}

async function isDefinitelyCancelled({ runtime }: Bot, client: WebClient, cancellation: DigestCancellation) {
  const { channel_id, run_id, requested_at, post_at } = cancellation
  const message_id = cancellation.message_id ?? (await findScheduledMessage(client, channel_id, run_id))
  if (message_id && (await deleteScheduledMessage(client, channel_id, message_id))) return true
  const now = runtime.now()
  if (!message_id) return now > addMs(requested_at, SETTLE_MS) && now < post_at
  // A message that Slack doesn't know wasn't posted either, unless its time is near.
  return addMs(now, SLACK_DELETE_DEADLINE_MS) < post_at
}
