import { z } from 'zod'
import * as channels from '../workspace/channels.ts'
import type { Channel } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { isFromOtherTeam, teamOf } from '../workspace/teams.ts'
import { isGuest } from '../workspace/users.ts'
import { emitEvent } from '../workspace/workspace-events.ts'
import { findVisibleChannel } from './container.ts'
import { type ActionContext, DONE, defineUserAction, failure, findAppRefusal } from './user-action.ts'

const CHANNEL_NOT_FOUND = "This channel doesn't exist."
const MEMBERS_ONLY =
  'Only members of this channel can add or remove people. Guests and people from other organizations cannot.'

const ChannelArgs = z.object({ channel: z.string() })
const MemberArgs = z.object({ channel: z.string(), user: z.string() })

/** Opens the app's Home tab or its messages. */
export const openAppTab = defineUserAction(
  z.object({ tab: z.enum(['home', 'messages']) }),
  async ({ slack, session, args: { tab } }) => {
    const refusal = findAppRefusal({ slack, session })
    if (refusal) return failure(refusal)
    const { user } = session
    const channel = channels.getDirectChannel(slack, [user, slack.app.botUserId], user)
    emitEvent(slack, { type: 'app_home_opened', user, channel, tab })
    return { channel: channel.id }
  },
)

export const openDirectMessage = defineUserAction(
  z.object({ users: z.array(z.string()).min(1).max(8) }),
  async ({ slack, session: { user }, args: { users } }) => {
    if (users.some((id) => !slack.users.has(id))) return failure("This user doesn't exist.")
    return { channel: channels.getDirectChannel(slack, [user, ...users], user).id }
  },
)

export const joinChannel = defineUserAction(ChannelArgs, async ({ slack, session, args }) => {
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel) return failure(CHANNEL_NOT_FOUND)
  channels.joinChannel(slack, channel, session.user)
  return DONE
})

export const leaveChannel = defineUserAction(ChannelArgs, async ({ slack, session, args }) => {
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel || channel.kind === 'im') return failure("You can't leave this conversation.")
  channels.leaveChannel(slack, channel, session.user)
  return DONE
})

export const inviteToChannel = defineUserAction(MemberArgs, async ({ slack, session, args }) => {
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel || !canChangeMembers({ slack, session }, channel)) return failure(MEMBERS_ONLY)
  const user = slack.users.get(args.user)
  if (!user) return failure("This user doesn't exist.")
  if (user.isDeactivated) return failure('This account is deactivated.')
  if (user.role === 'single_channel_guest' && isInAnyChannel(slack, user.id))
    return failure('Single-channel guests can be in one channel only.')
  if (isFromOtherTeam(slack, user.id) && !channel.sharedWith.includes(user.teamId))
    return failure(`This channel isn't shared with ${teamOf(slack, user.id).name}.`)
  channels.joinChannel(slack, channel, args.user, session.user)
  return DONE
})

export const removeFromChannel = defineUserAction(MemberArgs, async ({ slack, session, args }) => {
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel || !canChangeMembers({ slack, session }, channel)) return failure(MEMBERS_ONLY)
  channels.leaveChannel(slack, channel, args.user)
  return DONE
})

const canChangeMembers = ({ slack, session }: ActionContext, channel: Channel): boolean =>
  channel.kind !== 'im' &&
  channel.members.has(session.user) &&
  !isGuest(slack.users.get(session.user)) &&
  !isFromOtherTeam(slack, session.user)

const isInAnyChannel = ({ channels }: Slack, user: string): boolean =>
  [...channels.values()].some(
    ({ kind, members }) => (kind === 'public' || kind === 'private') && members.has(user),
  )
