import type { Channel } from '../workspace/channels.ts'
import { addMessage } from '../workspace/messages.ts'
import { SLACKBOT } from '../workspace/people.ts'
import type { Slack } from '../workspace/slack.ts'

/** What Slack itself says, to one person. */
export function tellAlone(slack: Slack, user: string, channel: Channel, text: string): void {
  addMessage(slack, channel, { user: SLACKBOT, text, only: user })
}
