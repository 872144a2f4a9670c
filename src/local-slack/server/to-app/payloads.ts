import { type Channel, channelRecord } from '../workspace/channels.ts'
import type { Slack } from '../workspace/slack.ts'

/** What every interaction says of itself. */
export function interaction(slack: Slack, user: string) {
  const { app, team } = slack
  const name = slack.people.get(user)?.handle
  return {
    user: { id: user, username: name, name, team_id: team.id },
    api_app_id: app.id,
    token: app.secrets.verificationToken,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  }
}

/** What Slack calls a channel towards an app. */
export function channelName(slack: Slack, channel: Channel): string {
  if (channel.kind === 'im') return 'directmessage'
  return channel.kind === 'private' ? 'privategroup' : String(channelRecord(slack, channel, '').name)
}
