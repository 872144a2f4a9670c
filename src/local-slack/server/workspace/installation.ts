import { cancelScheduledMessage } from './scheduled-messages.ts'
import type { Slack } from './slack.ts'
import { closeAllViews } from './views.ts'
import { emitEvent } from './workspace-events.ts'

type InstallOptions = { installedBy: string; scopes: string[]; userScopes: string[] }

/** Installs the app, or adds scopes to its installation. A valid token stays valid. */
export function installApp(
  slack: Slack,
  { installedBy, scopes, userScopes }: InstallOptions,
): { userToken?: string } {
  const { app } = slack
  const previous = app.installation
  // The configured bot token is used until it has been revoked.
  const { botToken } = app.secrets
  const newToken = app.revoked.has(botToken) ? `xoxb-${slack.ids.secret()}` : botToken
  app.installation = {
    botToken: previous?.botToken ?? newToken,
    scopes: [...new Set([...(previous?.scopes ?? []), ...scopes])],
    installedBy,
    userTokens: previous?.userTokens ?? new Map(),
  }
  emitEvent(slack, { type: 'installed' })
  if (!userScopes.length) return {}
  const userToken = `xoxp-${slack.ids.secret()}`
  app.installation.userTokens.set(userToken, { user: installedBy, scopes: userScopes })
  return { userToken }
}

export function uninstallApp(slack: Slack): void {
  const { app } = slack
  if (!app.installation) return
  const { botToken, userTokens } = app.installation
  app.revoked.set(botToken, 'account_inactive')
  for (const token of userTokens.keys()) app.revoked.set(token, 'token_revoked')
  delete app.installation
  for (const { id, channel } of slack.scheduledMessages.values()) cancelScheduledMessage(slack, channel, id)
  slack.homes.clear()
  for (const session of slack.sessions.values()) closeAllViews(slack, session)
  for (const channel of slack.channels.values())
    if (channel.kind !== 'im') channel.members.delete(app.botUserId)
  const users = [...new Set([...userTokens.values()].map(({ user }) => user))]
  emitEvent(slack, { type: 'tokens_revoked', users, bots: [app.botUserId] })
  emitEvent(slack, { type: 'uninstalled' })
}

/** Revokes one user's token. The app stays installed. */
export function revokeUserToken(slack: Slack, token: string): void {
  const { installation, revoked } = slack.app
  const user = installation?.userTokens.get(token)?.user
  if (!installation?.userTokens.delete(token)) return
  revoked.set(token, 'token_revoked')
  emitEvent(slack, { type: 'tokens_revoked', users: user ? [user] : [], bots: [] })
}
