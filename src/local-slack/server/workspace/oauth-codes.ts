import type { OauthCode } from './entities.ts'
import { installApp } from './installation.ts'
import type { Slack } from './slack.ts'

const OAUTH_CODE_TTL_MS = 10 * 60_000

export function createOauthCode(slack: Slack, approval: Omit<OauthCode, 'expiresAt'>): string {
  const code = `${slack.team.id}.${slack.ids.secret()}`
  slack.oauthCodes.set(code, {
    ...approval,
    expiresAt: new Date(slack.clock.now().getTime() + OAUTH_CODE_TTL_MS),
  })
  slack.clock.after(2 * OAUTH_CODE_TTL_MS, () => slack.oauthCodes.delete(code))
  return code
}

/** Installs the app with the approved scopes. A code can be used once. */
export function redeemOauthCode(
  slack: Slack,
  { code, redirect_uri }: { code: string; redirect_uri?: string | undefined },
): { approval: OauthCode; userToken?: string } | { error: 'invalid_code' | 'bad_redirect_uri' } {
  const approval = slack.oauthCodes.get(code)
  if (!approval || slack.clock.now() > approval.expiresAt) return { error: 'invalid_code' }
  if (redirect_uri !== undefined && redirect_uri !== approval.redirect_uri)
    return { error: 'bad_redirect_uri' }
  slack.oauthCodes.delete(code)
  const { user, scopes, userScopes } = approval
  return { approval, ...installApp(slack, { installedBy: user, scopes, userScopes }) }
}
