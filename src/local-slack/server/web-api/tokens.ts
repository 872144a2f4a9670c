import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../workspace/app.ts'
import type { Caller } from './method.ts'

export const readBearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (.+)$/i.exec(authorization)?.[1]

/** Finds the caller for a valid token. */
export function findTokenOwner({ secrets, installation, botUserId }: App, token: string): Caller | undefined {
  if (token === secrets.appToken)
    return { kind: 'app', user: botUserId, scopes: ['connections:write'], token }
  if (!installation) return undefined
  if (token === installation.botToken)
    return { kind: 'bot', user: botUserId, scopes: installation.scopes, token }
  const userToken = installation.userTokens.get(token)
  return userToken && { kind: 'user', ...userToken, token }
}
