import type { SlackUser, Workspace } from './user-directory.ts'

export type Role =
  | 'admin'
  | 'member'
  | 'guest'
  /** A person from another organization, in a shared channel. */
  | 'external'
  /** A bot, a former member, or a user whom Slack doesn't know. */
  | 'inactive'

const SLACKBOT_ID = 'USLACKBOT'

/** Admins of another workspace have no extra rights here. `admins` are the ids of additional admins. */
export function roleOf(user: SlackUser | undefined, workspace: Workspace, admins: string[]): Role {
  if (!user || user.deleted || user.is_bot || user.id === SLACKBOT_ID) return 'inactive'
  if (user.is_stranger || !isInOrganization(user, workspace)) return 'external'
  const isWorkspaceAdmin = user.team_id === workspace.team_id && (user.is_admin || user.is_owner)
  const isOrganizationAdmin = user.enterprise_user?.is_admin || user.enterprise_user?.is_owner
  if (isWorkspaceAdmin || isOrganizationAdmin || admins.includes(user.id ?? '')) return 'admin'
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member'
}

function isInOrganization({ team_id, enterprise_user }: SlackUser, workspace: Workspace): boolean {
  if (team_id && team_id === workspace.team_id) return true
  const { enterprise_id } = workspace
  return enterprise_id !== undefined && enterprise_user?.enterprise_id === enterprise_id
}
