import type { Option, OptionGroup } from '@slack/types'
import { z } from 'zod'
import { option, optionGroup } from '../../blocks/objects.ts'
import { actionFailed } from '../to-app/failure-words.ts'
import { channelName, interaction } from '../to-app/payloads.ts'
import { messageRecord } from '../workspace/messages.ts'
import { note } from '../workspace/sent.ts'
import { viewRecord } from '../workspace/views.ts'
import { deed, failed } from './deed.ts'
import { elementAt, findPlace, PlaceParams } from './place.ts'

const params = z.object({
  at: PlaceParams,
  block_id: z.string(),
  action_id: z.string(),
  value: z.string(),
})

const Suggestions = z.union([
  z.object({ options: z.array(option).max(100) }),
  z.object({ option_groups: z.array(optionGroup).max(100) }),
])

export type Suggested = { options: Option[] } | { option_groups: OptionGroup[] }

/** Asks the app what an external select offers for what was typed so far. */
export const askOptions = deed(params, async ({ slack, desk, params }) => {
  const place = findPlace(slack, desk, params.at)
  const placed = place && elementAt(place, params)
  if (!place || !placed) return failed('That is gone.')
  const { value, action_id, block_id } = params
  const where =
    'view' in place
      ? {
          container: { type: 'view', view_id: place.view.id },
          view: viewRecord(slack, place.view),
        }
      : {
          container: {
            type: 'message',
            message_ts: place.message.ts,
            channel_id: place.channel.id,
            is_ephemeral: Boolean(place.message.only),
          },
          channel: { id: place.channel.id, name: channelName(slack, place.channel) },
          message: messageRecord(slack, place.message),
        }
  const payload = {
    type: 'block_suggestion',
    ...interaction(slack, desk.user),
    ...where,
    action_id,
    block_id,
    value,
  }
  const carried = await slack.carrier.carry({ type: 'interactive', payload })
  if ('failure' in carried) return failed(actionFailed(carried))
  const { data, error } = Suggestions.safeParse(carried.answer)
  const faults = error
    ? error.issues.map(({ path, message }) => `${message} [json-pointer:/${path.join('/')}]`)
    : []
  note(slack, {
    via: 'answer',
    what: 'options',
    body: carried.answer,
    answer: faults.length ? 'error' : 'ok',
    faults,
  })
  if (!data) return failed('No result')
  // What the schema let pass is of this shape.
  const suggested = data as Suggested
  const all =
    'options' in suggested ? suggested.options : suggested.option_groups.flatMap(({ options }) => options)
  desk.suggested.set(action_id, all)
  return suggested
})
