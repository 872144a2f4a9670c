import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../workspace/app.ts'
import type { Caller } from './method.ts'

export const bearerToken = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /^Bearer (.+)$/i.exec(authorization)?.[1]

/** Whose token it is, if it is good. */
export function bearerOf({ secrets, installation, botUser }: App, token: string): Caller | undefined {
  if (token === secrets.appToken) return { kind: 'app', user: botUser, scopes: ['connections:write'], token }
  if (!installation) return undefined
  if (token === installation.botToken)
    return { kind: 'bot', user: botUser, scopes: installation.scopes, token }
  const user = installation.userTokens.get(token)
  return user && { kind: 'user', ...user, token }
}
