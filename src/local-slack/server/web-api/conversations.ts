import { type ChannelKind, channelRecord, directChannel, joinChannel, maySee } from '../workspace/channels.ts'
import { anyText, flag, list, paging, text } from './args.ts'
import { findToRead, scopeFor, scopesToRead } from './channel-access.ts'
import { method, refuse } from './method.ts'
import { pageOf } from './pages.ts'

const KINDS: Record<string, ChannelKind> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
}

export const conversationMethods = [
  method('conversations.list', {
    tier: 2,
    scopes: scopesToRead('read'),
    args: { types: list, exclude_archived: flag, ...paging(100) },
    faults: { limit: 'invalid_limit' },
    run: ({ slack, caller, args }) => {
      const types = args.types ?? ['public_channel']
      if (!types.every((type) => Object.hasOwn(KINDS, type))) return refuse('invalid_types')
      const kinds = types.map((type) => KINDS[type])
      const needed = kinds.map((kind) => scopeFor(kind as ChannelKind, 'read'))
      const lacking = needed.filter((scope) => !caller.scopes.includes(scope))
      if (lacking.length)
        return refuse('missing_scope', { needed: lacking.join(','), provided: caller.scopes.join(',') })
      const seen = [...slack.channels.values()].filter(
        (channel) =>
          kinds.includes(channel.kind) &&
          maySee(slack, channel, caller.user) &&
          !(args.exclude_archived && channel.archived),
      )
      const page = pageOf(seen, args)
      if ('refusal' in page) return page.refusal
      return {
        ok: true,
        channels: page.items.map((channel) => channelRecord(slack, channel, caller.user)),
        response_metadata: { next_cursor: page.next_cursor },
      }
    },
  }),

  method('conversations.info', {
    tier: 3,
    scopes: scopesToRead('read'),
    args: { channel: text, include_num_members: flag },
    run: ({ slack, caller, args }) => {
      const found = findToRead(slack, caller, args.channel, 'read')
      if ('refusal' in found) return found.refusal
      const { num_members, ...channel } = channelRecord(slack, found.channel, caller.user)
      return { ok: true, channel: args.include_num_members ? { ...channel, num_members } : channel }
    },
  }),

  method('conversations.members', {
    tier: 4,
    scopes: scopesToRead('read'),
    args: { channel: text, ...paging(100) },
    faults: { limit: 'invalid_limit' },
    run: ({ slack, caller, args }) => {
      const found = findToRead(slack, caller, args.channel, 'read')
      if ('refusal' in found) return found.refusal
      const page = pageOf([...found.channel.members], args)
      if ('refusal' in page) return page.refusal
      return { ok: true, members: page.items, response_metadata: { next_cursor: page.next_cursor } }
    },
  }),

  method('conversations.open', {
    tier: 3,
    scopes: ['im:write', 'mpim:write'],
    args: { users: list, channel: anyText.optional(), return_im: flag },
    run: ({ slack, caller, args }) => {
      if (args.channel) {
        const channel = slack.channels.get(args.channel)
        if (!channel?.members.has(caller.user)) return refuse('channel_not_found')
        return { ok: true, no_op: true, already_open: true, channel: { id: channel.id } }
      }
      if (!args.users?.length) return refuse('users_list_not_supplied')
      if (args.users.length > 8) return refuse('too_many_users')
      const needed = args.users.length > 1 ? 'mpim:write' : 'im:write'
      if (!caller.scopes.includes(needed))
        return refuse('missing_scope', { needed, provided: caller.scopes.join(',') })
      if (args.users.some((user) => !slack.people.has(user))) return refuse('user_not_found')
      const before = slack.channels.size
      const channel = directChannel(slack, [caller.user, ...args.users], caller.user)
      const there = slack.channels.size === before && { no_op: true, already_open: true }
      return {
        ok: true,
        ...there,
        channel: args.return_im ? channelRecord(slack, channel, caller.user) : { id: channel.id },
      }
    },
  }),

  method('conversations.join', {
    tier: 3,
    scopes: ['channels:join'],
    args: { channel: text },
    run: ({ slack, caller, args }) => {
      const channel = slack.channels.get(args.channel)
      if (!channel || !maySee(slack, channel, caller.user)) return refuse('channel_not_found')
      if (channel.kind !== 'public') return refuse('method_not_supported_for_channel_type')
      if (channel.archived) return refuse('is_archived')
      const warning = 'already_in_channel'
      const there = channel.members.has(caller.user) && {
        warning,
        response_metadata: { warnings: [warning] },
      }
      joinChannel(slack, channel, caller.user)
      return { ok: true, channel: channelRecord(slack, channel, caller.user), ...there }
    },
  }),
]
