import { pictures } from '../workspace/people.ts'
import { anyText, text } from './args.ts'
import { method, refuse } from './method.ts'

export const teamMethods = [
  method('team.info', {
    tier: 3,
    scopes: ['team:read'],
    args: { team: anyText.optional() },
    run: ({ slack, args }) => {
      const { id, name, domain } = slack.team
      if (args.team && args.team !== id) return refuse('team_not_found')
      const icon = { ...pictures(slack, id, [34, 44, 68, 88, 102, 132]), image_default: true }
      return {
        ok: true,
        team: { id, name, url: `${slack.url}/`, domain, email_domain: '', icon, is_verified: false },
      }
    },
  }),

  method('bots.info', {
    tier: 3,
    scopes: ['users:read'],
    args: { bot: text },
    run: ({ slack, args }) => {
      const { app } = slack
      if (args.bot !== app.botId) return refuse('bot_not_found')
      return {
        ok: true,
        bot: {
          id: app.botId,
          deleted: !app.installation,
          name: app.manifest.display_information.name,
          updated: 0,
          app_id: app.id,
          user_id: app.botUser,
          icons: pictures(slack, app.botUser, [36, 48, 72]),
        },
      }
    },
  }),
]
