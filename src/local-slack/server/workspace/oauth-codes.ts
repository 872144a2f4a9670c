import { install } from './app.ts'
import type { Slack } from './slack.ts'

/** What a person agreed to, until the app comes for its tokens. */
export type OauthCode = {
  user: string
  scopes: string[]
  userScopes: string[]
  redirect_uri: string
  until: Date
}

const LIFE_MS = 10 * 60_000

export function makeCode(slack: Slack, agreed: Omit<OauthCode, 'until'>): string {
  const code = `${slack.team.id}.${slack.ids.secret()}`
  slack.oauthCodes.set(code, { ...agreed, until: new Date(slack.clock.now().getTime() + LIFE_MS) })
  slack.clock.after(2 * LIFE_MS, () => slack.oauthCodes.delete(code))
  return code
}

/** Lets the app in on what was agreed to; a code serves once. */
export function redeemCode(
  slack: Slack,
  { code, redirect_uri }: { code: string; redirect_uri?: string | undefined },
): { agreed: OauthCode; userToken?: string } | { refusal: 'invalid_code' | 'bad_redirect_uri' } {
  const agreed = slack.oauthCodes.get(code)
  if (!agreed || slack.clock.now() > agreed.until) return { refusal: 'invalid_code' }
  if (redirect_uri !== undefined && redirect_uri !== agreed.redirect_uri)
    return { refusal: 'bad_redirect_uri' }
  slack.oauthCodes.delete(code)
  const { user, scopes, userScopes } = agreed
  return { agreed, ...install(slack, { by: user, scopes, userScopes }) }
}
