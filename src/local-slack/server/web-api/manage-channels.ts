import { z } from 'zod'
import {
  activeMembers,
  addChannel,
  canSee,
  changeChannel,
  channelRecord,
  joinChannel,
  leaveChannel,
} from '../workspace/channels.ts'
import type { Channel } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { commaSeparatedList, flag, text } from './args.ts'
import { type ApiResponse, type Caller, defineMethod, errorResponse, missingScopeResponse } from './method.ts'

/** The scopes that manage channels of each kind. Bots and users have different ones for public channels. */
const MANAGE_SCOPES: Record<'public' | 'private', string[]> = {
  public: ['channels:manage', 'channels:write'],
  private: ['groups:write'],
}
const INVITE_SCOPES = { public: 'channels:write.invites', private: 'groups:write.invites' }
const TOPIC_SCOPES = { public: 'channels:write.topic', private: 'groups:write.topic' }

const manageScopes = (additionalScopes?: typeof INVITE_SCOPES): string[] => [
  ...MANAGE_SCOPES.public,
  ...MANAGE_SCOPES.private,
  ...(additionalScopes ? Object.values(additionalScopes) : []),
]

const MAX_NAME_LENGTH = 80
const MAX_INVITED = 100
const MAX_TOPIC_LENGTH = 250

function findNameProblem(slack: Slack, name: string): string | undefined {
  if ([...name].length > MAX_NAME_LENGTH) return 'invalid_name_maxlength'
  if (!/[\p{L}\p{N}]/u.test(name)) return 'invalid_name_punctuation'
  if (!/^[\p{Ll}\p{Lo}\p{M}\p{N}_-]+$/u.test(name)) return 'invalid_name_specials'
  return [...slack.channels.values()].some((channel) => channel.name === name) ? 'name_taken' : undefined
}

type ManagedChannel = { channel: Channel } | { errorResponse: ApiResponse }

/** Finds a channel whose members the caller may change. */
function findManagedChannel(
  slack: Slack,
  caller: Caller,
  id: string,
  additionalScopes?: typeof INVITE_SCOPES,
): ManagedChannel {
  const channel = slack.channels.get(id)
  if (!channel || !canSee(slack, channel, caller.user))
    return { errorResponse: errorResponse('channel_not_found') }
  if (channel.kind === 'im' || channel.kind === 'mpim')
    return { errorResponse: errorResponse('method_not_supported_for_channel_type') }
  const scopes = [
    ...MANAGE_SCOPES[channel.kind],
    ...(additionalScopes ? [additionalScopes[channel.kind]] : []),
  ]
  if (!scopes.some((scope) => caller.scopes.includes(scope)))
    return { errorResponse: missingScopeResponse(scopes.join(','), caller) }
  if (channel.archived) return { errorResponse: errorResponse('is_archived') }
  return { channel }
}

function findJoinedChannel(
  slack: Slack,
  caller: Caller,
  id: string,
  additionalScopes?: typeof INVITE_SCOPES,
): ManagedChannel {
  const found = findManagedChannel(slack, caller, id, additionalScopes)
  if ('channel' in found && !found.channel.members.has(caller.user))
    return { errorResponse: errorResponse('not_in_channel') }
  return found
}

const isGeneral = ({ name }: Channel): boolean => name === 'general'

