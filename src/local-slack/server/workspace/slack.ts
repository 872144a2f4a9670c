import type { BlockValidator } from '../../blocks/validate-blocks.ts'
import type { Clock } from '../../clock.ts'
import type { Runtime } from '../../runtime.ts'
import type { SocketMode, Transport } from '../delivery/transport.ts'
import type { FaultInjection } from '../web-api/fault-injection.ts'
import type { App } from './app.ts'
import type {
  AppPayload,
  Channel,
  HomeView,
  OauthCode,
  OpenView,
  ResponseUrl,
  ScheduledMessage,
  Session,
  SharedFile,
  Team,
  Trigger,
  Upload,
  User,
  UserGroup,
} from './entities.ts'
import type { Ids } from './ids.ts'
import type { WorkspaceEvent } from './workspace-events.ts'

/** The whole state of a local Slack. It lives in memory and ends with the process. */
export type Slack = {
  clock: Clock
  runtime: Runtime
  ids: Ids
  /** How long the app may take to acknowledge, and to use a trigger. */
  timeLimitMs: number
  blockValidator: BlockValidator
  /** Logs unexpected errors. */
  log: (error: unknown) => void
  /** The server's address, set once it listens. */
  url: string
  /** The workspace in which the app is installed. */
  team: Team
  otherTeams: Map<string, Team>
  app: App
  /** The users of all workspaces. */
  users: Map<string, User>
  channels: Map<string, Channel>
  userGroups: Map<string, UserGroup>
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
