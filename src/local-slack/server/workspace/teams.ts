import type { Channel, Team } from './entities.ts'
import type { Slack } from './slack.ts'

/** The workspace that a user belongs to. */
export function teamOf({ team, otherTeams, users }: Slack, userId: string): Team {
  return otherTeams.get(users.get(userId)?.teamId ?? '') ?? team
}

/** Whether a user belongs to another workspace than the one in which the app is installed. */
export const isFromOtherTeam = (slack: Slack, userId: string): boolean => teamOf(slack, userId) !== slack.team

/** Whether a workspace belongs to another organization. */
export const isExternalTeam = ({ team }: Slack, { id, enterprise }: Team): boolean =>
  id !== team.id && (!enterprise || enterprise.id !== team.enterprise?.id)

/** The other workspaces that share a channel. A direct message is shared by the workspaces of its members. */
export function otherTeamsIn(slack: Slack, { kind, sharedWith, members }: Channel): Team[] {
  const isDirect = kind === 'im' || kind === 'mpim'
  const ids = new Set(isDirect ? [...members].map((member) => teamOf(slack, member).id) : sharedWith)
  return [...slack.otherTeams.values()].filter(({ id }) => ids.has(id))
}

/** Whether another organization shares a channel. */
export const isExternallyShared = (slack: Slack, channel: Channel): boolean =>
  otherTeamsIn(slack, channel).some((team) => isExternalTeam(slack, team))
