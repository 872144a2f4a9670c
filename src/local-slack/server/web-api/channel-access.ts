import type { Channel, ChannelKind } from '../workspace/channels.ts'
import { directChannel, maySee } from '../workspace/channels.ts'
import type { Slack } from '../workspace/slack.ts'
import { type Answer, type Caller, refuse } from './method.ts'

export type ScopeVerb = 'read' | 'history'

const NOUN: Record<ChannelKind, string> = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' }

export const scopeFor = (kind: ChannelKind, verb: ScopeVerb) => `${NOUN[kind]}:${verb}`

/** For a method that reads: the scope for any kind of channel lets it in, the one for this kind lets it read. */
export const scopesToRead = (verb: ScopeVerb) =>
  (Object.keys(NOUN) as ChannelKind[]).map((kind) => scopeFor(kind, verb))

type Found = { channel: Channel } | { refusal: Answer }

/** A channel that the caller may read about; one that it may not even see is not there. */
export function findToRead(slack: Slack, caller: Caller, id: string, verb: ScopeVerb): Found {
  const channel = slack.channels.get(id)
  if (!channel || !maySee(slack, channel, caller.user)) return { refusal: refuse('channel_not_found') }
  const needed = scopeFor(channel.kind, verb)
  if (!caller.scopes.includes(needed))
    return { refusal: refuse('missing_scope', { needed, provided: caller.scopes.join(',') }) }
  if (verb === 'history' && !channel.members.has(caller.user)) return { refusal: refuse('not_in_channel') }
  return { channel }
}

/** A channel that the caller may write to; a person's id stands for the conversation with them. */
export function findPlace(slack: Slack, caller: Caller, id: string, how: Writing = {}): Found {
  if (!slack.people.has(id)) return findToWrite(slack, caller, id, how)
  return { channel: directChannel(slack, [caller.user, id], caller.user) }
}

/** chat:write.public lets an app speak where it is no member, but not everything is speaking. */
type Writing = { membersOnly?: boolean }

/** A channel that the caller may write to. */
export function findToWrite(
  slack: Slack,
  caller: Caller,
  id: string,
  { membersOnly = false }: Writing = {},
): Found {
  const byName = id.startsWith('#') && [...slack.channels.values()].find(({ name }) => name === id.slice(1))
  const channel = byName || slack.channels.get(id)
  if (!channel || !maySee(slack, channel, caller.user)) return { refusal: refuse('channel_not_found') }
  if (channel.archived) return { refusal: refuse('is_archived') }
  const open = !membersOnly && channel.kind === 'public' && caller.scopes.includes('chat:write.public')
  if (!channel.members.has(caller.user) && !open) return { refusal: refuse('not_in_channel') }
  return { channel }
}
