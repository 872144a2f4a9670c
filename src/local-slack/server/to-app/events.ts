import type { Happening } from '../workspace/happenings.ts'
import { type Message, messageRecord } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { viewRecord } from '../workspace/views.ts'
import type { Carried } from './carrier.ts'

type Event = { type: string } & Record<string, unknown>

/** At once, after a minute, after five more: then Slack gives up. */
const RETRIES_MS = [0, 60_000, 5 * 60_000]

/** Tells the app what its manifest asks to hear of, and what its scopes let it. */
export function tellApp(slack: Slack): void {
  slack.listeners.add((happening) => {
    for (const event of eventsFor(slack, happening)) sendEvent(slack, event).catch(slack.log)
  })
}

async function sendEvent(slack: Slack, event: Event): Promise<void> {
  const payload = wrap(slack, event)
  const send = async (attempt: number, reason?: string) => {
    const carried = await slack.carrier.carry({
      type: 'events_api',
      payload,
      ...(reason && { retry: { attempt, reason } }),
    })
    const wait = RETRIES_MS[attempt]
    if (!('failure' in carried) || carried.noMore || wait === undefined) return
    slack.clock.after(wait, () => void send(attempt + 1, reasonOf(carried)).catch(slack.log))
  }
  await send(0)
}

const REASONS: Record<string, string> = {
  operation_timeout: 'http_timeout',
  dispatch_failed: 'connection_failed',
  http_error: 'http_error',
}

const reasonOf = ({ failure }: Extract<Carried, { failure: string }>) => REASONS[failure] ?? 'unknown_error'

function wrap({ app, team, ids, clock }: Slack, event: Event) {
  const event_id = `Ev${ids.secret().slice(0, 10).toUpperCase()}`
  return {
    token: app.secrets.verificationToken,
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id,
    event_time: Math.floor(clock.now().getTime() / 1000),
    authorizations: [
      {
        enterprise_id: null,
        team_id: team.id,
        user_id: app.botUser,
        is_bot: true,
        is_enterprise_install: false,
      },
    ],
    is_ext_shared_channel: false,
    event_context: `4-${event_id}`,
  }
}

/** The scope without which Slack keeps quiet about an event. */
const SCOPES: Record<string, string> = {
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  app_mention: 'app_mentions:read',
  reaction_added: 'reactions:read',
  file_shared: 'files:read',
}

const SUBSCRIPTION = {
  public: { name: 'message.channels', type: 'channel' },
  private: { name: 'message.groups', type: 'group' },
  im: { name: 'message.im', type: 'im' },
  mpim: { name: 'message.mpim', type: 'mpim' },
} as const

function eventsFor(slack: Slack, happening: Happening): Event[] {
  const { app } = slack
  const hears = (name: string, scope = SCOPES[name]) => {
    const { installation } = app
    return Boolean(installation && wantsToHear(app, name) && (!scope || installation.scopes.includes(scope)))
  }
  const event_ts = slack.ids.ts()
  switch (happening.type) {
    case 'message':
    case 'message_changed':
    case 'message_deleted':
      return messageEvents(slack, happening, hears)
    case 'reaction_added': {
      const { message, user, reaction } = happening
      const item = { type: 'message', channel: message.channel, ts: message.ts }
      if (!hears('reaction_added') || !botIsIn(slack, message.channel)) return []
      return [{ type: 'reaction_added', user, reaction, item, item_user: message.user, event_ts }]
    }
    case 'member_joined_channel':
    case 'member_left_channel': {
      const { channel, user } = happening
      const concerns = channel.members.has(app.botUser) || user === app.botUser
      const scope = channel.kind === 'public' ? 'channels:read' : 'groups:read'
      if (!hears(happening.type, scope) || !concerns || channel.kind === 'im') return []
      const inviter = 'inviter' in happening && { inviter: happening.inviter }
      const letter = channel.kind === 'public' ? 'C' : 'G'
      const where = { channel: channel.id, channel_type: letter, team: slack.team.id }
      return [{ type: happening.type, user, ...where, ...inviter, event_ts }]
    }
    case 'file_shared': {
      const { file, channel, user } = happening
      if (!hears('file_shared') || !botIsIn(slack, channel.id)) return []
      const ids = { file_id: file.id, file: { id: file.id }, user_id: user, channel_id: channel.id }
      return [{ type: 'file_shared', ...ids, event_ts }]
    }
    case 'app_home_opened': {
      const { user, channel, tab } = happening
      if (!hears('app_home_opened')) return []
      const home = slack.homes.get(user)
      const view = home && tab === 'home' && { view: viewRecord(slack, home) }
      return [{ type: 'app_home_opened', user, channel: channel.id, tab, ...view, event_ts }]
    }
    case 'tokens_revoked': {
      const tokens = { oauth: happening.people, bot: happening.bots }
      return wantsToHear(app, 'tokens_revoked') ? [{ type: 'tokens_revoked', tokens, event_ts }] : []
    }
    case 'uninstalled':
      return wantsToHear(app, 'app_uninstalled') ? [{ type: 'app_uninstalled', event_ts }] : []
    default:
      return []
  }
}

/** For what reaches even an app that is already gone: then there is no scope to ask for. */
const wantsToHear = (app: Slack['app'], name: string) =>
  app.manifest.settings.event_subscriptions.bot_events.includes(name)

type MessageHappening = Extract<Happening, { message: Message; type: `message${string}` }>

function messageEvents(slack: Slack, happening: MessageHappening, hears: (name: string) => boolean): Event[] {
  const { app, ids } = slack
  const { message } = happening
  const channel = slack.channels.get(message.channel)
  if (!channel || message.only || message.commandLine || !channel.members.has(app.botUser)) return []
  const { name, type: channel_type } = SUBSCRIPTION[channel.kind]
  const where = { channel: channel.id, channel_type }
  const record = messageRecord(slack, message)
  if (happening.type === 'message') {
    const mention =
      hears('app_mention') &&
      channel.kind !== 'im' &&
      message.user !== app.botUser &&
      message.text.includes(`<@${app.botUser}>`)
    return [
      ...(hears(name) ? [{ ...record, ...where, event_ts: message.ts }] : []),
      ...(mention ? [{ ...record, type: 'app_mention', channel: channel.id, event_ts: message.ts }] : []),
    ]
  }
  if (!hears(name)) return []
  const ts = ids.ts()
  const change = { type: 'message', subtype: happening.type, hidden: true, ts, event_ts: ts, ...where }
  if (happening.type === 'message_deleted')
    return [{ ...change, deleted_ts: message.ts, previous_message: record }]
  return [{ ...change, message: record, previous_message: messageRecord(slack, happening.previous) }]
}

const botIsIn = ({ channels, app }: Slack, channel: string) =>
  channels.get(channel)?.members.has(app.botUser) ?? false
