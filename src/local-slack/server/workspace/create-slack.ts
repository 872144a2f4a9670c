import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { createClock } from '../../clock.ts'
import type { Manifest } from '../../manifest.ts'
import type { Runtime } from '../../runtime.ts'
import type { Seed } from '../../seed.ts'
import type { Transport } from '../delivery/transport.ts'
import { createApp, type Secrets } from './app.ts'
import { addChannel } from './channels.ts'
import type { Team, User } from './entities.ts'
import { createIds, type Ids } from './ids.ts'
import { installApp } from './installation.ts'
import { addMessage } from './messages.ts'
import type { Slack } from './slack.ts'
import { addUser, findUserByHandle, SLACKBOT_ID } from './users.ts'

const noTransport: Transport = { send: async () => ({ failure: 'dispatch_failed' }), stop() {} }

type SlackOptions = {
  manifest: Manifest
  seed: Seed
  runtime: Runtime
  secrets: Partial<Secrets>
  installed: boolean
  refusesOptionalScopes: boolean
  timeLimitMs: number
  log: (error: unknown) => void
}

export function createSlack(options: SlackOptions): Slack {
  const { manifest, seed, runtime, secrets, timeLimitMs, log } = options
  const clock = createClock(runtime.now, log)
  const ids = createIds(clock, runtime)
  const slack: Slack = {
    clock,
    runtime,
    ids,
    timeLimitMs,
    blockValidator: createBlockValidator(),
    log,
    url: '',
    team: createTeam(ids, seed.team),
    otherTeams: new Map(),
    app: createApp(ids, manifest, secrets),
    users: new Map(),
    channels: new Map(),
    userGroups: new Map(),
    sessions: new Map(),
    views: new Map(),
    homes: new Map(),
    files: new Map(),
    uploads: new Map(),
    scheduledMessages: new Map(),
    triggers: new Map(),
    responseUrls: new Map(),
    oauthCodes: new Map(),
    listeners: new Set(),
    transport: noTransport,
    appPayloads: [],
    injectedFaults: [],
  }
  populateWorkspace(slack, seed, options)
  return slack
}

const createTeam = (ids: Ids, { name, domain }: Pick<Team, 'name' | 'domain'>): Team => ({
  id: ids.next('T'),
  name,
  domain,
})

/** Adds the users, channels and messages of the seed, and the app. */
function populateWorkspace(
  slack: Slack,
  seed: Seed,
  { installed, refusesOptionalScopes }: Pick<SlackOptions, 'installed' | 'refusesOptionalScopes'>,
): void {
  const { app, team, otherTeams, users, ids } = slack
  for (const user of seed.users) addUser(slack, team, user)
  if (seed.enterprise) team.enterprise = { ...seed.enterprise, id: ids.next('E') }
  for (const { same_enterprise, users, ...fields } of seed.other_teams) {
    const other = createTeam(ids, fields)
    if (same_enterprise && team.enterprise) other.enterprise = team.enterprise
    otherTeams.set(other.id, other)
    for (const user of users) addUser(slack, other, user)
  }
  const { features, display_information, oauth_config } = app.manifest
  const botName = features.bot_user?.display_name ?? display_information.name
  const addBot = (bot: Pick<User, 'id' | 'handle' | 'name' | 'app'>) =>
    users.set(bot.id, {
      ...bot,
      teamId: team.id,
      title: '',
      role: 'bot',
      isDeactivated: false,
      locale: 'en-US',
    })
  const botHandle = botName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
  addBot({ id: app.botUserId, handle: botHandle, name: botName, app: { id: app.id, botId: app.botId } })
  addBot({ id: SLACKBOT_ID, handle: 'slackbot', name: 'Slackbot' })
  const creator =
    [...users.values()].find(({ role, teamId }) => role === 'owner' && teamId === team.id) ??
    [...users.values()][0]
  const creatorId = creator?.id ?? app.botUserId
  const userId = (handle: string) => findUserByHandle(slack, handle)?.id ?? ''
  for (const { members, ...group } of seed.user_groups) {
    const id = ids.next('S')
    slack.userGroups.set(id, { ...group, id, members: members.map(userId) })
  }
  for (const {
    members,
    messages,
    app: hasApp,
    private: isPrivate,
    shared_with,
    ...fields
  } of seed.channels) {
    const channel = addChannel(slack, {
      ...fields,
      kind: isPrivate ? 'private' : 'public',
      creator: creatorId,
      sharedWith: [...otherTeams.values()]
        .filter(({ domain }) => shared_with.includes(domain))
        .map(({ id }) => id),
      members: [...members.map(userId), ...(hasApp && installed ? [app.botUserId] : [])],
    })
    for (const { from, text } of messages) addMessage(slack, channel, { user: userId(from), text })
  }
  if (!installed) return
  const { bot, user, bot_optional } = oauth_config.scopes
  const granted = refusesOptionalScopes ? bot.filter((scope) => !bot_optional.includes(scope)) : bot
  installApp(slack, { installedBy: creatorId, scopes: granted, userScopes: user })
}
