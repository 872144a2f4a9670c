import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../../runtime.ts'

export type ScopeCheck = {
  /** Whether the app was installed with this scope. Without an answer of Slack, the last known one counts. */
  includes: (client: WebClient, scope: string) => Promise<boolean>
}

/** An admin may allow more at any time, and hardly ever allows less. */
const GRANTED_TTL_MS = 10 * 60_000
const REFUSED_TTL_MS = 5000

export function createScopeCheck({ now }: Pick<Runtime, 'now'>): ScopeCheck {
  let scopes: string[] = []
  let checkedAt = Number.NEGATIVE_INFINITY
  return {
    async includes(client, scope) {
      const ttlMs = scopes.includes(scope) ? GRANTED_TTL_MS : REFUSED_TTL_MS
      if (now().getTime() - checkedAt > ttlMs) {
        const answer = await client.auth.test().catch(() => undefined)
        scopes = answer?.response_metadata?.scopes ?? scopes
        checkedAt = now().getTime()
      }
      return scopes.includes(scope)
    },
  }
}
