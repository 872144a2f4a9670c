import { activeMembers, canSee, channelRecord, getDirectChannel, joinChannel } from '../workspace/channels.ts'
import type { Channel, ChannelKind } from '../workspace/entities.ts'
import { anyText, commaSeparatedList, flag, pagingArgs, text } from './args.ts'
import { findReadableChannel, scopeFor, scopesToRead } from './channel-access.ts'
import { type ApiResponse, type Call, defineMethod, errorResponse, missingScopeResponse } from './method.ts'
import { takePage } from './paging.ts'

const CHANNEL_KINDS: Record<string, ChannelKind> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
}

export const conversationMethods = [
  defineMethod('conversations.list', {
    tier: 2,
    scopes: scopesToRead('read'),
    args: { types: commaSeparatedList, exclude_archived: flag, ...pagingArgs(100) },
    argErrors: { limit: 'invalid_limit' },
    run: (call) => listChannels(call, (channel) => canSee(call.slack, channel, call.caller.user)),
  }),

  defineMethod('users.conversations', {
    tier: 3,
    scopes: scopesToRead('read'),
    args: { user: anyText.optional(), types: commaSeparatedList, exclude_archived: flag, ...pagingArgs(100) },
    argErrors: { limit: 'invalid_limit' },
    run: (call) => {
      const { slack, caller, args } = call
      const user = args.user ?? caller.user
      if (!slack.users.has(user)) return errorResponse('user_not_found')
      return listChannels(call, (channel) => channel.members.has(user) && canSee(slack, channel, caller.user))
    },
  }),

  defineMethod('conversations.info', {
    tier: 3,
    scopes: scopesToRead('read'),
    args: { channel: text, include_num_members: flag },
    run: ({ slack, caller, args }) => {
      const found = findReadableChannel(slack, caller, args.channel, 'read')
      if ('errorResponse' in found) return found.errorResponse
      const { num_members, ...channel } = channelRecord(slack, found.channel, caller.user)
      return { ok: true, channel: args.include_num_members ? { ...channel, num_members } : channel }
    },
  }),

  defineMethod('conversations.members', {
    tier: 4,
    scopes: scopesToRead('read'),
    args: { channel: text, ...pagingArgs(100) },
    argErrors: { limit: 'invalid_limit' },
    run: ({ slack, caller, args }) => {
      const found = findReadableChannel(slack, caller, args.channel, 'read')
      if ('errorResponse' in found) return found.errorResponse
      const page = takePage(activeMembers(slack, found.channel), args)
      if ('errorResponse' in page) return page.errorResponse
      return { ok: true, members: page.items, response_metadata: { next_cursor: page.next_cursor } }
    },
  }),

  defineMethod('conversations.open', {
    tier: 3,
    scopes: ['im:write', 'mpim:write'],
    args: { users: commaSeparatedList, channel: anyText.optional(), return_im: flag },
    run: ({ slack, caller, args }) => {
      if (args.channel) {
        const channel = slack.channels.get(args.channel)
        if (!channel?.members.has(caller.user)) return errorResponse('channel_not_found')
        return { ok: true, no_op: true, already_open: true, channel: { id: channel.id } }
      }
      if (!args.users?.length) return errorResponse('users_list_not_supplied')
      if (args.users.length > 8) return errorResponse('too_many_users')
      const neededScope = args.users.length > 1 ? 'mpim:write' : 'im:write'
      if (!caller.scopes.includes(neededScope)) return missingScopeResponse(neededScope, caller)
      if (args.users.some((user) => !slack.users.has(user))) return errorResponse('user_not_found')
      if (args.users.some((user) => slack.users.get(user)?.isDeactivated))
        return errorResponse('user_disabled')
      const channelCount = slack.channels.size
      const channel = getDirectChannel(slack, [caller.user, ...args.users], caller.user)
      const alreadyOpen = slack.channels.size === channelCount && { no_op: true, already_open: true }
      return {
        ok: true,
        ...alreadyOpen,
        channel: args.return_im ? channelRecord(slack, channel, caller.user) : { id: channel.id },
      }
    },
  }),

  defineMethod('conversations.join', {
    tier: 3,
    scopes: ['channels:join'],
    args: { channel: text },
    run: ({ slack, caller, args }) => {
      const channel = slack.channels.get(args.channel)
      if (!channel || !canSee(slack, channel, caller.user)) return errorResponse('channel_not_found')
      if (channel.kind !== 'public') return errorResponse('method_not_supported_for_channel_type')
      if (channel.archived) return errorResponse('is_archived')
      const warning = 'already_in_channel'
      const alreadyMember = channel.members.has(caller.user) && {
        warning,
        response_metadata: { warnings: [warning] },
      }
      joinChannel(slack, channel, caller.user)
      return { ok: true, channel: channelRecord(slack, channel, caller.user), ...alreadyMember }
    },
  }),
]

type ListArgs = Parameters<typeof takePage>[1] & {
  types?: string[] | undefined
  exclude_archived?: boolean | undefined
}

function listChannels(
  { slack, caller, args }: Call<ListArgs>,
  isListed: (channel: Channel) => boolean,
): ApiResponse {
  const types = args.types ?? ['public_channel']
  if (!types.every((type) => Object.hasOwn(CHANNEL_KINDS, type))) return errorResponse('invalid_types')
  const kinds = types.map((type) => CHANNEL_KINDS[type])
  const missingScopes = kinds
    .map((kind) => scopeFor(kind as ChannelKind, 'read'))
    .filter((scope) => !caller.scopes.includes(scope))
  if (missingScopes.length) return missingScopeResponse(missingScopes.join(','), caller)
  const channels = [...slack.channels.values()].filter(
    (channel) =>
      kinds.includes(channel.kind) && isListed(channel) && !(args.exclude_archived && channel.archived),
  )
  const page = takePage(channels, args)
  if ('errorResponse' in page) return page.errorResponse
  return {
    ok: true,
    channels: page.items.map((channel) => channelRecord(slack, channel, caller.user)),
    response_metadata: { next_cursor: page.next_cursor },
  }
}
