import { z } from 'zod'
import { type Channel, directChannel, joinChannel, leaveChannel } from '../workspace/channels.ts'
import { announce } from '../workspace/happenings.ts'
import { deed, done, failed, type Scene } from './deed.ts'
import { findChannel } from './place.ts'

/** Goes to the app's page, where there may be a Home and where its messages are. */
export const openApp = deed(
  z.object({ tab: z.enum(['home', 'messages']) }),
  async ({ slack, desk, params: { tab } }) => {
    const channel = directChannel(slack, [desk.user, slack.app.botUser], desk.user)
    announce(slack, { type: 'app_home_opened', user: desk.user, channel, tab })
    return { channel: channel.id }
  },
)

export const openDirect = deed(
  z.object({ people: z.array(z.string()).min(1).max(8) }),
  async ({ slack, desk, params: { people } }) => {
    if (people.some((id) => !slack.people.has(id))) return failed('There is no such person.')
    return { channel: directChannel(slack, [desk.user, ...people], desk.user).id }
  },
)

export const join = deed(z.object({ channel: z.string() }), async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!channel) return failed('There is no such channel.')
  joinChannel(slack, channel, desk.user)
  return done
})

export const leave = deed(z.object({ channel: z.string() }), async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!channel || channel.kind === 'im') return failed('This cannot be left.')
  leaveChannel(slack, channel, desk.user)
  return done
})

/** Guests come and go as they are told. */
const mayChange = (
  { slack, desk }: Pick<Scene, 'slack' | 'desk'>,
  channel: Channel | undefined,
): channel is Channel =>
  channel !== undefined &&
  channel.kind !== 'im' &&
  channel.members.has(desk.user) &&
  slack.people.get(desk.user)?.role !== 'guest'

const REFUSAL = 'Who is in this channel is for its members to say, and not for guests.'

const Others = z.object({ channel: z.string(), user: z.string() })

export const invite = deed(Others, async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!mayChange({ slack, desk }, channel)) return failed(REFUSAL)
  if (!slack.people.has(params.user)) return failed('There is no such person.')
  joinChannel(slack, channel, params.user, desk.user)
  return done
})

export const remove = deed(Others, async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!mayChange({ slack, desk }, channel)) return failed(REFUSAL)
  leaveChannel(slack, channel, params.user)
  return done
})
