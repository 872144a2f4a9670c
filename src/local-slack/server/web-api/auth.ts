import { revokeUserToken, uninstall } from '../workspace/app.ts'
import { anyText, flag } from './args.ts'
import { method, refuse } from './method.ts'

export const authMethods = [
  method('api.test', {
    tier: 4,
    token: 'none',
    args: { error: anyText.optional(), foo: anyText.optional() },
    run: ({ args }) => (args.error ? refuse(args.error, { args }) : { ok: true, args }),
  }),

  method('auth.test', {
    tier: 'special',
    token: ['bot', 'user', 'app'],
    run: ({ slack, caller }) => {
      const { app, team, url } = slack
      if (caller.kind === 'app')
        return { ok: true, app_name: app.manifest.display_information.name, app_id: app.id }
      return {
        ok: true,
        url: `${url}/`,
        team: team.name,
        user: slack.people.get(caller.user)?.handle,
        team_id: team.id,
        user_id: caller.user,
        ...(caller.kind === 'bot' && { bot_id: app.botId }),
        is_enterprise_install: false,
      }
    },
  }),

  method('auth.revoke', {
    tier: 3,
    args: { test: flag },
    run: ({ slack, caller, args }) => {
      if (args.test) return { ok: true, revoked: false }
      if (caller.kind === 'bot') uninstall(slack)
      else revokeUserToken(slack, caller.token)
      return { ok: true, revoked: true }
    },
  }),
]
