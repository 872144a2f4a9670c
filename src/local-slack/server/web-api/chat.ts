import { isTextTooLong, readMessageContent } from '../content/read-message.ts'
import { activeMembers, canSee } from '../workspace/channels.ts'
import type { Channel } from '../workspace/entities.ts'
import {
  addMessage,
  changeMessage,
  findPublicMessage,
  messageRecord,
  removeMessage,
} from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { anyText, contentArgs, flag, json, text } from './args.ts'
import { findPostableChannel, findReadableChannel, findWritableChannel } from './channel-access.ts'
import {
  type ApiResponse,
  type Caller,
  defineMethod,
  errorResponse,
  invalidBlocksResponse,
  truncationWarning,
} from './method.ts'

const scopes = ['chat:write']

type AppearanceArgs = {
  username?: string | undefined
  icon_url?: string | undefined
  icon_emoji?: string | undefined
}

/** The bot's name and icon, which it can change with the scope chat:write.customize. */
function appIdentityFor(caller: Caller, { username, icon_url, icon_emoji }: AppearanceArgs) {
  if (caller.kind !== 'bot') return {}
  if (!caller.scopes.includes('chat:write.customize')) return { appIdentity: {} }
  const icons = icon_emoji ? { emoji: icon_emoji } : icon_url ? { image_64: icon_url } : undefined
  return {
    appIdentity: { ...(username && { username }), ...(icons && { icons }) },
    ...((username || icons) && { subtype: 'bot_message' }),
  }
}

/** Slack's limit for chat.update; a new message may be ten times as long. */
const MAX_UPDATE_TEXT_LENGTH = 4000

export const chatMethods = [
  defineMethod('chat.postMessage', {
    tier: 'one per second and channel',
    scopes,
    args: {
      channel: text,
      ...contentArgs,
      thread_ts: anyText.optional(),
      reply_broadcast: flag,
      username: anyText.optional(),
      icon_url: anyText.optional(),
      icon_emoji: anyText.optional(),
      metadata: json.optional(),
    },
    run: async ({ slack, caller, args }) => {
      const found = findPostableChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      const { messages_tab_enabled } = slack.app.manifest.features.app_home
      if (found.channel.kind === 'im' && caller.kind === 'bot' && !messages_tab_enabled)
        return errorResponse('messages_tab_disabled')
      const content = await readMessageContent(slack, args)
      if ('error' in content) return invalidBlocksResponse(content)
      if (args.thread_ts && !findPublicMessage(found.channel, args.thread_ts))
        return errorResponse('thread_not_found')
      const message = addMessage(slack, found.channel, {
        user: caller.user,
        ...appIdentityFor(caller, args),
        ...content.valid,
        ...(args.thread_ts && { thread_ts: args.thread_ts }),
        ...(args.thread_ts && args.reply_broadcast && { subtype: 'thread_broadcast' }),
        ...(args.metadata ? { metadata: args.metadata } : {}),
      })
      const { ts, channel } = message
      return {
        ok: true,
        channel,
        ts,
        message: messageRecord(slack, message),
        ...(isTextTooLong(args.text) && truncationWarning),
      }
    },
  }),

  defineMethod('chat.postEphemeral', {
    tier: 4,
    scopes,
    args: { channel: text, user: text, ...contentArgs, thread_ts: anyText.optional() },
    run: async ({ slack, caller, args }) => {
      const found = findWritableChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      if (!activeMembers(slack, found.channel).includes(args.user))
        return errorResponse('user_not_in_channel')
      const content = await readMessageContent(slack, args)
      if ('error' in content) return invalidBlocksResponse(content)
      const message = addMessage(slack, found.channel, {
        user: caller.user,
        appIdentity: {},
        visibleTo: args.user,
        ...content.valid,
        ...(args.thread_ts && { thread_ts: args.thread_ts }),
      })
      return { ok: true, message_ts: message.ts }
    },
  }),

  defineMethod('chat.update', {
    tier: 3,
    scopes,
    args: { channel: text, ts: text, ...contentArgs, metadata: json.optional() },
    run: async ({ slack, caller, args }) => {
      const own = findOwnMessage(slack, caller, args)
      if ('errorResponse' in own) return own.errorResponse
      const { text, blocks, attachments, markdown_text } = args
      if ([text, blocks, attachments, markdown_text].every((value) => value === undefined))
        return errorResponse('no_text')
      if ([...(text ?? '')].length > MAX_UPDATE_TEXT_LENGTH) return errorResponse('msg_too_long')
      // If only the attachments change, text and blocks stay.
      const keepsText = blocks === undefined && text === undefined
      const content = await readMessageContent(
        slack,
        keepsText ? { ...args, text: own.message.text, blocks: own.message.blocks } : args,
      )
      if ('error' in content) return invalidBlocksResponse(content)
      // The message may have been changed or deleted while its images were checked.
      const current = findOwnMessage(slack, caller, args)
      if ('errorResponse' in current) return current.errorResponse
      const message = changeMessage(slack, current.channel, current.message, {
        ...content.valid,
        edited: { user: caller.user, ts: slack.ids.ts() },
        ...(args.metadata ? { metadata: args.metadata } : {}),
      })
      const { channel, ts } = message
      return { ok: true, channel, ts, text: message.text, message: messageRecord(slack, message) }
    },
  }),

  defineMethod('chat.delete', {
    tier: 3,
    scopes,
    args: { channel: text, ts: text },
    run: ({ slack, caller, args }) => {
      const own = findOwnMessage(slack, caller, args)
      if ('errorResponse' in own)
        return own.errorResponse.error === 'cant_update_message'
          ? errorResponse('cant_delete_message')
          : own.errorResponse
      removeMessage(slack, own.channel, own.message)
      return { ok: true, channel: own.channel.id, ts: args.ts }
    },
  }),

  defineMethod('chat.getPermalink', {
    tier: 'special',
    args: { channel: text, message_ts: text },
    run: ({ slack, caller, args }) => {
      const found = findReadableChannel(slack, { ...caller, scopes: ALL_READ_SCOPES }, args.channel, 'read')
      if ('errorResponse' in found) return found.errorResponse
      const message = findPublicMessage(found.channel, args.message_ts)
      if (!message) return errorResponse('message_not_found')
      return {
        ok: true,
        channel: found.channel.id,
        permalink: createPermalink(slack, found.channel, message),
      }
    },
  }),
]

/** Permalinks need no scope. */
const ALL_READ_SCOPES = ['channels:read', 'groups:read', 'im:read', 'mpim:read']

function createPermalink(
  { url }: Slack,
  { id }: Channel,
  { ts, thread_ts }: { ts: string; thread_ts?: string },
) {
  const threadQuery = thread_ts && thread_ts !== ts ? `?thread_ts=${thread_ts}&cid=${id}` : ''
  return `${url}/archives/${id}/p${ts.replace('.', '')}${threadQuery}`
}

/** Finds a message that the caller may change. */
function findOwnMessage(
  slack: Slack,
  caller: Caller,
  { channel: id, ts }: { channel: string; ts: string },
):
  | { channel: Channel; message: NonNullable<ReturnType<typeof findPublicMessage>> }
  | { errorResponse: ApiResponse } {
  const channel = slack.channels.get(id)
  if (!channel || !canSee(slack, channel, caller.user))
    return { errorResponse: errorResponse('channel_not_found') }
  const message = findPublicMessage(channel, ts)
  if (!message) return { errorResponse: errorResponse('message_not_found') }
  return message.user === caller.user
    ? { channel, message }
    : { errorResponse: errorResponse('cant_update_message') }
}
