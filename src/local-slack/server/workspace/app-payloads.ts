import type { Slack } from './slack.ts'

/** Something that the app sent: a Web API call, an acknowledgement or a message to a response_url. */
export type AppPayload = {
  at: string
  source: 'web-api' | 'acknowledgement' | 'response_url'
  /** The Web API method, or the kind of acknowledgement, such as `view_submission`. */
  name: string
  body: unknown
  /** What the local Slack answered. */
  response: unknown
  /** The errors in this payload, in Slack's words. */
  problems: string[]
}

/** Older payloads are dropped, so that a Slack that runs for weeks doesn't run out of memory. */
const MAX_PAYLOADS = 20_000

export function recordAppPayload(slack: Slack, payload: Omit<AppPayload, 'at'>): void {
  slack.appPayloads.push({ at: slack.clock.now().toISOString(), ...payload })
  if (slack.appPayloads.length > MAX_PAYLOADS) slack.appPayloads.shift()
}
