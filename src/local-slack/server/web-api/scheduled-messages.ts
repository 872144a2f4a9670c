import { isTooLong, readContent } from '../given/message.ts'
import { botProfile } from '../workspace/messages.ts'
import { deleteScheduled, scheduleMessage } from '../workspace/scheduled-messages.ts'
import { anyText, json, paging, text, whole } from './args.ts'
import { findToWrite } from './channel-access.ts'
import { contentArgs } from './content-args.ts'
import { method, refuse, refuseBlocks, truncated } from './method.ts'
import { pageOf } from './pages.ts'

export const scheduledMessageMethods = [
  method('chat.scheduleMessage', {
    tier: 3,
    scopes: ['chat:write'],
    args: {
      channel: text,
      post_at: whole,
      ...contentArgs,
      thread_ts: anyText.optional(),
      metadata: json.optional(),
    },
    faults: { post_at: 'invalid_time' },
    run: async ({ slack, judge, caller, args }) => {
      const place = findToWrite(slack, caller, args.channel)
      if ('refusal' in place) return place.refusal
      const read = await readContent({ slack, judge }, args)
      if ('error' in read) return refuseBlocks(read)
      const result = scheduleMessage(slack, {
        channel: place.channel.id,
        post_at: args.post_at,
        ...read.passed,
        ...(args.thread_ts && { thread_ts: args.thread_ts }),
        hasMetadata: Boolean(args.metadata),
      })
      if ('refusal' in result) return refuse(result.refusal)
      const { id, channel, post_at } = result.scheduled
      const { app, team } = slack
      const author = {
        type: 'delayed_message',
        user: app.botUser,
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
        message: { ...read.passed, ...author },
        ...(isTooLong(args.text) && truncated),
      }
    },
  }),

  method('chat.scheduledMessages.list', {
    tier: 3,
    args: {
      channel: anyText.optional(),
      oldest: whole.optional(),
      latest: whole.optional(),
      ...paging(100),
    },
    run: ({ slack, args }) => {
      if (args.channel && !slack.channels.has(args.channel)) return refuse('invalid_channel')
      const { oldest = 0, latest = Number.POSITIVE_INFINITY } = args
      const waiting = [...slack.scheduledMessages.values()]
        .filter(({ channel }) => !args.channel || channel === args.channel)
        .filter(({ post_at }) => post_at >= oldest && post_at <= latest)
        .map(({ id, channel, post_at, date_created, text }) => ({
          id,
          channel_id: channel,
          post_at,
          date_created,
          text,
        }))
      const page = pageOf(waiting, args)
      if ('refusal' in page) return page.refusal
      return {
        ok: true,
        scheduled_messages: page.items,
        response_metadata: { next_cursor: page.next_cursor },
      }
    },
  }),

  method('chat.deleteScheduledMessage', {
    tier: 3,
    scopes: ['chat:write'],
    args: { channel: text, scheduled_message_id: text },
    run: ({ slack, args }) => {
      if (!slack.channels.has(args.channel)) return refuse('channel_not_found')
      const gone = deleteScheduled(slack, args.channel, args.scheduled_message_id)
      return gone ? { ok: true } : refuse('invalid_scheduled_message_id')
    },
  }),
]
