import { revokeUserToken, uninstallApp } from '../workspace/installation.ts'
import { redeemOauthCode } from '../workspace/oauth-codes.ts'
import { anyText, flag, text } from './args.ts'
import { defineMethod, errorResponse } from './method.ts'

export const authMethods = [
  defineMethod('api.test', {
    tier: 4,
    allowedTokens: 'none',
    args: { error: anyText.optional(), foo: anyText.optional() },
    run: ({ args }) => (args.error ? errorResponse(args.error, { args }) : { ok: true, args }),
  }),

  defineMethod('auth.test', {
    tier: 'special',
    allowedTokens: ['bot', 'user', 'app'],
    run: ({ slack, caller }) => {
      const { app, team, url } = slack
      if (caller.kind === 'app')
        return { ok: true, app_name: app.manifest.display_information.name, app_id: app.id }
      return {
        ok: true,
        url: `${url}/`,
        team: team.name,
        user: slack.users.get(caller.user)?.handle,
        team_id: team.id,
        ...(team.enterprise && { enterprise_id: team.enterprise.id }),
        user_id: caller.user,
        ...(caller.kind === 'bot' && { bot_id: app.botId }),
        is_enterprise_install: false,
      }
    },
  }),

  defineMethod('auth.revoke', {
    tier: 3,
    args: { test: flag },
    run: ({ slack, caller, args }) => {
      if (args.test) return { ok: true, revoked: false }
      if (caller.kind === 'bot') uninstallApp(slack)
      else revokeUserToken(slack, caller.token)
      return { ok: true, revoked: true }
    },
  }),

  defineMethod('oauth.v2.access', {
    tier: 'special',
    allowedTokens: 'none',
    args: { client_id: text, client_secret: text, code: text, redirect_uri: anyText.optional() },
    run: ({ slack, args }) => {
      const { app, team } = slack
      if (args.client_id !== app.secrets.clientId) return errorResponse('invalid_client_id')
      if (args.client_secret !== app.secrets.clientSecret) return errorResponse('bad_client_secret')
      const redeemed = redeemOauthCode(slack, args)
      if ('error' in redeemed) return errorResponse(redeemed.error)
      const { approval, userToken } = redeemed
      return {
        ok: true,
        app_id: app.id,
        authed_user: {
          id: approval.user,
          ...(userToken && {
            scope: approval.userScopes.join(','),
            access_token: userToken,
            token_type: 'user',
          }),
        },
        scope: app.installation?.scopes.join(','),
        token_type: 'bot',
        access_token: app.installation?.botToken,
        bot_user_id: app.botUserId,
        team: { id: team.id, name: team.name },
        enterprise: team.enterprise ? { id: team.enterprise.id, name: team.enterprise.name } : null,
        is_enterprise_install: false,
      }
    },
  }),

  defineMethod('apps.connections.open', {
    tier: 3,
    scopes: ['connections:write'],
    allowedTokens: ['app'],
    run: ({ slack }) => {
      if (!slack.socketMode) return errorResponse('socket_mode_not_enabled')
      return { ok: true, url: slack.socketMode.createSocketUrl() }
    },
  }),

  defineMethod('apps.uninstall', {
    tier: 1,
    args: { client_id: text, client_secret: text },
    run: ({ slack, args }) => {
      const { clientId, clientSecret } = slack.app.secrets
      if (args.client_id !== clientId) return errorResponse('invalid_client_id')
      if (args.client_secret !== clientSecret) return errorResponse('bad_client_secret')
      uninstallApp(slack)
      return { ok: true }
    },
  }),
]