export const manageChannelMethods = [
  defineMethod('conversations.create', {
    tier: 2,
    scopes: manageScopes(),
    args: { name: text, is_private: flag },
    argErrors: { name: 'invalid_name_required' },
    run: ({ slack, caller, args }) => {
      const kind = args.is_private ? 'private' : 'public'
      const scopes = MANAGE_SCOPES[kind]
      if (!scopes.some((scope) => caller.scopes.includes(scope)))
        return missingScopeResponse(scopes.join(','), caller)
      const problem = findNameProblem(slack, args.name)
      if (problem) return errorResponse(problem)
      const channel = addChannel(slack, {
        name: args.name,
        kind,
        creator: caller.user,
        members: [caller.user],
      })
      return { ok: true, channel: channelRecord(slack, channel, caller.user) }
    },
  }),

  defineMethod('conversations.invite', {
    tier: 3,
    scopes: manageScopes(INVITE_SCOPES),
    args: { channel: text, users: commaSeparatedList.pipe(z.array(z.string()).min(1)), force: flag },
    argErrors: { users: 'no_user' },
    run: ({ slack, caller, args }) => {
      const found = findJoinedChannel(slack, caller, args.channel, INVITE_SCOPES)
      if ('errorResponse' in found) return found.errorResponse
      const { channel } = found
      if (args.users.length > MAX_INVITED) return errorResponse('too_many_users')
      const problems = args.users.flatMap((user) => {
        if (!slack.users.has(user)) return [{ user, ok: false, error: 'user_not_found' }]
        if (user === caller.user) return [{ user, ok: false, error: 'cant_invite_self' }]
        return activeMembers(slack, channel).includes(user)
          ? [{ user, ok: false, error: 'already_in_channel' }]
          : []
      })
      const [first] = problems
      if (first && !args.force) return errorResponse(first.error, { errors: problems })
      const refused = new Set(problems.map(({ user }) => user))
      for (const user of args.users) if (!refused.has(user)) joinChannel(slack, channel, user, caller.user)
      return {
        ok: true,
        channel: channelRecord(slack, channel, caller.user),
        ...(first && { errors: problems }),
      }
    },
  }),

  defineMethod('conversations.kick', {
    tier: 3,
    scopes: manageScopes(),
    args: { channel: text, user: text },
    run: ({ slack, caller, args }) => {
      const found = findJoinedChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      const { channel } = found
      if (!slack.users.has(args.user)) return errorResponse('user_not_found')
      if (args.user === caller.user) return errorResponse('cant_kick_self')
      if (isGeneral(channel)) return errorResponse('cant_kick_from_general')
      if (!channel.members.has(args.user)) return errorResponse('not_in_channel')
      leaveChannel(slack, channel, args.user)
      return { ok: true }
    },
  }),

  defineMethod('conversations.leave', {
    tier: 3,
    scopes: manageScopes(),
    args: { channel: text },
    run: ({ slack, caller, args }) => {
      const found = findManagedChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      if (isGeneral(found.channel)) return errorResponse('cant_leave_general')
      if (!found.channel.members.has(caller.user))
        return errorResponse('not_in_channel', { not_in_channel: true })
      if (found.channel.kind === 'private' && found.channel.members.size === 1)
        return errorResponse('last_member')
      leaveChannel(slack, found.channel, caller.user)
      return { ok: true }
    },
  }),

  defineMethod('conversations.archive', {
    tier: 2,
    scopes: manageScopes(),
    args: { channel: text },
    run: ({ slack, caller, args }) => {
      const found = findJoinedChannel(slack, caller, args.channel)
      if ('errorResponse' in found)
        return found.errorResponse.error === 'is_archived'
          ? errorResponse('already_archived')
          : found.errorResponse
      if (isGeneral(found.channel)) return errorResponse('cant_archive_general')
      changeChannel(slack, found.channel, { archived: true })
      return { ok: true }
    },
  }),

  defineMethod('conversations.rename', {
    tier: 2,
    scopes: manageScopes(),
    args: { channel: text, name: text },
    argErrors: { name: 'invalid_name_required' },
    run: ({ slack, caller, args }) => {
      const found = findJoinedChannel(slack, caller, args.channel)
      if ('errorResponse' in found) return found.errorResponse
      if (found.channel.creator !== caller.user) return errorResponse('not_authorized')
      const problem = args.name !== found.channel.name && findNameProblem(slack, args.name)
      if (problem) return errorResponse(problem)
      changeChannel(slack, found.channel, { name: args.name })
      return { ok: true, channel: channelRecord(slack, found.channel, caller.user) }
    },
  }),

  defineMethod('conversations.setTopic', {
    tier: 2,
    scopes: manageScopes(TOPIC_SCOPES),
    args: { channel: text, topic: z.string() },
    run: ({ slack, caller, args }) => {
      const found = findJoinedChannel(slack, caller, args.channel, TOPIC_SCOPES)
      if ('errorResponse' in found) return found.errorResponse
      if ([...args.topic].length > MAX_TOPIC_LENGTH) return errorResponse('too_long')
      changeChannel(slack, found.channel, { topic: args.topic })
      return { ok: true, channel: channelRecord(slack, found.channel, caller.user) }
    },
  }),
]
