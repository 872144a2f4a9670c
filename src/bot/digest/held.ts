import type { WebAPIPlatformError, WebClient } from '@slack/web-api'

/** The list of what Slack holds for later shows text, and so the text has a mark. */
export const markOf = (run_id: string) => `[${run_id.slice(0, 8)}]`

const PAGE = 100

/** What Slack holds for later of that run. */
export async function findHeld(
  client: WebClient,
  channel: string,
  run_id: string,
): Promise<string | undefined> {
  let cursor: string | undefined
  do {
    const { scheduled_messages: held = [], response_metadata } = await client.chat.scheduledMessages.list({
      channel,
      limit: PAGE,
      ...(cursor && { cursor }),
    })
    const found = held.find(({ text }) => text?.includes(markOf(run_id)))
    if (found?.id) return found.id
    cursor = response_metadata?.next_cursor
  } while (cursor)
  return undefined
}

/** False where Slack has no such message any more, or keeps it: within its last minute it does. */
export async function deleteHeld(client: WebClient, channel: string, message_id: string): Promise<boolean> {
  try {
    await client.chat.deleteScheduledMessage({ channel, scheduled_message_id: message_id })
    return true
  } catch (error) {
    if (codeOf(error) === 'invalid_scheduled_message_id') return false
    throw error
  }
}

/** Slack's word for why it said no. */
export const codeOf = (error: unknown): string | undefined =>
  (error as Partial<WebAPIPlatformError>).data?.error
