import type { WebClient } from '@slack/web-api'
import { saveProgressMessage } from '../../outbox/outbox-store.ts'
import type { OutboxItem } from '../../outbox/tables.ts'
import type { Bot } from '../../slack/bot.ts'
import { escapeText, textReply } from '../../slack/message-blocks.ts'
import { postOrUpdate } from '../../slack/notify.ts'

/** Shows the user the progress of an upload in one direct message. If the message fails, the upload goes on. */
export async function showProgress(
  { db, log }: Pick<Bot, 'db' | 'log'>,
  client: WebClient,
  item: OutboxItem,
  progress: string,
): Promise<void> {
  const { user_id, progress_channel: channel, progress_ts: ts } = item
  try {
    const place = await postOrUpdate(client, user_id, { channel, ts }, textReply(escapeText(progress)))
    if (place.ts === ts) return
    const progressMessage = { progress_channel: place.channel, progress_ts: place.ts }
    Object.assign(item, progressMessage)
    await saveProgressMessage(db, item, progressMessage)
  } catch (err) {
    log.warn({ err, item: item.id }, 'Failed to show the progress of an upload')
  }
}
