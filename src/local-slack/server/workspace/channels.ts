import { announce } from './happenings.ts'
import type { Message } from './messages.ts'
import type { Slack } from './slack.ts'

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim'

export type Channel = {
  id: string
  /** Without the #; a DM has none. */
  name: string
  kind: ChannelKind
  created: Date
  creator: string
  members: Set<string>
  topic: string
  purpose: string
  archived: boolean
  /** By `ts`, oldest first, threads and what only one person sees among them. */
  messages: Map<string, Message>
  /** By the `ts` of what began it: the replies. */
  threads: Map<string, Set<string>>
}

type NewChannel = Pick<Channel, 'name' | 'kind' | 'creator'> & {
  members: string[]
  topic?: string
  purpose?: string
}

const LETTER = { public: 'C', private: 'C', im: 'D', mpim: 'G' } as const

export function addChannel(
  slack: Slack,
  { members, topic = '', purpose = '', ...rest }: NewChannel,
): Channel {
  const channel: Channel = {
    ...rest,
    id: slack.ids.next(LETTER[rest.kind]),
    created: slack.clock.now(),
    members: new Set(members),
    topic,
    purpose,
    archived: false,
    messages: new Map(),
    threads: new Map(),
  }
  slack.channels.set(channel.id, channel)
  announce(slack, { type: 'channel', channel })
  return channel
}

/** The conversation of just these people, made where there is none yet. */
export function directChannel(slack: Slack, people: string[], creator: string): Channel {
  const members = [...new Set(people)]
  const kind = members.length > 2 ? 'mpim' : 'im'
  const found = [...slack.channels.values()].find(
    (channel) =>
      channel.kind === kind &&
      channel.members.size === members.length &&
      members.every((member) => channel.members.has(member)),
  )
  if (found) return found
  const handles = members.map((id) => slack.people.get(id)?.handle)
  const name = kind === 'mpim' ? `mpdm-${handles.join('--')}-1` : ''
  return addChannel(slack, { name, kind, creator, members })
}

export function joinChannel(slack: Slack, channel: Channel, user: string, inviter?: string): void {
  if (channel.members.has(user)) return
  channel.members.add(user)
  announce(slack, { type: 'channel', channel })
  announce(slack, { type: 'member_joined_channel', channel, user, ...(inviter && { inviter }) })
}

export function leaveChannel(slack: Slack, channel: Channel, user: string): void {
  if (!channel.members.delete(user)) return
  announce(slack, { type: 'channel', channel })
  announce(slack, { type: 'member_left_channel', channel, user })
}

/** Guests see the channels that they are in; the others see the public ones too. */
export function maySee(slack: Slack, channel: Channel, user: string): boolean {
  if (channel.members.has(user)) return true
  return channel.kind === 'public' && slack.people.get(user)?.role !== 'guest'
}

/** A channel as conversations.info tells somebody of it. */
export function channelRecord(slack: Slack, channel: Channel, viewer: string) {
  const { id, name, kind, creator } = channel
  const created = Math.floor(channel.created.getTime() / 1000)
  const updated = channel.created.getTime()
  if (kind === 'im') {
    const other = [...channel.members].find((member) => member !== viewer) ?? viewer
    const gone = { is_user_deleted: false, is_archived: false, is_org_shared: false }
    return {
      id,
      created,
      updated,
      is_im: true,
      context_team_id: slack.team.id,
      user: other,
      ...gone,
      priority: 0,
      num_members: channel.members.size,
    }
  }
  const said = (value: string) => ({
    value,
    creator: value ? creator : '',
    last_set: value ? created : 0,
  })
  return {
    id,
    name,
    name_normalized: name,
    is_channel: kind === 'public',
    is_group: kind === 'private',
    is_im: false,
    is_mpim: kind === 'mpim',
    is_private: kind !== 'public',
    created,
    updated,
    is_archived: channel.archived,
    is_general: name === 'general',
    unlinked: 0,
    is_shared: false,
    is_org_shared: false,
    is_ext_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    shared_team_ids: [slack.team.id],
    pending_connected_team_ids: [],
    previous_names: [],
    creator,
    is_member: channel.members.has(viewer),
    context_team_id: slack.team.id,
    topic: said(channel.topic),
    purpose: said(channel.purpose),
    num_members: channel.members.size,
  }
}
