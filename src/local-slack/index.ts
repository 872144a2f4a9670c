import type { Runtime } from './runtime.ts'

export type { AllTyped } from './blocks/state.ts'
export { readManifest } from './manifest.ts'
export type { ClientMessage, ViewRecord } from './protocol.ts'
export { methods } from './server/web-api/methods.ts'
export type { Secrets } from './server/workspace/app.ts'

import { createJudge } from './blocks/judge.ts'
import { readManifest } from './manifest.ts'
import type { ClientState } from './protocol.ts'
import { readSeed } from './seed.ts'
import { type Control, createControl } from './server/control/control.ts'
import { seenAt } from './server/page/seen.ts'
import { type UserActions, userActions } from './server/person/deeds.ts'
import { startServer } from './server/server.ts'
import { tellApp } from './server/to-app/events.ts'
import { createHttpCarrier } from './server/to-app/http.ts'
import { createSocketMode } from './server/to-app/socket-mode.ts'
import { createRateLimits, NO_LIMITS } from './server/web-api/rate-limits.ts'
import type { Secrets } from './server/workspace/app.ts'
import { sitDown } from './server/workspace/desks.ts'
import { personByHandle } from './server/workspace/people.ts'
import { createSlack } from './server/workspace/slack.ts'

export type LocalSlackOptions = {
  /** The app's manifest: the app is what this file says. */
  manifest: string
  runtime: Runtime
  /** 0, the usual one, takes whatever port is free. */
  port?: number
  /** Who and what is in the workspace; there is one to begin with. */
  seed?: string | undefined
  /** Where the app listens, if it is to be reached over HTTP and not at the manifest's own addresses. */
  requestUrl?: string | undefined
  /** Those that are not given are made up. */
  secrets?: Partial<Secrets>
  /** Whether the app is in the workspace from the start. */
  installed?: boolean
  /** Whether calls may come as often as they like: for measuring, and for tests of other things. */
  disableRateLimits?: boolean
  onError?: (error: unknown) => void
}

/** Somebody at a desk of their own: all that they can do, and what they see. */
export type UserSession = {
  [Name in keyof UserActions]: (given: Parameters<UserActions[Name]>[1]) => ReturnType<UserActions[Name]>
} & { id: string; desk: string; sees: () => ClientState }

export type LocalSlack = {
  url: string
  /** What an SDK is told as its `slackApiUrl`. */
  apiUrl: string
  secrets: Secrets
  appId: string
  botUserId: string
  control: Control
  /** A person, by their handle, at a new desk. */
  openSession: (handle: string) => UserSession
  close: () => Promise<void>
}

/** Opens a Slack on this machine. */
export async function openLocalSlack(options: LocalSlackOptions): Promise<LocalSlack> {
  const { runtime, port = 0, secrets = {}, installed = true, onError = console.error } = options
  const manifest = readManifest(options.manifest)
  const slack = createSlack({
    manifest,
    seed: readSeed(options.seed),
    runtime,
    secrets,
    installed,
    log: onError,
  })
  const judge = createJudge()
  const { requestUrl } = options
  if (
    requestUrl !== undefined &&
    !(URL.canParse(requestUrl) && /^https?:$/.test(new URL(requestUrl).protocol))
  )
    throw new Error(
      `Requests cannot be sent to ${requestUrl}: give an address such as http://127.0.0.1:3000.`,
    )
  const overSockets = manifest.settings.socket_mode_enabled && !requestUrl
  const http = overSockets ? undefined : createHttpCarrier(slack, requestUrl)
  if (overSockets) slack.socketMode = createSocketMode(slack)
  slack.carrier = http ?? slack.socketMode ?? slack.carrier
  tellApp(slack)
  const control = createControl(slack, http)
  const rateLimits = options.disableRateLimits ? NO_LIMITS : createRateLimits(slack.clock)
  const server = await startServer({ slack, judge, control, rateLimits, port })
  return {
    url: server.url,
    apiUrl: `${server.url}/api/`,
    secrets: slack.app.secrets,
    appId: slack.app.id,
    botUserId: slack.app.botUser,
    control,
    close: server.close,
    openSession(handle) {
      const person = personByHandle(slack, handle)
      if (!person) throw new Error(`Nobody here is called "${handle}".`)
      const desk = sitDown(slack, { name: slack.ids.uuid(), user: person.id })
      const scene = { slack, judge, desk }
      const acts = Object.entries(userActions).map(([name, deed]) => [
        name,
        (given: never) => deed(scene, given),
      ])
      // Each deed keeps its own parameters and result, which `fromEntries` cannot tell.
      return {
        ...(Object.fromEntries(acts) as UserSession),
        id: person.id,
        desk: desk.id,
        sees: () => seenAt(slack, desk),
      }
    },
  }
}
