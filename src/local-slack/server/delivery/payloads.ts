import type { Channel, Team } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'
import { teamOf } from '../workspace/teams.ts'

/** The fields that every interaction payload has. `team` is the workspace of the app, if not said otherwise. */
export function interactionFields(slack: Slack, user: string, team: Team = slack.team) {
  const { app } = slack
  const name = slack.users.get(user)?.handle
  const { enterprise } = team
  return {
    user: { id: user, username: name, name, team_id: teamOf(slack, user).id },
    api_app_id: app.id,
    token: app.secrets.verificationToken,
    team: {
      id: team.id,
      domain: team.domain,
      ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    },
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: false,
  }
}

/**
 * The fields of `view_submission` and `view_closed`. Unlike in a `block_actions` payload, `team` is the workspace of the
 * user; only `view.app_installed_team_id` is the workspace of the app.
 */
export const viewInteractionFields = (slack: Slack, user: string) =>
  interactionFields(slack, user, teamOf(slack, user))

/** The channel name in payloads to the app, which differs for private channels and direct messages. */
export function channelNameForApp({ kind, name }: Channel): string {
  if (kind === 'im') return 'directmessage'
  return kind === 'private' ? 'privategroup' : name
}
