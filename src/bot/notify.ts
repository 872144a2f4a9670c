import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../runtime.ts'
import { slackErrorCode } from './errors.ts'
import { type Button, buttonRow, context, type Reply, section } from './message-blocks.ts'

type SlackSender = { client: WebClient; fetch: Runtime['fetch'] }

type Destination = {
  user: string
  channel: string | undefined
  response_url?: string | undefined
}

/** Good news for the user, optionally also for their channel, with buttons for the next steps. */
export type Announcement = { reply: Reply; channelReply?: Reply | undefined; nextActions: Button[] }

/** Replies in the user's channel, visibly only to them, or else in a direct message. */
export async function notifyUser(sender: SlackSender, destination: Destination, reply: Reply): Promise<void> {
  const { client } = sender
  const { user, channel } = destination
  if (await postToResponseUrl(sender, destination, { ...reply, response_type: 'ephemeral' })) return
  const posted =
    channel &&
    (await client.chat.postEphemeral({ channel, user, ...messageOf(reply) }).catch(() => undefined))
  if (!posted) await client.chat.postMessage({ channel: user, ...messageOf(reply) })
}

/** If the channel can't be told, the user gets the whole announcement and the reason. */
export async function announce(
  sender: SlackSender,
  destination: Destination,
  { reply, channelReply, nextActions }: Announcement,
): Promise<void> {
  const { channel } = destination
  const { text, blocks = [] } = reply
  const buttons = buttonRow(...nextActions)
  if (!channelReply || !channel)
    return notifyUser(sender, destination, { text, blocks: [...blocks, ...buttons] })
  const problem = await postToChannel(sender, destination, channel, channelReply)
  if (!problem) {
    const confirmation = `Posted in <#${channel}>.`
    return notifyUser(sender, destination, {
      text: confirmation,
      blocks: [section(confirmation), ...buttons],
    })
  }
  const explanation = context(`Couldn't post in <#${channel}>: ${problem}`)
  return notifyUser(sender, destination, { text, blocks: [explanation, ...blocks, ...buttons] })
}

/** Returns why the message could not be posted. */
async function postToChannel(
  sender: SlackSender,
  destination: Destination,
  channel: string,
  reply: Reply,
): Promise<string | undefined> {
  if (await postToResponseUrl(sender, destination, { ...reply, response_type: 'in_channel' }))
    return undefined
  return sender.client.chat.postMessage({ channel, ...messageOf(reply) }).then(
    () => undefined,
    (error) => explainSlackError(slackErrorCode(error)),
  )
}

/** Slack's SDK requires that absent blocks are left out. */
export const messageOf = ({ text, blocks }: Reply) => (blocks ? { text, blocks } : { text })

type ResponseUrlMessage = Reply & { response_type: 'ephemeral' | 'in_channel' }

const RESPONSE_URL_TIMEOUT_MS = 5000

async function postToResponseUrl(
  { fetch: send }: SlackSender,
  { response_url }: Destination,
  message: ResponseUrlMessage,
): Promise<boolean> {
  if (!response_url) return false
  const response = await send(response_url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, replace_original: false }),
    signal: AbortSignal.timeout(RESPONSE_URL_TIMEOUT_MS),
  }).catch(() => undefined)
  return response?.ok ?? false
}

function explainSlackError(code: string | undefined): string {
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return "Upnext isn't in the channel. `/invite` it there first."
  if (code === 'is_archived') return 'the channel is archived.'
  return `Slack didn't accept the message${code ? ` (${code})` : ''}.`
}
