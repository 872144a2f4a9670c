import type { KnownBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { UserKey } from '../database/tables.ts'
import { type Actor, isChannelId } from './actor.ts'
import type { Bot } from './bot.ts'
import { type Button, buttonRow, context, type Reply, textReply } from './message-blocks.ts'
import { explainPostingError, isSlackInternalError, slackErrorCode } from './slack-errors.ts'

/** The confirmation of a success for the user and optionally their channel, with buttons for the next steps. */
export type Announcement = {
  reply: Reply
  channelReply?: Reply | undefined
  nextActions: Button[]
  /** Warnings that only the user sees, not the channel. */
  notes?: KnownBlock[]
  onPosted?: OnPosted | undefined
}

/** Called with each message that can be updated later. */
export type OnPosted = (user: UserKey, message: PostedMessage) => Promise<void>

export type PostedMessage = { channel: string | undefined; ts: string | undefined }

type Notify = (bot: Bot, actor: Actor, reply: Reply, onPosted?: OnPosted) => Promise<void>

/** Replies to a user who has just done something: visible only to them in their channel, or else in a direct message. */
export const notifyUser: Notify = async (bot, actor, reply, onPosted) => {
  const { client, user_id: user, channel_id: channel } = actor
  if (
    await postToResponseUrl(bot, actor, {
      ...reply,
      response_type: 'ephemeral',
      replace_original: actor.replaces_original ?? false,
    })
  )
    return
  const posted =
    channel &&
    (await client.chat.postEphemeral({ channel, user, ...messageOf(reply) }).catch(() => undefined))
  if (!posted) await notifyByDirectMessage(bot, actor, reply, onPosted)
}

/** Sends a direct message, because Slack doesn't guarantee that an ephemeral message reaches a user who is away. */
export const notifyByDirectMessage: Notify = async (bot, actor, reply, onPosted) => {
  const { client, user_id: user, progress } = actor
  if (progress && (await replaceProgress(bot, actor, progress, reply))) {
    await onPosted?.(actor, progress)
    await showInChannel(bot, actor, reply)
    return
  }
  const { channel, ts } = await client.chat.postMessage({ channel: user, ...messageOf(reply) })
  await onPosted?.(actor, { channel, ts })
}

/** The user waits for their upload in this channel, and might not look at their direct messages. */
async function showInChannel(
  { log }: Bot,
  { client, user_id: user, channel_id: channel }: Actor,
  reply: Reply,
) {
  if (!isChannelId(channel)) return
  await client.chat
    .postEphemeral({ channel, user, ...messageOf(reply) })
    .catch((err) => log.warn({ err, user }, 'Failed to show the outcome of an upload in its channel'))
}

/** Returns false if the message can't be updated. */
async function replaceProgress(
  { log }: Bot,
  { client }: Actor,
  progress: { channel: string; ts: string },
  { text, blocks = [] }: Reply,
): Promise<boolean> {
  try {
    await client.chat.update({ ...progress, text, blocks })
    return true
  } catch (err) {
    const code = slackErrorCode(err)
    // The problem may be temporary, so the caller tries again.
    if (code === undefined || code === 'ratelimited' || isSlackInternalError(err)) throw err
    log.warn({ err }, 'Failed to update the progress message of an upload')
    return false
  }
}

/** If the bot can't post in the channel, the user gets the whole announcement and the reason. */
export async function notifyUserAndChannel(
  bot: Bot,
  actor: Actor,
  announcement: Announcement,
  notify: Notify = notifyUser,
): Promise<void> {
  const { reply, channelReply, nextActions, notes = [], onPosted } = announcement
  const { channel_id: channel } = actor
  const { text, blocks = [] } = reply
  const buttons = buttonRow(...nextActions)
  const isForChannel = channelReply && channel
  const problem =
    isForChannel && (await postToChannel(bot, actor, { channel, reply: channelReply, onPosted }))
  if (!isForChannel || problem) {
    const explanation = problem ? [context(`Couldn't post in <#${channel}>: ${problem}`)] : []
    const shown = [...explanation, ...insertNotes(blocks, notes), ...buttons]
    return notify(bot, actor, { text, blocks: shown }, onPosted)
  }
  const confirmation = textReply(`Posted in <#${channel}>.`, ...notes, ...buttons)
  // The message is already in the channel. Throwing an error would make the caller post it again.
  await notify(bot, actor, confirmation).catch((err) =>
    bot.log.warn(
      { err, user: actor.user_id },
      'Failed to confirm to a user that an announcement was posted in the channel',
    ),
  )
}

/** Puts the notes above the buttons at the end of a message. */
function insertNotes(blocks: KnownBlock[], notes: KnownBlock[]): KnownBlock[] {
  const end = blocks.at(-1)?.type === 'actions' ? blocks.length - 1 : blocks.length
  return [...blocks.slice(0, end), ...notes, ...blocks.slice(end)]
}

/** Slack's codes for a channel that the bot isn't in. */
const UNREACHABLE_CODES = ['not_in_channel', 'channel_not_found']

type ChannelMessage = { channel: string; reply: Reply; onPosted: OnPosted | undefined }

/** Returns the problem, if any. The response URL is the second choice, because a message sent there can't be updated. */
async function postToChannel(bot: Bot, actor: Actor, { channel, reply, onPosted }: ChannelMessage) {
  try {
    const { ts } = await actor.client.chat.postMessage({ channel, ...messageOf(reply) })
    await onPosted?.(actor, { channel, ts })
    return undefined
  } catch (error) {
    const code = slackErrorCode(error)
    // After any other error, the message may be in the channel, so it isn't sent again.
    const isUnreachable = code !== undefined && UNREACHABLE_CODES.includes(code)
    if (
      isUnreachable &&
      (await postToResponseUrl(bot, actor, {
        ...reply,
        response_type: 'in_channel',
        replace_original: false,
      }))
    )
      return undefined
    return explainPostingError(code)
  }
}

/** Slack's SDK requires that absent blocks are left out. */
export const messageOf = ({ text, blocks }: Reply) => (blocks ? { text, blocks } : { text })

type MessagePlace = { channel: string | null; ts: string | null }

/** Updates a message or, if there is none yet, posts it. Returns where it is. */
export async function postOrUpdate(
  client: WebClient,
  recipient: string,
  { channel, ts }: MessagePlace,
  reply: Reply,
): Promise<MessagePlace> {
  if (channel && ts) {
    await client.chat.update({ channel, ts, blocks: [], ...messageOf(reply) })
    return { channel, ts }
  }
  const posted = await client.chat.postMessage({ channel: recipient, ...messageOf(reply) })
  return { channel: posted.channel ?? null, ts: posted.ts ?? null }
}

type ResponseUrlMessage = Reply & { response_type: 'ephemeral' | 'in_channel'; replace_original: boolean }

const RESPONSE_URL_TIMEOUT_MS = 5000

async function postToResponseUrl(bot: Bot, { response_url }: Actor, message: ResponseUrlMessage) {
  if (!response_url) return false
  const response = await bot
    .slackFetch(response_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(RESPONSE_URL_TIMEOUT_MS),
    })
    .catch(() => undefined)
  return response?.ok ?? false
}
