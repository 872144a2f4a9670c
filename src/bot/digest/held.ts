import type { WebClient } from '@slack/web-api'
import type { DigestRun } from '../../store/digest-runs.ts'
import type { Digest } from '../../store/digests.ts'

type In = Pick<Digest, 'id' | 'channel_id'>

/** The list of what Slack holds for later shows text, and so the text has a mark. */
export const markOf = ({ digest_id, day }: Pick<DigestRun, 'digest_id' | 'day'>) =>
  `[${digest_id.slice(0, 8)} ${day}]`

const PAGE = 100

/** What Slack holds of a digest, by its marks. */
export async function listHeld(
  client: WebClient,
  { id, channel_id }: In,
): Promise<{ id: string; text: string }[]> {
  const found: { id: string; text: string }[] = []
  let cursor: string | undefined
  do {
    const { scheduled_messages: held = [], response_metadata } = await client.chat.scheduledMessages.list({
      channel: channel_id,
      limit: PAGE,
      ...(cursor && { cursor }),
    })
    for (const { id: message_id, text = '' } of held)
      if (message_id && text.includes(`[${id.slice(0, 8)} `)) found.push({ id: message_id, text })
    cursor = response_metadata?.next_cursor
  } while (cursor)
  return found
}

export async function findHeld(client: WebClient, digest: In, run: DigestRun): Promise<string | undefined> {
  const held = await listHeld(client, digest)
  return held.find(({ text }) => text.includes(markOf(run)))?.id
}

/** False where it is too late: within its last minute Slack keeps it. */
export const deleteHeld = (client: WebClient, { channel_id }: In, message_id: string): Promise<boolean> =>
  client.chat.deleteScheduledMessage({ channel: channel_id, scheduled_message_id: message_id }).then(
    () => true,
    () => false,
  )
