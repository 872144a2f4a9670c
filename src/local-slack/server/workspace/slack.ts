import { type BlockValidator, createBlockValidator } from '../../blocks/validate-blocks.ts'
import { type Clock, createClock } from '../../clock.ts'
import type { Manifest } from '../../manifest.ts'
import type { Runtime } from '../../runtime.ts'
import type { Seed } from '../../seed.ts'
import type { SocketMode, Transport } from '../delivery/transport.ts'
import type { FaultInjection } from '../web-api/fault-injection.ts'
import { type App, createApp, type Secrets } from './app.ts'
import type { AppPayload } from './app-payloads.ts'
import type { Channel } from './channels.ts'
import type { SharedFile, Upload } from './files.ts'
import { createIds, type Ids } from './ids.ts'
import type { OauthCode } from './oauth-codes.ts'
import { populateWorkspace } from './populate.ts'
import type { ResponseUrl } from './response-urls.ts'
import type { ScheduledMessage } from './scheduled-messages.ts'
import type { Session } from './sessions.ts'
import type { Trigger } from './triggers.ts'
import type { User } from './users.ts'
import type { HomeView, OpenView } from './views.ts'
import type { WorkspaceEvent } from './workspace-events.ts'

type Team = { id: string; name: string; domain: string }

/** The whole state of a local Slack. It lives in memory and ends with the process. */
export type Slack = {
  clock: Clock
  runtime: Runtime
  ids: Ids
  blockValidator: BlockValidator
  /** Logs unexpected errors. */
  log: (error: unknown) => void
  /** The server's address, set once it listens. */
  url: string
  team: Team
  app: App
  users: Map<string, User>
  channels: Map<string, Channel>
  sessions: Map<string, Session>
  views: Map<string, OpenView>
  /** Home tabs, by user. */
  homes: Map<string, HomeView>
  files: Map<string, SharedFile>
  uploads: Map<string, Upload>
  scheduledMessages: Map<string, ScheduledMessage>
  triggers: Map<string, Trigger>
  responseUrls: Map<string, ResponseUrl>
  oauthCodes: Map<string, OauthCode>
  listeners: Set<(event: WorkspaceEvent) => void>
  /** Delivers payloads to the app. */
  transport: Transport
  /** The same transport, if the app connects through Socket Mode. */
  socketMode?: SocketMode
  /** Everything that the app sent, for tests. */
  appPayloads: AppPayload[]
  injectedFaults: FaultInjection[]
}

const noTransport: Transport = { send: async () => ({ failure: 'dispatch_failed' }), stop() {} }

export type SlackOptions = {
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
