import { z } from 'zod'
import { directChannel, joinChannel, leaveChannel } from '../workspace/channels.ts'
import { announce } from '../workspace/happenings.ts'
import { deed, done, failed } from './deed.ts'
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

const Others = z.object({ channel: z.string(), user: z.string() })

export const invite = deed(Others, async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!channel?.members.has(desk.user) || channel.kind === 'im') return failed('Join the channel first.')
  if (!slack.people.has(params.user)) return failed('There is no such person.')
  joinChannel(slack, channel, params.user, desk.user)
  return done
})

export const remove = deed(Others, async ({ slack, desk, params }) => {
  const channel = findChannel(slack, desk, params.channel)
  if (!channel?.members.has(desk.user) || channel.kind === 'im') return failed('Join the channel first.')
  leaveChannel(slack, channel, params.user)
  return done
})
