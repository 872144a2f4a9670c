import type { WebClient } from '@slack/web-api'
import { saveProgressMessage } from '../../outbox/outbox-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'

/** Shows the user the progress of an upload in one direct message. If the message fails, the upload goes on. */
export async function showProgress(
  { db, log }: Pick<Bot, 'db' | 'log'>,
  client: WebClient,
  item: OutboxItem,
  progress: string,
): Promise<void> {
  const { user_id, progress_channel, progress_ts } = item
  const message = textReply(escapeText(progress))
  const { text, blocks = [] } = message
  try {
    if (progress_channel && progress_ts) {
      await client.chat.update({ channel: progress_channel, ts: progress_ts, text, blocks })
      return
    }
    const { channel, ts } = await client.chat.postMessage({ channel: user_id, text, blocks })
    if (!channel || !ts) return
    Object.assign(item, { progress_channel: channel, progress_ts: ts })
    await saveProgressMessage(db, item, { progress_channel: channel, progress_ts: ts })
  } catch (err) {
    log.warn({ err, item: item.id }, 'Failed to show the progress of an upload')
  }
}
