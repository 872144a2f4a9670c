import type { Message } from '../workspace/entities.ts'
import { messageRecord } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { isExternallyShared, isFromOtherTeam, teamOf } from '../workspace/teams.ts'
import { isStranger, userRecord } from '../workspace/users.ts'
import { viewRecord } from '../workspace/views.ts'
import type { WorkspaceEvent } from '../workspace/workspace-events.ts'
import type { DeliveryFailure } from './transport.ts'

type AppEvent = { type: string } & Record<string, unknown>

/** Slack retries at once, after a minute and after five more minutes. */
const RETRY_DELAYS_MS = [0, 60_000, 5 * 60_000]

/** Sends the app the events that its manifest and scopes allow. */
export function startEventDelivery(slack: Slack): void {
  slack.listeners.add((workspaceEvent) => {
    for (const event of createAppEvents(slack, workspaceEvent)) deliverEvent(slack, event).catch(slack.log)
  })
}

async function deliverEvent(slack: Slack, event: AppEvent): Promise<void> {
  const payload = createEventPayload(slack, event)
  const send = async (attempt: number, reason?: string) => {
    const result = await slack.transport.send({
      type: 'events_api',
      payload,
      ...(reason && { retry: { attempt, reason } }),
    })
    const delay = RETRY_DELAYS_MS[attempt]
    if (!('failure' in result) || result.noRetry || delay === undefined) return
    slack.clock.after(delay, () => {
      send(attempt + 1, RETRY_REASONS[result.failure] ?? 'unknown_error').catch(slack.log)
    })
  }
  await send(0)
}

const RETRY_REASONS: Partial<Record<DeliveryFailure['failure'], string>> = {
  operation_timeout: 'http_timeout',
  dispatch_failed: 'connection_failed',
  http_error: 'http_error',
}

