import type { Manifest } from '../../manifest.ts'
import type { Ids } from './ids.ts'

/** The values that Slack shows an app's developer under "Basic Information" and "Install App". */
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
  installedBy: string
  userTokens: Map<string, UserToken>
}

export type UserToken = { user: string; scopes: string[] }

export type App = {
  id: string
  botId: string
  /** The bot's user, which stays when the app is uninstalled. */
  botUserId: string
  manifest: Manifest
  secrets: Secrets
  /** Revoked tokens, with the error that their use returns. */
  revoked: Map<string, 'account_inactive' | 'token_revoked'>
  installation?: Installation
}

export function createApp(ids: Ids, manifest: Manifest, secrets: Partial<Secrets>): App {
  const id = ids.next('A')
  return {
    id,
    botId: ids.next('B'),
    botUserId: ids.next('U'),
    manifest,
    revoked: new Map(),
    secrets: {
      clientId: secrets.clientId ?? `local.${id.toLowerCase()}`,
      clientSecret: secrets.clientSecret ?? ids.secret(),
      signingSecret: secrets.signingSecret ?? ids.secret(),
      verificationToken: secrets.verificationToken ?? ids.secret(),
      appToken: secrets.appToken ?? `xapp-1-${id}-${ids.secret()}`,
      botToken: secrets.botToken ?? `xoxb-${ids.secret()}`,
    },
  }
}
