import type { ClientApp, ClientChannel, ClientMessage, ClientState, StatePatch } from '../../protocol.ts'
import { type Channel, maySee } from '../workspace/channels.ts'
import type { Desk } from '../workspace/desks.ts'
import type { Happening } from '../workspace/happenings.ts'
import { type Message, messageRecord } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { viewRecord } from '../workspace/views.ts'

/** As many of a channel's messages as a page shows at first. */
const LATEST = 200

export function seenAt(slack: Slack, desk: Desk): ClientState {
  const channels = [...slack.channels.values()].filter((channel) => maySee(slack, channel, desk.user))
  return {
    userId: desk.user,
    sessionId: desk.id,
    workspaceName: slack.team.name,
    app: appSeen(slack),
    users: [...slack.people.values()].map(({ id, handle, name, title, role, tz }) => ({
      id,
      handle,
      name,
      title,
      role,
      ...(tz && { tz }),
    })),
    channels: channels.map(channelSeen),
    messages: Object.fromEntries(channels.map((channel) => [channel.id, messagesSeen(slack, channel, desk)])),
    home: homeOf(slack, desk),
    views: viewsOf(slack, desk),
  }
}

/** What of a happening concerns this desk. */
export function newsFor(slack: Slack, desk: Desk, happening: Happening): StatePatch | undefined {
  switch (happening.type) {
    case 'message':
    case 'message_changed':
    case 'touched':
      if (!concerns(slack, desk, happening.message)) return undefined
      return { type: 'message', message: messageSeen(slack, happening.message) }
    case 'message_deleted':
      if (!concerns(slack, desk, happening.message)) return undefined
      return { type: 'message_deleted', channel: happening.message.channel, ts: happening.message.ts }
    case 'views':
      return happening.desk === desk ? { type: 'views', views: viewsOf(slack, desk) } : undefined
    case 'home':
      return happening.user === desk.user ? { type: 'home', home: homeOf(slack, desk) } : undefined
    case 'channel':
    case 'installed':
    case 'uninstalled':
      return { type: 'state', state: seenAt(slack, desk) }
    default:
      return undefined
  }
}

function concerns(slack: Slack, { user }: Desk, { channel: id, only }: Message): boolean {
  const channel = slack.channels.get(id)
  return channel !== undefined && maySee(slack, channel, user) && (!only || only === user)
}

const messagesSeen = (slack: Slack, channel: Channel, desk: Desk): ClientMessage[] =>
  [...channel.messages.values()]
    .filter((message) => concerns(slack, desk, message))
    .slice(-LATEST)
    .map((message) => messageSeen(slack, message))

const messageSeen = (slack: Slack, message: Message): ClientMessage => ({
  ...messageRecord(slack, message),
  channel: message.channel,
  isEphemeral: message.only !== undefined,
})

const channelSeen = ({ id, name, kind, topic, purpose, members }: Channel): ClientChannel => ({
  id,
  name,
  kind,
  topic,
  purpose,
  members: [...members],
})

const viewsOf = (slack: Slack, desk: Desk) =>
  desk.stack.flatMap((id) => {
    const view = slack.views.get(id)
    return view ? [viewRecord(slack, view)] : []
  })

function homeOf(slack: Slack, { user }: Desk) {
  const home = slack.homes.get(user)
  return home ? viewRecord(slack, home) : null
}

function appSeen({ app }: Slack): ClientApp {
  const { display_information, features } = app.manifest
  const installed = app.installation !== undefined
  return {
    id: app.id,
    name: display_information.name,
    description: display_information.description,
    color: display_information.background_color,
    botUserId: app.botUser,
    isInstalled: installed,
    hasHomeTab: features.app_home.home_tab_enabled,
    hasMessagesTab: features.app_home.messages_tab_enabled,
    commands: installed
      ? features.slash_commands.map(({ command, description, usage_hint }) => ({
          command,
          description,
          usage_hint,
        }))
      : [],
    shortcuts: installed ? features.shortcuts : [],
  }
}
