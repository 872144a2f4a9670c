import type { Channel } from './entities.ts'
import type { Slack } from './slack.ts'
import { isExternalTeam, isFromOtherTeam, otherTeamsIn } from './teams.ts'
import { isGuest } from './users.ts'
import { emitEvent } from './workspace-events.ts'

type NewChannel = Pick<Channel, 'name' | 'kind' | 'creator'> & {
  members: string[]
  sharedWith?: string[]
  topic?: string
  purpose?: string
}

const ID_LETTERS = { public: 'C', private: 'C', im: 'D', mpim: 'G' } as const

export function addChannel(
  slack: Slack,
  { members, sharedWith = [], topic = '', purpose = '', ...rest }: NewChannel,
): Channel {
  const channel: Channel = {
    ...rest,
    id: slack.ids.next(ID_LETTERS[rest.kind]),
    created: slack.clock.now(),
    members: new Set(members),
    sharedWith,
    topic,
    purpose,
    archived: false,
    messages: new Map(),
    threads: new Map(),
  }
  slack.channels.set(channel.id, channel)
  emitEvent(slack, { type: 'channel', channel })
  return channel
}

/** Returns the direct or group message of exactly these users, or creates it. */
export function getDirectChannel(slack: Slack, userIds: string[], creator: string): Channel {
  const members = [...new Set(userIds)]
  const kind = members.length > 2 ? 'mpim' : 'im'
  const existing = [...slack.channels.values()].find(
    (channel) =>
      channel.kind === kind &&
      channel.members.size === members.length &&
      members.every((member) => channel.members.has(member)),
  )
  if (existing) return existing
  const handles = members.map((id) => slack.users.get(id)?.handle)
  const name = kind === 'mpim' ? `mpdm-${handles.join('--')}-1` : ''
  return addChannel(slack, { name, kind, creator, members })
}

export function joinChannel(slack: Slack, channel: Channel, user: string, inviter?: string): void {
  if (channel.members.has(user)) return
  channel.members.add(user)
  emitEvent(slack, { type: 'channel', channel })
  emitEvent(slack, { type: 'member_joined_channel', channel, user, ...(inviter && { inviter }) })
}

export function leaveChannel(slack: Slack, channel: Channel, user: string): void {
  if (!channel.members.delete(user)) return
  emitEvent(slack, { type: 'channel', channel })
  emitEvent(slack, { type: 'member_left_channel', channel, user })
}

export function changeChannel(
  slack: Slack,
  channel: Channel,
  change: Partial<Pick<Channel, 'name' | 'topic' | 'archived'>>,
): void {
  Object.assign(channel, change)
  emitEvent(slack, { type: 'channel', channel })
}

/** Everyone sees their own channels; everyone but guests and users of other workspaces also sees the public channels. */
export function canSee(slack: Slack, channel: Channel, user: string): boolean {
  if (channel.members.has(user)) return true
  return channel.kind === 'public' && !isGuest(slack.users.get(user)) && !isFromOtherTeam(slack, user)
}

/** The members of a channel whose accounts are active. */
export const activeMembers = ({ users }: Slack, { members }: Channel): string[] =>
  [...members].filter((member) => !users.get(member)?.isDeactivated)

/** A channel in the form of Slack's API, as one user sees it. */
export function channelRecord(slack: Slack, channel: Channel, viewer: string) {
  const { id, name, kind, creator } = channel
  const created = Math.floor(channel.created.getTime() / 1000)
  const updated = channel.created.getTime()
  const sharing = sharingFields(slack, channel)
  if (kind === 'im') {
    const otherUser = [...channel.members].find((member) => member !== viewer) ?? viewer
    return {
      id,
      created,
      updated,
      is_im: true,
      context_team_id: slack.team.id,
      user: otherUser,
      is_user_deleted: slack.users.get(otherUser)?.isDeactivated ?? false,
      is_archived: false,
      ...(sharing.is_shared ? sharing : { is_org_shared: false }),
      priority: 0,
      num_members: activeMembers(slack, channel).length,
    }
  }
  const textField = (value: string) => ({
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
    ...sharing,
    is_pending_ext_shared: false,
    pending_shared: [],
    pending_connected_team_ids: [],
    previous_names: [],
    creator,
    is_member: channel.members.has(viewer),
    context_team_id: slack.team.id,
    topic: textField(channel.topic),
    purpose: textField(channel.purpose),
    num_members: activeMembers(slack, channel).length,
  }
}

/** The fields that say which workspaces share a channel. */
function sharingFields(slack: Slack, channel: Channel) {
  const otherTeams = otherTeamsIn(slack, channel)
  const teamIds = [slack.team, ...otherTeams].map(({ id }) => id)
  const externalIds = otherTeams.filter((team) => isExternalTeam(slack, team)).map(({ id }) => id)
  return {
    is_shared: otherTeams.length > 0,
    is_org_shared: externalIds.length < otherTeams.length,
    is_ext_shared: externalIds.length > 0,
    shared_team_ids: teamIds,
    ...(otherTeams.length > 0 && {
      conversation_host_id: slack.team.id,
      internal_team_ids: teamIds.filter((id) => !externalIds.includes(id)),
      connected_team_ids: externalIds,
    }),
  }
}
