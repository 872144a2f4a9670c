import type { Manifest } from '../../manifest.ts'
import { announce } from './happenings.ts'
import type { Ids } from './ids.ts'
import { callOff } from './scheduled-messages.ts'
import type { Slack } from './slack.ts'
import { clearViews } from './views.ts'

/** What an app's author finds under "Basic Information" and "Install App". */
export type Secrets = {
  clientId: string
  clientSecret: string
  signingSecret: string
  verificationToken: string
  appToken: string
  botToken: string
}

export type Installation = {
  botToken: string
  scopes: string[]
  by: string
  userTokens: Map<string, UserToken>
}

export type UserToken = { user: string; scopes: string[] }

export type App = {
  id: string
  botId: string
  /** The bot's own account; it stays when the app goes. */
  botUser: string
  manifest: Manifest
  secrets: Secrets
  /** Tokens that were good once, and what their bearer is told. */
  revoked: Map<string, 'account_inactive' | 'token_revoked'>
  installation?: Installation
}

export function createApp(ids: Ids, manifest: Manifest, given: Partial<Secrets>): App {
  const id = ids.next('A')
  return {
    id,
    botId: ids.next('B'),
    botUser: ids.next('U'),
    manifest,
    revoked: new Map(),
    secrets: {
      clientId: given.clientId ?? `local.${id.toLowerCase()}`,
      clientSecret: given.clientSecret ?? ids.secret(),
      signingSecret: given.signingSecret ?? ids.secret(),
      verificationToken: given.verificationToken ?? ids.secret(),
      appToken: given.appToken ?? `xapp-1-${id}-${ids.secret()}`,
      botToken: given.botToken ?? `xoxb-${ids.secret()}`,
    },
  }
}

type Install = { by: string; scopes: string[]; userScopes: string[] }

/** Lets the app in, or lets it in anew with more scopes; a token that is still good stays. */
export function install(slack: Slack, { by, scopes, userScopes }: Install): { userToken?: string } {
  const { app } = slack
  const before = app.installation
  // The token that the author knows serves the first time; one that was revoked is never good again.
  const known = app.secrets.botToken
  const fresh = app.revoked.has(known) ? `xoxb-${slack.ids.secret()}` : known
  app.installation = {
    botToken: before?.botToken ?? fresh,
    scopes: [...new Set([...(before?.scopes ?? []), ...scopes])],
    by,
    userTokens: before?.userTokens ?? new Map(),
  }
  announce(slack, { type: 'installed' })
  if (!userScopes.length) return {}
  const userToken = `xoxp-${slack.ids.secret()}`
  app.installation.userTokens.set(userToken, { user: by, scopes: userScopes })
  return { userToken }
}

export function uninstall(slack: Slack): void {
  const { app } = slack
  if (!app.installation) return
  const { botToken, userTokens } = app.installation
  app.revoked.set(botToken, 'account_inactive')
  for (const token of userTokens.keys()) app.revoked.set(token, 'token_revoked')
  delete app.installation
  for (const { id, channel } of slack.scheduledMessages.values()) callOff(slack, channel, id)
  slack.homes.clear()
  for (const desk of slack.desks.values()) clearViews(slack, desk)
  for (const channel of slack.channels.values())
    if (channel.kind !== 'im') channel.members.delete(app.botUser)
  const people = [...new Set([...userTokens.values()].map(({ user }) => user))]
  announce(slack, { type: 'tokens_revoked', people, bots: [app.botUser] })
  announce(slack, { type: 'uninstalled' })
}

/** One person's token is good no more; the app stays. */
export function revokeUserToken(slack: Slack, token: string): void {
  const { installation, revoked } = slack.app
  const user = installation?.userTokens.get(token)?.user
  if (!installation?.userTokens.delete(token)) return
  revoked.set(token, 'token_revoked')
  announce(slack, { type: 'tokens_revoked', people: user ? [user] : [], bots: [] })
}
