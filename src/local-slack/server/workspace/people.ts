import { DateTime } from 'luxon'
import type { Slack } from './slack.ts'

export type Role = 'owner' | 'admin' | 'member' | 'guest' | 'bot'

export type Person = {
  id: string
  handle: string
  name: string
  title: string
  role: Role
  locale: string
  email?: string
  tz?: string
}

export const mayManageApps = (person: Person | undefined): boolean =>
  person?.role === 'owner' || person?.role === 'admin'

/** Slack itself, when it speaks. */
export const SLACKBOT = 'USLACKBOT'

export const personByHandle = ({ people }: Slack, handle: string): Person | undefined =>
  [...people.values()].find((person) => person.handle === handle)

type Reveal = { email: boolean; locale: boolean }

/** A person as users.info tells of them. */
export function userRecord(slack: Slack, person: Person, reveal: Reveal) {
  const bot = person.id === slack.app.botUser
  return {
    id: person.id,
    team_id: slack.team.id,
    name: person.handle,
    deleted: false,
    color: '4a7c59',
    real_name: person.name,
    ...(person.tz && zoneRecord(person.tz, slack.clock.now())),
    profile: {
      title: person.title,
      phone: '',
      skype: '',
      real_name: person.name,
      real_name_normalized: person.name,
      display_name: person.handle,
      display_name_normalized: person.handle,
      status_text: '',
      status_emoji: '',
      team: slack.team.id,
      ...pictures(slack, person.id, [24, 32, 48, 72, 192, 512]),
      ...(reveal.email && person.email && { email: person.email }),
      ...(bot && { bot_id: slack.app.botId, api_app_id: slack.app.id, always_active: true }),
    },
    is_admin: person.role === 'owner' || person.role === 'admin',
    is_owner: person.role === 'owner',
    is_primary_owner: person.role === 'owner' && isFirstOwner(slack, person),
    is_restricted: person.role === 'guest',
    is_ultra_restricted: false,
    is_bot: bot,
    is_app_user: false,
    is_email_confirmed: !bot,
    updated: Math.floor(slack.clock.now().getTime() / 1000),
    ...(reveal.locale && { locale: person.locale }),
  }
}

function zoneRecord(tz: string, now: Date) {
  const there = DateTime.fromJSDate(now, { zone: tz })
  return { tz, tz_label: there.toFormat('ZZZZZ', { locale: 'en' }), tz_offset: there.offset * 60 }
}

const isFirstOwner = ({ people }: Slack, person: Person) =>
  [...people.values()].find(({ role }) => role === 'owner') === person

/** A picture of somebody, or of the team, in as many sizes as Slack has. */
export const pictures = ({ url }: Slack, id: string, sizes: number[]): Record<string, string> =>
  Object.fromEntries(sizes.map((size) => [`image_${size}`, `${url}/avatars/${id}.svg?s=${size}`]))