function createEventPayload(slack: Slack, event: AppEvent) {
  const { app, team, ids, clock } = slack
  const channel = slack.channels.get(String(event.channel ?? event.channel_id ?? Object(event.item).channel))
  // A message comes from the workspace of its author. The app's own workspace is in `authorizations`.
  const source = (event.type === 'message' && slack.otherTeams.get(String(event.team))) || team
  const event_id = `Ev${ids.secret().slice(0, 10).toUpperCase()}`
  return {
    token: app.secrets.verificationToken,
    team_id: source.id,
    ...(source.enterprise && { enterprise_id: source.enterprise.id }),
    context_team_id: team.id,
    context_enterprise_id: team.enterprise?.id ?? null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id,
    event_time: Math.floor(clock.now().getTime() / 1000),
    authorizations: [
      {
        enterprise_id: team.enterprise?.id ?? null,
        team_id: team.id,
        user_id: app.botUserId,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: channel !== undefined && isExternallyShared(slack, channel),
    event_context: `4-${event_id}`,
  }
}

/** The scope that an event needs. */
const EVENT_SCOPES: Record<string, string> = {
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  app_mention: 'app_mentions:read',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
  message_metadata_posted: 'metadata.message:read',
  team_join: 'users:read',
  file_shared: 'files:read',
  user_change: 'users:read',
}

const MESSAGE_EVENTS = {
  public: { name: 'message.channels', type: 'channel' },
  private: { name: 'message.groups', type: 'group' },
  im: { name: 'message.im', type: 'im' },
  mpim: { name: 'message.mpim', type: 'mpim' },
} as const

function createAppEvents(slack: Slack, event: WorkspaceEvent): AppEvent[] {
  const { app } = slack
  const isAllowed = (name: string, scope = EVENT_SCOPES[name]) => {
    const { installation } = app
    return Boolean(installation && isSubscribed(app, name) && (!scope || installation.scopes.includes(scope)))
  }
  const event_ts = slack.ids.ts()
  switch (event.type) {
    case 'message':
    case 'message_changed':
    case 'message_deleted':
      return createMessageEvents(slack, event, isAllowed)
    case 'reaction_added':
    case 'reaction_removed': {
      const { message, user, reaction } = event
      const item = { type: 'message', channel: message.channel, ts: message.ts }
      if (!isAllowed(event.type) || !isBotMember(slack, message.channel)) return []
      return [{ type: event.type, user, reaction, item, item_user: message.user, event_ts }]
    }
    case 'member_joined_channel':
    case 'member_left_channel': {
      const { channel, user } = event
      const concernsBot = channel.members.has(app.botUserId) || user === app.botUserId
      const scope = channel.kind === 'public' ? 'channels:read' : 'groups:read'
      if (!isAllowed(event.type, scope) || !concernsBot || channel.kind === 'im') return []
      const appEvent = {
        type: event.type,
        user,
        channel: channel.id,
        channel_type: channel.kind === 'public' ? 'C' : 'G',
        team: teamOf(slack, user).id,
        event_ts,
      }
      return ['inviter' in event ? { ...appEvent, inviter: event.inviter } : appEvent]
    }
    case 'file_shared': {
      const { file, channel, user } = event
      if (!isAllowed('file_shared') || !isBotMember(slack, channel.id)) return []
      const ids = { file_id: file.id, file: { id: file.id }, user_id: user, channel_id: channel.id }
      return [{ type: 'file_shared', ...ids, event_ts }]
    }
    case 'app_home_opened': {
      const { user, channel, tab } = event
      if (!isAllowed('app_home_opened')) return []
      const home = slack.homes.get(user)
      const view = home && tab === 'home' && { view: viewRecord(slack, home) }
      return [{ type: 'app_home_opened', user, channel: channel.id, tab, ...view, event_ts }]
    }
    case 'user_changed': {
      const { user } = event
      if (!isAllowed('user_change') || isStranger(slack, user)) return []
      const email = app.installation?.scopes.includes('users:read.email') ?? false
      const cache_ts = Math.floor(slack.clock.now().getTime() / 1000)
      return [
        { type: 'user_change', user: userRecord(slack, user, { email, locale: true }), cache_ts, event_ts },
      ]
    }
    case 'user_joined': {
      if (!isAllowed('team_join')) return []
      const email = app.installation?.scopes.includes('users:read.email') ?? false
      return [{ type: 'team_join', user: userRecord(slack, event.user, { email, locale: true }), event_ts }]
    }
    // An uninstalled app has no scopes left, so these two events need only the subscription.
    case 'tokens_revoked': {
      const tokens = { oauth: event.users, bot: event.bots }
      return isSubscribed(app, 'tokens_revoked') ? [{ type: 'tokens_revoked', tokens, event_ts }] : []
    }
    case 'uninstalled':
      return isSubscribed(app, 'app_uninstalled') ? [{ type: 'app_uninstalled', event_ts }] : []
    default:
      return []
  }
}

export const SCOPES_OF_EVENTS = Object.values(EVENT_SCOPES)

/** The events that an app can subscribe to here. */
export const SUPPORTED_EVENTS = [
  ...Object.keys(EVENT_SCOPES),
  ...['member_joined_channel', 'member_left_channel', 'app_home_opened', 'tokens_revoked', 'app_uninstalled'],
]

const isSubscribed = (app: Slack['app'], name: string) =>
  app.manifest.settings.event_subscriptions.bot_events.includes(name)

type MessageEvent = Extract<
  WorkspaceEvent,
  { type: 'message' | 'message_changed' | 'message_deleted'; message: Message }
>

function createMessageEvents(
  slack: Slack,
  event: MessageEvent,
  isAllowed: (name: string) => boolean,
): AppEvent[] {
  const { app, ids } = slack
  const { message } = event
  const channel = slack.channels.get(message.channel)
  if (!channel || message.visibleTo || message.isCommandEcho || !channel.members.has(app.botUserId)) return []
  const { name, type: channel_type } = MESSAGE_EVENTS[channel.kind]
  const record = messageRecord(slack, message)
  if (event.type === 'message') {
    const appEvents: AppEvent[] = []
    if (isAllowed(name))
      appEvents.push({ ...record, channel: channel.id, channel_type, event_ts: message.ts })
    const isMention =
      channel.kind !== 'im' && message.user !== app.botUserId && message.text.includes(`<@${app.botUserId}>`)
    if (isMention && isAllowed('app_mention'))
      appEvents.push({
        ...record,
        ...mentionTeams(slack, message.user),
        type: 'app_mention',
        channel: channel.id,
        event_ts: message.ts,
      })
    if (message.metadata && isAllowed('message_metadata_posted') && wantsMetadata(app, message.metadata))
      appEvents.push(createMetadataEvent(slack, message))
    return appEvents
  }
  if (!isAllowed(name)) return []
  const ts = ids.ts()
  const change = {
    type: 'message',
    subtype: event.type,
    hidden: true,
    ts,
    event_ts: ts,
    channel: channel.id,
    channel_type,
  }
  if (event.type === 'message_deleted')
    return [{ ...change, deleted_ts: message.ts, previous_message: record }]
  return [{ ...change, message: record, previous_message: messageRecord(slack, event.previous) }]
}

/** An app gets only the event types in its manifest. The id of the app in it is a placeholder here: there is only one. */
function wantsMetadata({ manifest }: Slack['app'], metadata: unknown): boolean {
  const { metadata_subscriptions } = manifest.settings.event_subscriptions
  return metadata_subscriptions.some(({ event_type }) => event_type === Object(metadata).event_type)
}

function createMetadataEvent({ app, team }: Slack, { channel, user, ts, metadata }: Message): AppEvent {
  return {
    type: 'message_metadata_posted',
    app_id: app.id,
    bot_id: app.botId,
    user_id: user,
    team_id: team.id,
    channel_id: channel,
    metadata,
    message_ts: ts,
    event_ts: ts,
  }
}

/** For a mention by a user of another workspace, `team` is still the workspace of the app. */
function mentionTeams(slack: Slack, user: string) {
  if (!isFromOtherTeam(slack, user)) return {}
  const { id } = teamOf(slack, user)
  return { team: slack.team.id, user_team: id, source_team: id, user_profile: { team: id } }
}

const isBotMember = ({ channels, app }: Slack, channel: string) =>
  channels.get(channel)?.members.has(app.botUserId) ?? false
