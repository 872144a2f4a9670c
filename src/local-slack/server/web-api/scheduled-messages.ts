import { isTextTooLong, readMessageContent } from '../content/read-message.ts'
import { botProfile } from '../workspace/messages.ts'
import { deleteScheduledMessage, scheduleMessage } from '../workspace/scheduled-messages.ts'
import { anyText, contentArgs, integer, json, pagingArgs, text } from './args.ts'
import { findPostableChannel } from './channel-access.ts'
import { defineMethod, errorResponse, invalidBlocksResponse, truncationWarning } from './method.ts'
import { takePage } from './paging.ts'

export const scheduledMessageMethods = [
  defineMethod('chat.scheduleMessage', {
    tier: 3,
    scopes: ['chat:write'],
    args: {
      channel: text,
      post_at: integer,
      ...contentArgs,
      thread_ts: anyText.optional(),
      metadata: json.optional(),
    },
    argErrors: { post_at: 'invalid_time' },
    run: async ({ slack, caller, args }) => {
      const found = findPostableChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      const content = await readMessageContent(slack, args)
      if ('error' in content) return invalidBlocksResponse(content)
      const result = scheduleMessage(slack, {
        channel: found.channel.id,
        post_at: args.post_at,
        ...content.valid,
        ...(args.thread_ts && { thread_ts: args.thread_ts }),
        hasMetadata: Boolean(args.metadata),
      })
      if ('error' in result) return errorResponse(result.error)
      const { id, channel, post_at } = result.scheduled
      const { app, team } = slack
      const author = {
        type: 'delayed_message',
        user: app.botUserId,
        bot_id: app.botId,
        app_id: app.id,
        team: team.id,
        bot_profile: botProfile(slack),
      }
      return {
        ok: true,
        scheduled_message_id: id,
        channel,
        post_at,
        message: { ...content.valid, ...author },
        ...(isTextTooLong(args.text) && truncationWarning),
      }
    },
  }),

  defineMethod('chat.scheduledMessages.list', {
    tier: 3,
    args: {
      channel: anyText.optional(),
      oldest: integer.optional(),
      latest: integer.optional(),
      ...pagingArgs(100),
    },
    run: ({ slack, args }) => {
      if (args.channel && !slack.channels.has(args.channel)) return errorResponse('invalid_channel')
      const { oldest = 0, latest = Number.POSITIVE_INFINITY } = args
      const scheduledMessages = [...slack.scheduledMessages.values()]
        .filter(({ channel }) => !args.channel || channel === args.channel)
        .filter(({ post_at }) => post_at >= oldest && post_at <= latest)
        .map(({ id, channel, post_at, date_created, text }) => ({
          id,
          channel_id: channel,
          post_at,
          date_created,
          text,
        }))
      const page = takePage(scheduledMessages, args)
      if ('errorResponse' in page) return page.errorResponse
      return {
        ok: true,
        scheduled_messages: page.items,
        response_metadata: { next_cursor: page.next_cursor },
      }
    },
  }),

  defineMethod('chat.deleteScheduledMessage', {
    tier: 3,
    scopes: ['chat:write'],
    args: { channel: text, scheduled_message_id: text },
    run: ({ slack, args }) => {
      if (!slack.channels.has(args.channel)) return errorResponse('channel_not_found')
      const isDeleted = deleteScheduledMessage(slack, args.channel, args.scheduled_message_id)
      return isDeleted ? { ok: true } : errorResponse('invalid_scheduled_message_id')
    },
  }),
]
