import type { ResponseUrl } from './entities.ts'
import type { Slack } from './slack.ts'

const RESPONSE_URL_TTL_MS = 30 * 60_000
const MAX_USES = 5
/** How long an expired URL is told apart from an invalid one. */
const EXPIRED_URL_TTL_MS = 2 * RESPONSE_URL_TTL_MS

export type ResponseTarget = Pick<ResponseUrl, 'channel' | 'user' | 'messageTs'>

export function createResponseUrl(
  slack: Slack,
  kind: 'commands' | 'actions',
  target: ResponseTarget,
): string {
  const path = `/${kind}/${slack.team.id}/${slack.responseUrls.size + 1}/${slack.ids.secret()}`
  const expiresAt = new Date(slack.clock.now().getTime() + RESPONSE_URL_TTL_MS)
  slack.responseUrls.set(path, { ...target, expiresAt, uses: 0 })
  slack.clock.after(EXPIRED_URL_TTL_MS, () => slack.responseUrls.delete(path))
  return slack.url + path
}

type ResponseUrlError = 'invalid_url' | 'expired_url' | 'used_url'

export function redeemResponseUrl(
  slack: Slack,
  path: string,
): { target: ResponseTarget } | { error: ResponseUrlError } {
  const target = slack.responseUrls.get(path)
  if (!target) return { error: 'invalid_url' }
  if (slack.clock.now() > target.expiresAt) return { error: 'expired_url' }
  if (target.uses >= MAX_USES) return { error: 'used_url' }
  target.uses += 1
  return { target }
}
