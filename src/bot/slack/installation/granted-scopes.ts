import type { WebClient } from '@slack/web-api'
import type { Runtime } from '../../../runtime.ts'

const TTL_MS = 10 * 60_000

export function createScopeCheck({ now }: Pick<Runtime, 'now'>) {
  let scopes: string[] | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  /** Asks Slack in the background. */
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
    /** Whether the app was installed with this scope, or true if that isn't known yet. */
    mayUse(client: WebClient, scope: string): boolean {
      const isGranted = scopes?.includes(scope) ?? true
      // An admin may grant a missing scope at any time, so Slack is asked again.
      if (!isGranted || now().getTime() - checkedAt > TTL_MS) refresh(client)
      return isGranted
    },
  }
}
