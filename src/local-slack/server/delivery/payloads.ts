import { channelRecord } from '../workspace/channels.ts'
import type { Channel } from '../workspace/entities.ts'
import type { Slack } from '../workspace/slack.ts'

/** The fields that every interaction payload has. */
export function interactionFields(slack: Slack, user: string) {
  const { app, team } = slack
  const name = slack.users.get(user)?.handle
  return {
    user: { id: user, username: name, name, team_id: team.id },
    api_app_id: app.id,
    token: app.secrets.verificationToken,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  }
}

/** The channel name in payloads to the app, which differs for private channels and direct messages. */
export function channelNameForApp(slack: Slack, channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage'
  return channel.kind === 'private' ? 'privategroup' : String(channelRecord(slack, channel, '').name)
}
