import { z } from 'zod'
import { addMessage, messageAt } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { deed, done, failed } from './deed.ts'
import { findChannel } from './place.ts'
import { markWords, wordsIn } from './words.ts'

const params = z.object({
  channel: z.string(),
  text: z.string().max(40_000),
  thread_ts: z.string().optional(),
  files: z.array(z.string()).optional(),
})

export const sendMessage = deed(params, async ({ slack, desk, params }) => {
  const { text, thread_ts, files = [] } = params
  const channel = findChannel(slack, desk, params.channel)
  if (!channel) return failed('There is no such channel.')
  if (!channel.members.has(desk.user)) return failed('Join the channel first.')
  if (channel.kind === 'im' && channel.members.has(slack.app.botUser) && !mayWriteToApp(slack))
    return failed('Sending messages to this app has been turned off.')
  if (thread_ts && !messageAt(channel, thread_ts)) return failed('That message is gone.')
  if (!text.trim() && !files.length) return failed('There is nothing to send.')
  const given = files.flatMap((id) => slack.files.get(id) ?? [])
  addMessage(slack, channel, {
    user: desk.user,
    client_msg_id: slack.ids.uuid(),
    text: markWords(slack, text),
    ...(text.trim() && {
      blocks: [
        {
          type: 'rich_text',
          block_id: slack.ids.short(),
          elements: [{ type: 'rich_text_section', elements: wordsIn(slack, text) }],
        },
      ],
    }),
    ...(thread_ts && { thread_ts }),
    ...(given.length > 0 && { subtype: 'file_share', files: given.map(({ id }) => id) }),
  })
  return done
})

function mayWriteToApp({ app }: Slack): boolean {
  const { messages_tab_enabled, messages_tab_read_only_enabled } = app.manifest.features.app_home
  return messages_tab_enabled && !messages_tab_read_only_enabled
}
