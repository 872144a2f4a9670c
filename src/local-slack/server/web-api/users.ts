import { userRecord } from '../workspace/people.ts'
import { flag, paging, text } from './args.ts'
import { type Caller, method, refuse } from './method.ts'
import { pageOf } from './pages.ts'

const mayReadEmail = ({ scopes }: Caller) => scopes.includes('users:read.email')

export const userMethods = [
  method('users.info', {
    tier: 4,
    scopes: ['users:read'],
    args: { user: text, include_locale: flag },
    run: ({ slack, caller, args }) => {
      const person = slack.people.get(args.user)
      if (!person) return refuse('user_not_found')
      const reveal = { email: mayReadEmail(caller), locale: args.include_locale ?? false }
      return { ok: true, user: userRecord(slack, person, reveal) }
    },
  }),

  method('users.list', {
    tier: 2,
    scopes: ['users:read'],
    args: { ...paging(1000), include_locale: flag },
    run: ({ slack, caller, args }) => {
      const page = pageOf([...slack.people.values()], args)
      if ('refusal' in page) return page.refusal
      const reveal = { email: mayReadEmail(caller), locale: args.include_locale ?? false }
      return {
        ok: true,
        members: page.items.map((person) => userRecord(slack, person, reveal)),
        cache_ts: Math.floor(slack.clock.now().getTime() / 1000),
        response_metadata: { next_cursor: page.next_cursor },
      }
    },
  }),

  method('users.lookupByEmail', {
    tier: 3,
    scopes: ['users:read.email'],
    args: { email: text },
    run: ({ slack, args }) => {
      const wanted = args.email.toLowerCase()
      const person = [...slack.people.values()].find(({ email }) => email?.toLowerCase() === wanted)
      if (!person) return refuse('users_not_found')
      return { ok: true, user: userRecord(slack, person, { email: true, locale: false }) }
    },
  }),
]
