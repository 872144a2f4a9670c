import type { WebClient } from '@slack/web-api'
import type { Bot } from '../bot.ts'
import type { DigestCancellation } from '../database/tables.ts'
import { claimCancellations, deleteCancellation, giveUpCancellation, SETTLE_MS } from './digest-run-store.ts'
import { deleteScheduledMessage, findScheduledMessage } from './scheduled-messages.ts'

const RETRY_MS = 30_000

/** Slack doesn't delete a message in its last minute. */
const SLACK_DELETE_DEADLINE_MS = 60_000

/** Deletes scheduled messages of digests that were paused, edited or deleted. */
export async function cancelScheduledMessages(bot: Bot, client: WebClient): Promise<void> {
  const now = bot.runtime.now()
  const retryAt = new Date(now.getTime() + RETRY_MS)
  const cancellations = await claimCancellations(bot.db, { now, retryAt })
  // All at once, so that none of them reaches its last minute while waiting for another.
  await Promise.all(cancellations.map((cancellation) => cancelMessage(bot, client, cancellation)))
}

async function cancelMessage(bot: Bot, client: WebClient, cancellation: DigestCancellation): Promise<void> {
  const { db, log, runtime } = bot
  const { digest_id, day, post_at } = cancellation
  try {
    if (await isCertainlyCancelled(bot, client, cancellation)) {
      await deleteCancellation(db, cancellation)
      return
    }
  } catch (err) {
    log.warn({ err, digest: digest_id, day }, 'Cancelling a scheduled digest failed')
  }
  const now = runtime.now()
  if (now <= post_at) return
  log.warn({ digest: digest_id, day }, "A scheduled digest couldn't be cancelled in time")
  const message = `Slack didn't confirm in time that the message for ${day} was cancelled, so it may have been posted.`
  await giveUpCancellation(db, cancellation, { message, now })
}

async function isCertainlyCancelled(
  { runtime }: Bot,
  client: WebClient,
  cancellation: DigestCancellation,
): Promise<boolean> {
  const { channel_id, run_id, requested_at, post_at } = cancellation
  const remainingMs = () => post_at.getTime() - runtime.now().getTime()
  const message_id = cancellation.message_id ?? (await findScheduledMessage(client, channel_id, run_id))
  if (!message_id) return runtime.now().getTime() - requested_at.getTime() > SETTLE_MS && remainingMs() > 0
  const isDeleted = await deleteScheduledMessage(client, channel_id, message_id)
  // A message that Slack doesn't know wasn't posted either, unless its time is near.
  return isDeleted || remainingMs() > SLACK_DELETE_DEADLINE_MS
}
