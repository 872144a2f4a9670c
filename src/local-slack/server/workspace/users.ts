import { DateTime } from 'luxon'
import type { Role, Team, User } from './entities.ts'
import type { Slack } from './slack.ts'
import { isExternalTeam, isFromOtherTeam, teamOf } from './teams.ts'
import { emitEvent } from './workspace-events.ts'

const isAdmin = ({ role }: User) => role === 'owner' || role === 'admin'

export const isGuest = (user: User | undefined): boolean =>
  user?.role === 'guest' || user?.role === 'single_channel_guest'

export const isBot = ({ role }: User): boolean => role === 'bot' || role === 'workflow_bot'

export const canManageApps = (slack: Slack, user: User): boolean =>
  isAdmin(user) && !user.isDeactivated && !isFromOtherTeam(slack, user.id)

/** The author of Slack's own messages. */
export const SLACKBOT_ID = 'USLACKBOT'

export const findUserByHandle = ({ users }: Slack, handle: string): User | undefined =>
  [...users.values()].find((user) => user.handle === handle)

export type NewUser = Pick<User, 'handle' | 'name' | 'title' | 'role' | 'locale'> & {
  deactivated: boolean
  email?: string | undefined
  tz?: string | undefined
}

export function addUser(slack: Slack, team: Team, { email, tz, deactivated, ...fields }: NewUser): User {
  const { users, ids } = slack
  const id = ids.next('U')
  const isApp = fields.role === 'bot' || fields.role === 'workflow_bot'
  const user: User = {
    ...fields,
    id,
    teamId: team.id,
    isDeactivated: deactivated,
    ...(isApp
      ? { app: { id: ids.next('A'), botId: ids.next('B') } }
      : { email: email ?? `${fields.handle}@${team.domain}.example` }),
    ...(tz && { tz }),
  }
  users.set(id, user)
  return user
}

/** Changes a user's role, or deactivates or reactivates the user. */
export function updateUser(slack: Slack, user: User, change: { role?: Role; isDeactivated?: boolean }): void {
  Object.assign(user, change)
  emitEvent(slack, { type: 'user_changed', user })
}

/** Whether a user of another workspace shares no channel that the app can see. */
export const isStranger = (slack: Slack, { id }: User): boolean =>
  isFromOtherTeam(slack, id) &&
  ![...slack.channels.values()].some(
    ({ kind, members }) => members.has(id) && (kind === 'public' || members.has(slack.app.botUserId)),
  )

/** The fields that an app sees only with a scope or on request. */
type OptionalFields = { email: boolean; locale: boolean }

/** A user in the form of Slack's API. */
export function userRecord(slack: Slack, user: User, include: OptionalFields) {
  const team = teamOf(slack, user.id)
  const fields = {
    id: user.id,
    team_id: team.id,
    name: user.handle,
    deleted: user.isDeactivated,
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
      team: team.id,
      ...avatarUrls(slack, user.id, [24, 32, 48, 72, 192, 512]),
      // Other organizations don't show the email addresses of their users.
      ...(include.email && user.email && !isExternalTeam(slack, team) && { email: user.email }),
      ...(user.app && { bot_id: user.app.botId, api_app_id: user.app.id, always_active: true }),
    },
    // Slackbot doesn't count as a bot.
    is_bot: isBot(user) && user.id !== SLACKBOT_ID,
    is_app_user: false,
    ...(isBot(user) && { is_workflow_bot: user.role === 'workflow_bot' }),
    ...(isFromOtherTeam(slack, user.id) && { is_stranger: isStranger(slack, user) }),
    updated: Math.floor(slack.clock.now().getTime() / 1000),
  }
  // A deactivated user has no roles, no time zone and no locale.
  if (user.isDeactivated) return fields
  return {
    ...fields,
    is_admin: isAdmin(user),
    is_owner: user.role === 'owner',
    color: '4a7c59',
    real_name: user.name,
    ...(user.tz && zoneRecord(user.tz, slack.clock.now())),
    is_primary_owner: isPrimaryOwner(slack, user),
    is_restricted: isGuest(user),
    is_ultra_restricted: user.role === 'single_channel_guest',
    is_email_confirmed: !isBot(user),
    ...(team.enterprise && {
      enterprise_user: {
        id: user.id,
        enterprise_id: team.enterprise.id,
        enterprise_name: team.enterprise.name,
        // Roles in the organization. Seeds only have roles in a workspace.
        is_admin: false,
        is_owner: false,
        teams: [team.id],
      },
    }),
    ...(include.locale && { locale: user.locale }),
  }
}

function zoneRecord(tz: string, now: Date) {
  const localTime = DateTime.fromJSDate(now, { zone: tz })
  return { tz, tz_label: localTime.toFormat('ZZZZZ', { locale: 'en' }), tz_offset: localTime.offset * 60 }
}

/** The first owner of a workspace is its primary owner. */
const isPrimaryOwner = ({ users }: Slack, user: User) =>
  [...users.values()].find(({ role, teamId }) => role === 'owner' && teamId === user.teamId) === user

/** The avatar of a user, or of the team, by size. */
export const avatarUrls = ({ url }: Slack, id: string, sizes: number[]): Record<string, string> =>
  Object.fromEntries(sizes.map((size) => [`image_${size}`, `${url}/avatars/${id}.svg?s=${size}`]))
