import { z } from 'zod'
import * as messages from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import { findVisibleChannel, findVisibleMessage, MessageId } from './container.ts'
import { toMrkdwn, toRichText } from './format-text.ts'
import { DONE, defineUserAction, failure } from './user-action.ts'

const MESSAGE_NOT_FOUND = 'This message no longer exists.'

const SendMessageArgs = z.object({
  channel: z.string(),
  text: z.string().max(40_000),
  thread_ts: z.string().optional(),
  files: z.array(z.string()).optional(),
})

export const sendMessage = defineUserAction(SendMessageArgs, async ({ slack, session, args }) => {
  const { text, thread_ts, files: fileIds = [] } = args
  const channel = findVisibleChannel(slack, session, args.channel)
  if (!channel) return failure("This channel doesn't exist.")
  if (channel.archived) return failure('This channel is archived.')
  if (!channel.members.has(session.user)) return failure('Join the channel first.')
  if (channel.kind === 'im' && channel.members.has(slack.app.botUserId) && !canMessageApp(slack))
    return failure('Sending messages to this app has been turned off.')
  if (thread_ts && !messages.findPublicMessage(channel, thread_ts)) return failure(MESSAGE_NOT_FOUND)
  if (!text.trim() && !fileIds.length) return failure('Enter a message or add a file.')
  const files = fileIds.filter((id) => slack.files.has(id))
  messages.addMessage(slack, channel, {
    user: session.user,
    client_msg_id: slack.ids.uuid(),
    text: toMrkdwn(slack, text),
    ...(text.trim() && {
      blocks: [
        {
          type: 'rich_text',
          block_id: slack.ids.short(),
          elements: [{ type: 'rich_text_section', elements: toRichText(slack, text) }],
        },
      ],
    }),
    ...(thread_ts && { thread_ts }),
    ...(files.length > 0 && { subtype: 'file_share', files }),
  })
  return DONE
})

function canMessageApp({ app }: Slack): boolean {
  const { messages_tab_enabled, messages_tab_read_only_enabled } = app.manifest.features.app_home
  return messages_tab_enabled && !messages_tab_read_only_enabled
}

const AddReactionArgs = z.object({ message: MessageId, name: z.string().regex(/^[\p{L}\p{N}_+'-]+$/u) })

export const addReaction = defineUserAction(AddReactionArgs, async ({ slack, session, args }) => {
  const target = findVisibleMessage(slack, session, args.message)
  if (!target) return failure(MESSAGE_NOT_FOUND)
  messages.addReaction(slack, target.message, session.user, args.name)
  return DONE
})
