import { redeemCode } from '../workspace/oauth-codes.ts'
import { anyText, text } from './args.ts'
import { method, refuse } from './method.ts'

export const oauthMethods = [
  method('oauth.v2.access', {
    tier: 'special',
    token: 'none',
    args: { client_id: text, client_secret: text, code: text, redirect_uri: anyText.optional() },
    run: ({ slack, args }) => {
      const { app, team } = slack
      if (args.client_id !== app.secrets.clientId) return refuse('invalid_client_id')
      if (args.client_secret !== app.secrets.clientSecret) return refuse('bad_client_secret')
      const redeemed = redeemCode(slack, args)
      if ('refusal' in redeemed) return refuse(redeemed.refusal)
      const { agreed, userToken } = redeemed
      return {
        ok: true,
        app_id: app.id,
        authed_user: {
          id: agreed.user,
          ...(userToken && {
            scope: agreed.userScopes.join(','),
            access_token: userToken,
            token_type: 'user',
          }),
        },
        scope: app.installation?.scopes.join(','),
        token_type: 'bot',
        access_token: app.installation?.botToken,
        bot_user_id: app.botUser,
        team: { id: team.id, name: team.name },
        enterprise: null,
        is_enterprise_install: false,
      }
    },
  }),
]
