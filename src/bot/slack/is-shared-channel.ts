import type { WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import { isAccessLost, isSlackInternalError, slackErrorCode } from './slack-errors.ts'

/** Whether people from other organizations are in the channel. Undefined if Slack may say so later. */
export async function findSharing(
  { log }: Pick<Bot, 'log'>,
  client: WebClient,
  channel_id: string,
): Promise<boolean | undefined> {
  try {
    const { channel } = await client.conversations.info({ channel: channel_id })
    return Boolean(channel?.is_ext_shared || channel?.is_pending_ext_shared)
  } catch (err) {
    log.warn({ err, channel: channel_id }, "Slack didn't say whether a channel is shared")
    const isForGood = slackErrorCode(err) !== undefined && !isSlackInternalError(err) && !isAccessLost(err)
    return isForGood || undefined
  }
}

/** Also true if Slack doesn't say. */
export const isSharedChannel = async (
  bot: Pick<Bot, 'log'>,
  client: WebClient,
  channel_id: string,
): Promise<boolean> => (await findSharing(bot, client, channel_id)) !== false
