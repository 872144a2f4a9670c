import { z } from 'zod'
import type { Placed } from '../../blocks/elements-in.ts'
import { stateOf, stateValue, type Typed, type AllTyped as Typing } from '../../blocks/state.ts'
import { askApp } from '../to-app/ask-app.ts'
import { actionFailed } from '../to-app/failure-words.ts'
import { channelName, interaction } from '../to-app/payloads.ts'
import { messageRecord } from '../workspace/messages.ts'
import { makeResponseUrl } from '../workspace/response-urls.ts'
import { makeTrigger } from '../workspace/triggers.ts'
import { viewRecord } from '../workspace/views.ts'
import { deed, done, failed, type Scene } from './deed.ts'
import {
  AllTyped,
  blocksAt,
  Chosen,
  containerOf,
  elementAt,
  findPlace,
  knownAt,
  type Place,
  PlaceParams,
} from './place.ts'

const params = z.object({
  at: PlaceParams,
  block_id: z.string(),
  action_id: z.string(),
  /** What was chosen; a button needs none. */
  chosen: Chosen,
  typed: AllTyped,
})

/** Presses a button, chooses from a menu, picks a day: whatever makes Slack tell the app of an action. */
export const press = deed(params, async (scene) => {
  const { slack, desk, params } = scene
  const place = findPlace(slack, desk, params.at)
  if (!place) return failed('That is gone.')
  const placed = elementAt(place, params)
  if (!placed) return failed('That is gone.')
  const action = actionOf(scene, place, placed, params.chosen ?? null)
  if (!action) return failed('There is no such choice.')
  const carried = await askApp(slack, {
    type: 'interactive',
    payload: {
      type: 'block_actions',
      ...interaction(slack, desk.user),
      trigger_id: makeTrigger(slack, { desk: desk.id, user: desk.user }),
      ...surroundings(scene, place, params.typed),
      actions: [{ block_id: placed.block_id, ...action, action_ts: slack.ids.ts() }],
    },
  })
  return 'failure' in carried ? failed(actionFailed(carried)) : done
})

const ECHOED = ['text', 'value', 'style', 'url', 'confirm', 'placeholder', 'icon'] as const

function actionOf({ slack, desk }: Scene, place: Place, placed: Placed, chosen: Typed) {
  const { element } = placed
  const { type, action_id } = element
  const echo = Object.fromEntries(
    ECHOED.flatMap((key) => (key in element ? [[key, Object(element)[key]]] : [])),
  )
  if (type === 'overflow') {
    const selected_option = element.options?.find(({ value }) => value === chosen)
    return selected_option && { action_id, type, selected_option }
  }
  if (type === 'feedback_buttons') {
    const { positive_button, negative_button } = Object(element)
    const pressed = [positive_button, negative_button].find(({ value }) => value === chosen)
    return pressed && { action_id, type, text: pressed.text, value: pressed.value }
  }
  const value = stateValue(placed, chosen, knownAt(slack, desk, place))
  return { action_id, ...echo, ...(value ?? { type }) }
}

/** Where it happened, with all that is filled in there. */
function surroundings({ slack, desk }: Scene, place: Place, typed: Typing) {
  const state = stateOf(blocksAt(place), typed, knownAt(slack, desk, place))
  const container = containerOf(place)
  if ('view' in place) return { container, view: viewRecord(slack, place.view, state) }
  const { channel, message } = place
  return {
    container,
    channel: { id: channel.id, name: channelName(slack, channel) },
    // What only one person sees is kept nowhere, so it does not come along.
    ...(!message.only && { message: messageRecord(slack, message) }),
    state,
    response_url: makeResponseUrl(slack, {
      for: 'actions',
      channel: channel.id,
      user: desk.user,
      message: message.ts,
    }),
  }
}
