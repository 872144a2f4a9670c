import { isTooLong, readContent } from '../given/message.ts'
import { type Channel, maySee } from '../workspace/channels.ts'
import { addMessage, changeMessage, messageAt, messageRecord, removeMessage } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { anyText, flag, json, text } from './args.ts'
import { findPlace, findToRead, findToWrite } from './channel-access.ts'
import { contentArgs } from './content-args.ts'
import { type Answer, type Caller, method, refuse, refuseBlocks, truncated } from './method.ts'

const scopes = ['chat:write']

type Guise = { username?: string | undefined; icon_url?: string | undefined; icon_emoji?: string | undefined }

/** The app's own look, or another where it may take one. */
function guiseOf(caller: Caller, { username, icon_url, icon_emoji }: Guise) {
  if (caller.kind !== 'bot') return {}
  if (!caller.scopes.includes('chat:write.customize')) return { byApp: {} }
  const icons = icon_emoji ? { emoji: icon_emoji } : icon_url ? { image_64: icon_url } : undefined
  return {
    byApp: { ...(username && { username }), ...(icons && { icons }) },
    ...((username || icons) && { subtype: 'bot_message' }),
  }
}

/** A new message may be ten times as long. */
const LONGEST_UPDATE = 4000

export const chatMethods = [
  method('chat.postMessage', {
    tier: 'a second in a channel',
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
    run: async ({ slack, judge, caller, args }) => {
      const place = findPlace(slack, caller, args.channel)
      if ('refusal' in place) return place.refusal
      const { messages_tab_enabled } = slack.app.manifest.features.app_home
      if (place.channel.kind === 'im' && caller.kind === 'bot' && !messages_tab_enabled)
        return refuse('messages_tab_disabled')
      const read = await readContent({ slack, judge }, args)
      if ('error' in read) return refuseBlocks(read)
      if (args.thread_ts && !messageAt(place.channel, args.thread_ts)) return refuse('thread_not_found')
      const message = addMessage(slack, place.channel, {
        user: caller.user,
        ...guiseOf(caller, args),
        ...read.passed,
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
        ...(isTooLong(args.text) && truncated),
      }
    },
  }),

  method('chat.postEphemeral', {
    tier: 4,
    scopes,
    args: { channel: text, user: text, ...contentArgs, thread_ts: anyText.optional() },
    run: async ({ slack, judge, caller, args }) => {
      const place = findToWrite(slack, caller, args.channel)
      if ('refusal' in place) return place.refusal
      if (!place.channel.members.has(args.user)) return refuse('user_not_in_channel')
      const read = await readContent({ slack, judge }, args)
      if ('error' in read) return refuseBlocks(read)
      const message = addMessage(slack, place.channel, {
        user: caller.user,
        byApp: {},
        only: args.user,
        ...read.passed,
        ...(args.thread_ts && { thread_ts: args.thread_ts }),
      })
      return { ok: true, message_ts: message.ts }
    },
  }),

  method('chat.update', {
    tier: 3,
    scopes,
    args: { channel: text, ts: text, ...contentArgs, metadata: json.optional() },
    run: async ({ slack, judge, caller, args }) => {
      const own = findOwn(slack, caller, args)
      if ('refusal' in own) return own.refusal
      const named = [args.text, args.blocks, args.attachments, args.markdown_text]
      if (named.every((one) => one === undefined)) return refuse('no_text')
      if ([...(args.text ?? '')].length > LONGEST_UPDATE) return refuse('msg_too_long')
      // Where attachments alone are changed, what is said stays.
      const { text, blocks } = own.message
      const given = args.blocks === undefined && args.text === undefined ? { ...args, text, blocks } : args
      const read = await readContent({ slack, judge }, given)
      if ('error' in read) return refuseBlocks(read)
      // It may have gone, or changed, while an image was looked for.
      const present = findOwn(slack, caller, args)
      if ('refusal' in present) return present.refusal
      const message = changeMessage(slack, present.channel, present.message, {
        ...read.passed,
        edited: { user: caller.user, ts: slack.ids.ts() },
        ...(args.metadata ? { metadata: args.metadata } : {}),
      })
      const { channel, ts } = message
      return { ok: true, channel, ts, text: message.text, message: messageRecord(slack, message) }
    },
  }),

  method('chat.delete', {
    tier: 3,
    scopes,
    args: { channel: text, ts: text },
    run: ({ slack, caller, args }) => {
      const own = findOwn(slack, caller, args)
      if ('refusal' in own)
        return own.refusal.error === 'cant_update_message' ? refuse('cant_delete_message') : own.refusal
      removeMessage(slack, own.channel, own.message)
      return { ok: true, channel: own.channel.id, ts: args.ts }
    },
  }),

  method('chat.getPermalink', {
    tier: 'special',
    args: { channel: text, message_ts: text },
    run: ({ slack, caller, args }) => {
      const found = findToRead(slack, { ...caller, scopes: ALL_READ }, args.channel, 'read')
      if ('refusal' in found) return found.refusal
      const message = messageAt(found.channel, args.message_ts)
      if (!message) return refuse('message_not_found')
      return { ok: true, channel: found.channel.id, permalink: permalink(slack, found.channel, message) }
    },
  }),
]

/** Whoever sees a channel may link to it. */
const ALL_READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read']

function permalink({ url }: Slack, { id }: Channel, { ts, thread_ts }: { ts: string; thread_ts?: string }) {
  const inThread = thread_ts && thread_ts !== ts ? `?thread_ts=${thread_ts}&cid=${id}` : ''
  return `${url}/archives/${id}/p${ts.replace('.', '')}${inThread}`
}

function findOwn(
  slack: Slack,
  caller: Caller,
  { channel: id, ts }: { channel: string; ts: string },
): { channel: Channel; message: NonNullable<ReturnType<typeof messageAt>> } | { refusal: Answer } {
  const channel = slack.channels.get(id)
  if (!channel || !maySee(slack, channel, caller.user)) return { refusal: refuse('channel_not_found') }
  const message = messageAt(channel, ts)
  if (!message) return { refusal: refuse('message_not_found') }
  return message.user === caller.user ? { channel, message } : { refusal: refuse('cant_update_message') }
}
