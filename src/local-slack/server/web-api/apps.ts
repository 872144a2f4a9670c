import { uninstall } from '../workspace/app.ts'
import { text } from './args.ts'
import { method, refuse } from './method.ts'

export const appMethods = [
  method('apps.connections.open', {
    tier: 3,
    scopes: ['connections:write'],
    token: ['app'],
    run: ({ slack }) => {
      if (!slack.socketMode) return refuse('socket_mode_not_enabled')
      return { ok: true, url: slack.socketMode.makeAddress() }
    },
  }),

  method('apps.uninstall', {
    tier: 1,
    args: { client_id: text, client_secret: text },
    run: ({ slack, args }) => {
      const { clientId, clientSecret } = slack.app.secrets
      if (args.client_id !== clientId) return refuse('invalid_client_id')
      if (args.client_secret !== clientSecret) return refuse('bad_client_secret')
      uninstall(slack)
      return { ok: true }
    },
  }),
]
