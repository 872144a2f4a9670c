import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../../../runtime.ts'

export type ScopeCheck = {
  /** Asks Slack in the background. */
  refresh: (client: WebClient) => void
  /**
   * Whether the app was installed with this scope, or true if that isn't known yet. If the scope is missing, asks Slack
   * again for the next call.
   */
  mayUse: (client: WebClient, scope: string) => boolean
}

const TTL_MS = 10 * 60_000

export function createScopeCheck({ now }: Pick<Runtime, 'now'>): ScopeCheck {
  let scopes: string[] | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  const refresh = (client: WebClient): void => {
    checkedAt = now().getTime()
    client.auth.test().then(
      (answer) => {
        scopes = answer.response_metadata?.scopes ?? scopes
      },
      () => {},
    )
  }
  return {
    refresh,
    mayUse(client, scope) {
      const isGranted = scopes?.includes(scope) ?? true
      // An admin may grant a missing scope at any time, so Slack is asked again.
      if (!isGranted || now().getTime() - checkedAt > TTL_MS) refresh(client)
      return isGranted
    },
  }
}
