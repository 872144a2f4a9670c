import type { AppPayload } from './entities.ts'
import type { Slack } from './slack.ts'

/** Older payloads are dropped, so that a Slack that runs for weeks doesn't run out of memory. */
const MAX_PAYLOADS = 20_000

export function recordAppPayload(slack: Slack, payload: Omit<AppPayload, 'at'>): void {
  slack.appPayloads.push({ at: slack.clock.now().toISOString(), ...payload })
  if (slack.appPayloads.length > MAX_PAYLOADS) slack.appPayloads.shift()
}
