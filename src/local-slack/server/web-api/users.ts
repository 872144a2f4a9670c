import { isExternalTeam, teamOf } from '../workspace/teams.ts'
import { avatarUrls, isStranger, userRecord } from '../workspace/users.ts'
import { anyText, flag, pagingArgs, text } from './args.ts'
import { type Caller, defineMethod, errorResponse } from './method.ts'
import { takePage } from './paging.ts'

const canReadEmail = ({ scopes }: Caller) => scopes.includes('users:read.email')

export const userMethods = [
  defineMethod('team.info', {
    tier: 3,
    scopes: ['team:read'],
    args: { team: anyText.optional() },
    run: ({ slack, args }) => {
      const { id, name, domain, enterprise } = slack.team
      if (args.team && args.team !== id) return errorResponse('team_not_found')
      const icon = { ...avatarUrls(slack, id, [34, 44, 68, 88, 102, 132]), image_default: true }
      return {
        ok: true,
        team: {
          id,
          name,
          url: `${slack.url}/`,
          domain,
          email_domain: '',
          icon,
          is_verified: false,
          ...(enterprise && {
            enterprise_id: enterprise.id,
            enterprise_name: enterprise.name,
            enterprise_domain: enterprise.domain,
          }),
        },
      }
    },
  }),

  defineMethod('bots.info', {
    tier: 3,
    scopes: ['users:read'],
    args: { bot: text },
    run: ({ slack, args }) => {
      const { app } = slack
      if (args.bot !== app.botId) return errorResponse('bot_not_found')
      return {
        ok: true,
        bot: {
          id: app.botId,
          deleted: !app.installation,
          name: app.manifest.display_information.name,
          updated: 0,
          app_id: app.id,
          user_id: app.botUserId,
          icons: avatarUrls(slack, app.botUserId, [36, 48, 72]),
        },
      }
    },
  }),

  defineMethod('users.info', {
    tier: 4,
    scopes: ['users:read'],
    args: { user: text, include_locale: flag },
    run: ({ slack, caller, args }) => {
      const user = slack.users.get(args.user)
      if (!user) return errorResponse('user_not_found')
      const fields = { email: canReadEmail(caller), locale: args.include_locale ?? false }
      return { ok: true, user: userRecord(slack, user, fields) }
    },
  }),

  defineMethod('users.list', {
    tier: 2,
    scopes: ['users:read'],
    args: { ...pagingArgs(1000), include_locale: flag },
    run: ({ slack, caller, args }) => {
      const knownUsers = [...slack.users.values()].filter((user) => !isStranger(slack, user))
      const page = takePage(knownUsers, args)
      if ('errorResponse' in page) return page.errorResponse
      const fields = { email: canReadEmail(caller), locale: args.include_locale ?? false }
      return {
        ok: true,
        members: page.items.map((user) => userRecord(slack, user, fields)),
        cache_ts: Math.floor(slack.clock.now().getTime() / 1000),
        response_metadata: { next_cursor: page.next_cursor },
      }
    },
  }),

  defineMethod('users.lookupByEmail', {
    tier: 3,
    scopes: ['users:read.email'],
    args: { email: text },
    run: ({ slack, args }) => {
      const wantedEmail = args.email.toLowerCase()
      const user = [...slack.users.values()].find(
        ({ id, email, isDeactivated }) =>
          email?.toLowerCase() === wantedEmail && !isDeactivated && !isExternalTeam(slack, teamOf(slack, id)),
      )
      if (!user) return errorResponse('users_not_found')
      return { ok: true, user: userRecord(slack, user, { email: true, locale: false }) }
    },
  }),
]
