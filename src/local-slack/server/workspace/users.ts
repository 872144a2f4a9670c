import { DateTime } from 'luxon'
import type { User } from './entities.ts'
import type { Slack } from './slack.ts'

export const canManageApps = (user: User | undefined): boolean =>
  user?.role === 'owner' || user?.role === 'admin'

/** The author of Slack's own messages. */
export const SLACKBOT_ID = 'USLACKBOT'

export const findUserByHandle = ({ users }: Slack, handle: string): User | undefined =>
  [...users.values()].find((user) => user.handle === handle)

/** The fields that an app sees only with a scope or on request. */
type OptionalFields = { email: boolean; locale: boolean }

/** A user in the form of Slack's API. */
export function userRecord(slack: Slack, user: User, include: OptionalFields) {
  const isBot = user.id === slack.app.botUserId
  return {
    id: user.id,
    team_id: slack.team.id,
    name: user.handle,
    deleted: false,
    color: '4a7c59',
    real_name: user.name,
    ...(user.tz && zoneRecord(user.tz, slack.clock.now())),
    profile: {
      title: user.title,
      phone: '',
      skype: '',
      real_name: user.name,
      real_name_normalized: user.name,
      display_name: user.handle,
      display_name_normalized: user.handle,
      status_text: '',
      status_emoji: '',
      team: slack.team.id,
      ...avatarUrls(slack, user.id, [24, 32, 48, 72, 192, 512]),
      ...(include.email && user.email && { email: user.email }),
      ...(isBot && { bot_id: slack.app.botId, api_app_id: slack.app.id, always_active: true }),
    },
    is_admin: user.role === 'owner' || user.role === 'admin',
    is_owner: user.role === 'owner',
    is_primary_owner: user.role === 'owner' && isFirstOwner(slack, user),
    is_restricted: user.role === 'guest',
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    is_email_confirmed: !isBot,
    updated: Math.floor(slack.clock.now().getTime() / 1000),
    ...(include.locale && { locale: user.locale }),
  }
}

function zoneRecord(tz: string, now: Date) {
  const localTime = DateTime.fromJSDate(now, { zone: tz })
  return { tz, tz_label: localTime.toFormat('ZZZZZ', { locale: 'en' }), tz_offset: localTime.offset * 60 }
}

const isFirstOwner = ({ users }: Slack, user: User) =>
  [...users.values()].find(({ role }) => role === 'owner') === user

/** The avatar of a user, or of the team, by size. */
export const avatarUrls = ({ url }: Slack, id: string, sizes: number[]): Record<string, string> =>
  Object.fromEntries(sizes.map((size) => [`image_${size}`, `${url}/avatars/${id}.svg?s=${size}`]))
