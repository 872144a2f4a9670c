import type { ChatScheduledMessagesListResponse, WebClient } from '@slack/web-api'
import { addMs } from '../../../runtime.ts'
import type { Bot } from '../../slack/bot.ts'
import { slackErrorCode } from '../../slack/slack-errors.ts'
import * as runStore from './digest-run-store.ts'
import { SETTLE_MS } from './digest-run-store.ts'
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

/** Deletes scheduled messages of digests that were paused, edited or deleted. Returns true if there may be more. */
export async function cancelScheduledMessages(bot: Bot, client: WebClient): Promise<boolean> {
  const cancellations = await runStore.claimCancellations(bot.db, bot.runtime.now())
  // All at once, so that none of them reaches its last minute while waiting for another.
  await Promise.all(cancellations.map((cancellation) => cancelMessage(bot, client, cancellation)))
  return cancellations.length > 0
}

async function cancelMessage(bot: Bot, client: WebClient, cancellation: DigestCancellation): Promise<void> {
  const { db, log, runtime } = bot
  const { digest_id: digest, day, post_at } = cancellation
  const isCancelled = await isDefinitelyCancelled(bot, client, cancellation).catch((err) =>
    log.warn({ err, digest, day }, 'Cancelling a scheduled digest failed'),
  )
  const now = runtime.now()
  if (isCancelled) {
    await runStore.deleteCancellation(db, cancellation)
  } else if (now > post_at) {
    log.warn({ digest, day }, "A scheduled digest couldn't be cancelled in time")
    const message = `Slack didn't confirm in time that the message for ${day} was cancelled, so it may have been posted.`
    await runStore.giveUpCancellation(db, cancellation, message, now)
  }
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
