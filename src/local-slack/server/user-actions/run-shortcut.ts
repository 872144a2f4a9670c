import { z } from 'zod'
import { channelNameForApp, interactionFields } from '../delivery/payloads.ts'
import { describeActionFailure, sendToApp } from '../delivery/send-to-app.ts'
import { messageRecord } from '../workspace/messages.ts'
import { createResponseUrl } from '../workspace/response-urls.ts'
import { createTrigger } from '../workspace/triggers.ts'
import { findVisibleMessage, MessageId } from './container.ts'
import { DONE, defineUserAction, failure, findAppRefusal } from './user-action.ts'

const Args = z.object({
  callback_id: z.string(),
  /** The message, for a message shortcut. */
  message: MessageId.optional(),
})

export const runShortcut = defineUserAction(Args, async ({ slack, session, args }) => {
  const refusal = findAppRefusal({ slack, session })
  if (refusal) return failure(refusal)
  const { callback_id, message: messageId } = args
  const type = messageId ? 'message' : 'global'
  const exists = slack.app.manifest.features.shortcuts.some(
    (shortcut) => shortcut.callback_id === callback_id && shortcut.type === type,
  )
  if (!exists) return failure("This shortcut doesn't exist.")
  const target = messageId && findVisibleMessage(slack, session, messageId)
  if (messageId && !target) return failure('This message no longer exists.')
  const messageFields = target && {
    channel: { id: target.channel.id, name: channelNameForApp(target.channel) },
    message_ts: target.message.ts,
    message: messageRecord(slack, target.message),
    response_url: createResponseUrl(slack, 'actions', { channel: target.channel.id, user: session.user }),
  }
  const result = await sendToApp(slack, {
    type: 'interactive',
    payload: {
      type: target ? 'message_action' : 'shortcut',
      ...interactionFields(slack, session.user),
      callback_id,
      action_ts: slack.ids.ts(),
      trigger_id: createTrigger(slack, session),
      ...messageFields,
    },
  })
  return 'failure' in result ? failure(describeActionFailure(result)) : DONE
})
