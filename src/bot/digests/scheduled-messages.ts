import type { WebClient } from '@slack/web-api'
import { slackErrorCode } from '../errors.ts'

/** Slack's list of scheduled messages has only their text, so the text carries this mark. */
export const runMark = (run_id: string) => `[${run_id.slice(0, 8)}]`

const PAGE_SIZE = 100

/** The id of the scheduled message of a run, if Slack has it. */
export async function findScheduledMessage(
  client: WebClient,
  channel: string,
  run_id: string,
): Promise<string | undefined> {
  let cursor: string | undefined
  do {
    const page = await client.chat.scheduledMessages.list({
      channel,
      limit: PAGE_SIZE,
      ...(cursor && { cursor }),
    })
    const message = page.scheduled_messages?.find(({ text }) => text?.includes(runMark(run_id)))
    if (message?.id) return message.id
    cursor = page.response_metadata?.next_cursor
  } while (cursor)
  return undefined
}

/** False if Slack doesn't have the message, or no longer deletes it because it appears within a minute. */
export async function deleteScheduledMessage(
  client: WebClient,
  channel: string,
  scheduled_message_id: string,
): Promise<boolean> {
  try {
    await client.chat.deleteScheduledMessage({ channel, scheduled_message_id })
    return true
  } catch (error) {
    if (slackErrorCode(error) === 'invalid_scheduled_message_id') return false
    throw error
  }
}
