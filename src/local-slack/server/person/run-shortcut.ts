import { z } from 'zod'
import { askApp } from '../to-app/ask-app.ts'
import { actionFailed } from '../to-app/failure-words.ts'
import { channelName, interaction } from '../to-app/payloads.ts'
import { messageRecord } from '../workspace/messages.ts'
import { makeResponseUrl } from '../workspace/response-urls.ts'
import { makeTrigger } from '../workspace/triggers.ts'
import { deed, done, failed } from './deed.ts'
import { findPlace } from './place.ts'

const params = z.object({
  callback_id: z.string(),
  /** A message shortcut is used on one. */
  message: z.object({ channel: z.string(), ts: z.string() }).optional(),
})

export const runShortcut = deed(params, async ({ slack, desk, params }) => {
  const { callback_id, message: at } = params
  const type = at ? 'message' : 'global'
  const known = slack.app.manifest.features.shortcuts.some(
    (one) => one.callback_id === callback_id && one.type === type,
  )
  if (!known) return failed('There is no such shortcut.')
  const place = at && findPlace(slack, desk, at)
  if (at && (!place || 'view' in place)) return failed('That message is gone.')
  const on = place &&
    !('view' in place) && {
      channel: { id: place.channel.id, name: channelName(slack, place.channel) },
      message_ts: place.message.ts,
      message: messageRecord(slack, place.message),
      response_url: makeResponseUrl(slack, {
        for: 'actions',
        channel: place.channel.id,
        user: desk.user,
      }),
    }
  const carried = await askApp(slack, {
    type: 'interactive',
    payload: {
      type: on ? 'message_action' : 'shortcut',
      ...interaction(slack, desk.user),
      callback_id,
      action_ts: slack.ids.ts(),
      trigger_id: makeTrigger(slack, { desk: desk.id, user: desk.user }),
      ...on,
    },
  })
  return 'failure' in carried ? failed(actionFailed(carried)) : done
})
