import { applyPatch } from './apply-patch.ts'
import { readManifest } from './manifest.ts'
import type { ClientState } from './protocol.ts'
import type { Runtime } from './runtime.ts'
import { readSeed } from './seed.ts'
import { type Controls, createControls } from './server/controls/controls.ts'
import { startEventDelivery } from './server/delivery/deliver-events.ts'
import { createHttpTransport } from './server/delivery/http-transport.ts'
import { createSocketMode } from './server/delivery/socket-mode.ts'
import { buildClientState, buildPatch, replacesState } from './server/page/client-state.ts'
import { startServer } from './server/server.ts'
import { findUnsupported } from './server/unsupported.ts'
import { type UserActions, userActions } from './server/user-actions/user-actions.ts'
import { createRateLimits, NO_RATE_LIMITS } from './server/web-api/rate-limits.ts'
import type { Secrets } from './server/workspace/app.ts'
import { createSlack } from './server/workspace/create-slack.ts'
import { openSession } from './server/workspace/sessions.ts'
import { findUserByHandle } from './server/workspace/users.ts'

export type { InputValues } from './blocks/state.ts'
export { readManifest } from './manifest.ts'
export type { ClientMessage, ViewRecord } from './protocol.ts'
export { methods } from './server/web-api/methods.ts'
export type { Secrets } from './server/workspace/app.ts'

export type LocalSlackOptions = {
  /** The path of the app's manifest. */
  manifest: string
  runtime: Runtime
  /** The default, 0, stands for any free port. */
  port?: number
  /** The path of a seed file, which replaces the default workspace. */
  seed?: string | undefined
  /** The app's URL, for HTTP in place of Socket Mode. By default, the manifest decides. */
  requestUrl?: string | undefined
  /** Missing secrets are generated. */
  secrets?: Partial<Secrets>
  /** Whether the app is installed at the start. True by default. */
  installed?: boolean
  /** The admin who installed the app refused its optional scopes. Installing it on the page allows them. */
  refusesOptionalScopes?: boolean
  disableRateLimits?: boolean
  /** How long an app may take to acknowledge, and to use a trigger. By default 3 s, as in Slack. */
  timeLimitMs?: number | undefined
  onError?: (error: unknown) => void
}

const SLACK_TIME_LIMIT_MS = 3000

/** A user's session: every user action as a method, and the state that the user's page would show. */
export type UserSession = {
  [Name in keyof UserActions]: (args: Parameters<UserActions[Name]>[1]) => ReturnType<UserActions[Name]>
} & { userId: string; sessionId: string; state: () => ClientState }

export type SessionOptions = {
  /**
   * Sends the app what Slack itself wouldn't: commands, shortcuts and Home tabs of people from other workspaces, and every
   * action of deactivated people. Tests an app against forged requests, and against people deactivated at the last moment.
   */
  unrestricted?: boolean
}

export type LocalSlack = {
  url: string
  /** The `slackApiUrl` option of Slack's SDKs. */
  apiUrl: string
  secrets: Secrets
  appId: string
  botUserId: string
  controls: Controls
  /** What the manifest asks for that the local Slack lacks. */
  unsupported: string[]
  /** Opens a new session of the user with this handle. */
  openSession: (handle: string, options?: SessionOptions) => UserSession
  close: () => Promise<void>
}

/** Starts a local Slack with one app. */
export async function openLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const { runtime, port = 0, secrets = {}, installed = true, onError = console.error, requestUrl } = options
  const { refusesOptionalScopes = false } = options
  const manifest = readManifest(options.manifest)
  if (requestUrl !== undefined && !isHttpUrl(requestUrl))
    throw new Error(`Can't send requests to ${requestUrl}. Enter an HTTP URL, such as http://127.0.0.1:3000.`)
  const slack = createSlack({
    manifest,
    seed: readSeed(options.seed),
    runtime,
    secrets,
    installed,
    refusesOptionalScopes,
    timeLimitMs: options.timeLimitMs ?? SLACK_TIME_LIMIT_MS,
    log: onError,
  })
  const usesSocketMode = manifest.settings.socket_mode_enabled && !requestUrl
  const http = usesSocketMode ? undefined : createHttpTransport(slack, requestUrl)
  if (usesSocketMode) slack.socketMode = createSocketMode(slack)
  slack.transport = http ?? slack.socketMode ?? slack.transport
  startEventDelivery(slack)
  const controls = createControls(slack, http)
  const rateLimits = options.disableRateLimits ? NO_RATE_LIMITS : createRateLimits(slack.clock)
  const server = await startServer({ slack, controls, rateLimits, port })
  return {
    url: server.url,
    apiUrl: `${server.url}/api/`,
    secrets: slack.app.secrets,
    appId: slack.app.id,
    botUserId: slack.app.botUserId,
    controls,
    unsupported: findUnsupported(manifest),
    close: server.close,
    openSession(handle, { unrestricted = false } = {}) {
      const user = findUserByHandle(slack, handle)
      if (!user) throw new Error(`No user is called "${handle}".`)
      const session = openSession(slack, {
        name: slack.ids.uuid(),
        user: user.id,
        isUnrestricted: unrestricted,
      })
      // Kept up to date like the page's, because tests ask for it many times a second.
      let state: ClientState | undefined
      slack.listeners.add((event) => {
        if (replacesState(event)) state = undefined
        const patch = state && buildPatch(slack, session, event)
        if (state && patch) state = applyPatch(state, patch)
      })
      const methods = Object.entries(userActions).map(([name, run]) => [
        name,
        (args: never) => run({ slack, session }, args),
      ])
      return {
        // `fromEntries` loses the types of the individual actions.
        ...(Object.fromEntries(methods) as UserSession),
        userId: user.id,
        sessionId: session.id,
        state: () => (state ??= buildClientState(slack, session)),
      }
    },
  }
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
