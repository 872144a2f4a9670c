import { createBlockValidator } from '../../blocks/validate-blocks.ts'
import { createClock } from '../../clock.ts'
import type { Manifest } from '../../manifest.ts'
import type { Runtime } from '../../runtime.ts'
import type { Seed } from '../../seed.ts'
import type { Transport } from '../delivery/transport.ts'
import { createApp, type Secrets } from './app.ts'
import { addChannel } from './channels.ts'
import type { User } from './entities.ts'
import { createIds } from './ids.ts'
import { installApp } from './installation.ts'
import { addMessage } from './messages.ts'
import type { Slack } from './slack.ts'
import { SLACKBOT_ID } from './users.ts'

const noTransport: Transport = { send: async () => ({ failure: 'dispatch_failed' }), stop() {} }

type SlackOptions = {
  manifest: Manifest
  seed: Seed
  runtime: Runtime
  secrets: Partial<Secrets>
  installed: boolean
  log: (error: unknown) => void
}

export function createSlack({ manifest, seed, runtime, secrets, installed, log }: SlackOptions): Slack {
  const clock = createClock(runtime.now, log)
  const ids = createIds(clock, runtime)
  const slack: Slack = {
    clock,
    runtime,
    ids,
    blockValidator: createBlockValidator(),
    log,
    url: '',
    team: { id: ids.next('T'), name: seed.team.name, domain: seed.team.domain },
    app: createApp(ids, manifest, secrets),
    users: new Map(),
    channels: new Map(),
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
  populateWorkspace(slack, seed, { installed })
  return slack
}

/** Adds the users, channels and messages of the seed, and the app. */
function populateWorkspace(slack: Slack, seed: Seed, { installed }: { installed: boolean }): void {
  const { app, users, ids } = slack
  const idsByHandle = new Map(seed.users.map(({ handle }) => [handle, ids.next('U')]))
  const userId = (handle: string) => idsByHandle.get(handle) as string
  for (const { email, tz, ...user } of seed.users)
    users.set(userId(user.handle), {
      ...user,
      id: userId(user.handle),
      email: email ?? `${user.handle}@${seed.team.domain}.example`,
      ...(tz && { tz }),
    })
  const { features, display_information, oauth_config } = app.manifest
  const botName = features.bot_user?.display_name ?? display_information.name
  const addBot = (bot: Pick<User, 'id' | 'handle' | 'name'>) =>
    users.set(bot.id, { ...bot, title: '', role: 'bot', locale: 'en-US' })
  const botHandle = botName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_')
  addBot({ id: app.botUserId, handle: botHandle, name: botName })
  addBot({ id: SLACKBOT_ID, handle: 'slackbot', name: 'Slackbot' })
  const creator = [...users.values()].find(({ role }) => role === 'owner') ?? [...users.values()][0]
  const creatorId = creator?.id ?? app.botUserId
  for (const { members, messages, app: hasApp, private: isPrivate, ...fields } of seed.channels) {
    const channel = addChannel(slack, {
      ...fields,
      kind: isPrivate ? 'private' : 'public',
      creator: creatorId,
      members: [...members.map(userId), ...(hasApp && installed ? [app.botUserId] : [])],
    })
    for (const { from, text } of messages) addMessage(slack, channel, { user: userId(from), text })
  }
  if (!installed) return
  const { bot, user } = oauth_config.scopes
  installApp(slack, { installedBy: creatorId, scopes: bot, userScopes: user })
}
