import { type Clock, createClock } from '../../clock.ts'
import type { Manifest } from '../../manifest.ts'
import type { Runtime } from '../../runtime.ts'
import type { Seed } from '../../seed.ts'
import type { Carrier } from '../to-app/carrier.ts'
import type { SocketMode } from '../to-app/socket-mode.ts'
import type { Mischief } from '../web-api/mischief.ts'
import { type App, createApp, type Secrets } from './app.ts'
import type { Channel } from './channels.ts'
import type { Desk } from './desks.ts'
import type { SharedFile, Upload } from './files.ts'
import type { Happening } from './happenings.ts'
import { createIds, type Ids } from './ids.ts'
import type { OauthCode } from './oauth-codes.ts'
import type { Person } from './people.ts'
import type { ResponseUrl } from './response-urls.ts'
import type { ScheduledMessage } from './scheduled-messages.ts'
import { plant } from './seeding.ts'
import type { Sent } from './sent.ts'
import type { Trigger } from './triggers.ts'
import type { HomeView, OpenView } from './views.ts'

export type Team = { id: string; name: string; domain: string }

/** All that this Slack holds. It lives in memory, and ends with the process. */
export type Slack = {
  clock: Clock
  runtime: Runtime
  ids: Ids
  /** For what should not have happened in here. */
  log: (error: unknown) => void
  /** Where this Slack is reached; known once it listens. */
  url: string
  team: Team
  app: App
  people: Map<string, Person>
  channels: Map<string, Channel>
  desks: Map<string, Desk>
  views: Map<string, OpenView>
  homes: Map<string, HomeView>
  files: Map<string, SharedFile>
  uploads: Map<string, Upload>
  scheduledMessages: Map<string, ScheduledMessage>
  triggers: Map<string, Trigger>
  responseUrls: Map<string, ResponseUrl>
  listeners: Set<(happening: Happening) => void>
  /** The way to the app. */
  carrier: Carrier
  /** The same, where the app comes for its connections. */
  socketMode?: SocketMode
  /** What the app ever sent, for whoever asks. */
  sent: Sent[]
  /** What the app's next calls are to meet with. */
  mischief: Mischief[]
  oauthCodes: Map<string, OauthCode>
}

const nobody: Carrier = { carry: async () => ({ failure: 'dispatch_failed' }), stop() {} }

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
    log,
    url: '',
    team: { id: ids.next('T'), name: seed.team.name, domain: seed.team.domain },
    app: createApp(ids, manifest, secrets),
    people: new Map(),
    channels: new Map(),
    desks: new Map(),
    views: new Map(),
    homes: new Map(),
    files: new Map(),
    uploads: new Map(),
    scheduledMessages: new Map(),
    triggers: new Map(),
    responseUrls: new Map(),
    listeners: new Set(),
    carrier: nobody,
    sent: [],
    mischief: [],
    oauthCodes: new Map(),
  }
  plant(slack, seed, { installed })
  return slack
}
