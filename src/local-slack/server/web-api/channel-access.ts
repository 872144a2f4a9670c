import { canSee, getDirectChannel } from '../workspace/channels.ts'
import type { Channel, ChannelKind } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { type ApiResponse, type Caller, errorResponse, missingScopeResponse } from './method.ts'

type ScopeVerb = 'read' | 'history'

const SCOPE_PREFIXES: Record<ChannelKind, string> = {
  public: 'channels',
  private: 'groups',
  im: 'im',
  mpim: 'mpim',
}

export const scopeFor = (kind: ChannelKind, verb: ScopeVerb) => `${SCOPE_PREFIXES[kind]}:${verb}`

/** The scopes of a method that reads channels of any kind. Each channel then needs the scope of its own kind. */
export const scopesToRead = (verb: ScopeVerb) =>
  (Object.keys(SCOPE_PREFIXES) as ChannelKind[]).map((kind) => scopeFor(kind, verb))

type ChannelResult = { channel: Channel } | { errorResponse: ApiResponse }

/** Finds a channel that the caller may read. A channel that the caller cannot see counts as missing. */
export function findReadableChannel(
  slack: Slack,
  caller: Caller,
  id: string,
  verb: ScopeVerb,
): ChannelResult {
  const channel = slack.channels.get(id)
  if (!channel || !canSee(slack, channel, caller.user))
    return { errorResponse: errorResponse('channel_not_found') }
  const scope = scopeFor(channel.kind, verb)
  if (!caller.scopes.includes(scope)) return { errorResponse: missingScopeResponse(scope, caller) }
  if (verb === 'history' && !channel.members.has(caller.user))
    return { errorResponse: errorResponse('not_in_channel') }
  return { channel }
}

/** With chat:write.public, an app can post to public channels that it hasn't joined, but not upload files. */
type WriteOptions = { membersOnly?: boolean }

/** Finds a channel that the caller may write to. A user's id stands for the direct message with that user. */
export function findPostableChannel(
  slack: Slack,
  caller: Caller,
  id: string,
  options: WriteOptions = {},
): ChannelResult {
  if (!slack.users.has(id)) return findWritableChannel(slack, caller, id, options)
  return { channel: getDirectChannel(slack, [caller.user, id], caller.user) }
}

export function findWritableChannel(
  slack: Slack,
  caller: Caller,
  id: string,
  { membersOnly = false }: WriteOptions = {},
): ChannelResult {
  const byName = id.startsWith('#') && [...slack.channels.values()].find(({ name }) => name === id.slice(1))
  const channel = byName || slack.channels.get(id)
  if (!channel || !canSee(slack, channel, caller.user))
    return { errorResponse: errorResponse('channel_not_found') }
  if (channel.archived) return { errorResponse: errorResponse('is_archived') }
  const canPostPublicly =
    !membersOnly && channel.kind === 'public' && caller.scopes.includes('chat:write.public')
  if (!channel.members.has(caller.user) && !canPostPublicly)
    return { errorResponse: errorResponse('not_in_channel') }
  return { channel }
}
