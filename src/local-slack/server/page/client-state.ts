import type {
  ClientApp,
  ClientChannel,
  ClientMessage,
  ClientState,
  ClientUser,
  StatePatch,
} from '../../protocol.ts'
import { activeMembers, canSee } from '../workspace/channels.ts'
import type { Channel, Message, Session, User } from '../workspace/entities.ts'
import { fileRecord } from '../workspace/files.ts'
import { messageRecord } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { isFromOtherTeam, otherTeamsIn, teamOf } from '../workspace/teams.ts'
import { viewRecord } from '../workspace/views.ts'
import type { WorkspaceEvent } from '../workspace/workspace-events.ts'

/** The page gets only the latest messages of a channel. */
const MAX_MESSAGES = 200

/** Everything that the page of a session shows. */
export function buildClientState(slack: Slack, session: Session): ClientState {
  const channels = [...slack.channels.values()].filter((channel) => canSee(slack, channel, session.user))
  return {
    userId: session.user,
    sessionId: session.id,
    workspaceName: teamOf(slack, session.user).name,
    isVisitor: isFromOtherTeam(slack, session.user),
    app: toClientApp(slack, session),
    users: [...slack.users.values()].map((user) => toClientUser(slack, user, session)),
    userGroups: [...slack.userGroups.values()].map(({ id, handle }) => ({ id, handle })),
    channels: channels.map((channel) => toClientChannel(slack, channel, session)),
    messages: Object.fromEntries(
      channels.map((channel) => [channel.id, latestMessages(slack, channel, session)]),
    ),
    home: homeView(slack, session),
    views: openViews(slack, session),
  }
}

const REPLACING_EVENTS: WorkspaceEvent['type'][] = [
  'channel',
  'user_changed',
  'user_joined',
  'installed',
  'uninstalled',
]

/** Whether the event can change so much that its patch is a whole new state. */
export const replacesState = ({ type }: WorkspaceEvent): boolean => REPLACING_EVENTS.includes(type)

/** The change that an event makes to the client state of a session, if any. */
export function buildPatch(slack: Slack, session: Session, event: WorkspaceEvent): StatePatch | undefined {
  if (replacesState(event)) return { type: 'state', state: buildClientState(slack, session) }
  switch (event.type) {
    case 'message':
    case 'message_changed':
    case 'message_refreshed':
      if (!canSeeMessage(slack, session, event.message)) return undefined
      return { type: 'message', message: toClientMessage(slack, event.message) }
    case 'message_deleted':
      if (!canSeeMessage(slack, session, event.message)) return undefined
      return { type: 'message_deleted', channel: event.message.channel, ts: event.message.ts }
    case 'views':
      return event.session === session ? { type: 'views', views: openViews(slack, session) } : undefined
    case 'home':
      return event.user === session.user ? { type: 'home', home: homeView(slack, session) } : undefined
    default:
      return undefined
  }
}

function canSeeMessage(slack: Slack, { user }: Session, { channel: id, visibleTo }: Message): boolean {
  const channel = slack.channels.get(id)
  return channel !== undefined && canSee(slack, channel, user) && (!visibleTo || visibleTo === user)
}

const latestMessages = (slack: Slack, channel: Channel, session: Session): ClientMessage[] =>
  [...channel.messages.values()]
    .filter((message) => canSeeMessage(slack, session, message))
    .slice(-MAX_MESSAGES)
    .map((message) => toClientMessage(slack, message))

const toClientMessage = (slack: Slack, message: Message): ClientMessage => ({
  ...messageRecord(slack, message),
  // People see more of a file than apps do.
  ...(message.files && {
    files: message.files.flatMap((id) => {
      const file = slack.files.get(id)
      return file ? fileRecord(slack, file) : []
    }),
  }),
  channel: message.channel,
  isEphemeral: message.visibleTo !== undefined,
})

function toClientUser(slack: Slack, user: User, session: Session): ClientUser {
  const { id, handle, name, title, role, isDeactivated, tz } = user
  const team = teamOf(slack, id)
  return {
    id,
    handle,
    name,
    title,
    role,
    isDeactivated,
    ...(tz && { tz }),
    ...(team !== teamOf(slack, session.user) && { otherTeam: team.name }),
  }
}

function toClientChannel(slack: Slack, channel: Channel, session: Session): ClientChannel {
  const { id, name, kind, topic, purpose } = channel
  return {
    id,
    name,
    kind,
    topic,
    purpose,
    members: activeMembers(slack, channel),
    isArchived: channel.archived,
    sharedWith: [slack.team, ...otherTeamsIn(slack, channel)]
      .filter((team) => team !== teamOf(slack, session.user))
      .map((team) => team.name),
  }
}

const openViews = (slack: Slack, session: Session) =>
  session.viewIds.flatMap((id) => {
    const view = slack.views.get(id)
    return view ? [viewRecord(slack, view)] : []
  })

function homeView(slack: Slack, { user }: Session) {
  const home = slack.homes.get(user)
  return home ? viewRecord(slack, home) : null
}

function toClientApp(slack: Slack, session: Session): ClientApp {
  const { app } = slack
  const { display_information, features } = app.manifest
  const isOffered = session.isUnrestricted || !isFromOtherTeam(slack, session.user)
  const isInstalled = isOffered && app.installation !== undefined
  return {
    id: app.id,
    name: display_information.name,
    description: display_information.description,
    color: display_information.background_color,
    botUserId: app.botUserId,
    isInstalled,
    hasHomeTab: isOffered && features.app_home.home_tab_enabled,
    hasMessagesTab: isOffered && features.app_home.messages_tab_enabled,
    commands: isInstalled
      ? features.slash_commands.map(({ command, description, usage_hint }) => ({
          command,
          description,
          usage_hint,
        }))
      : [],
    shortcuts: isInstalled ? features.shortcuts : [],
  }
}
