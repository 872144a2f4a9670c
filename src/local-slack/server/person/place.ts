import type { Option } from '@slack/types'
import { z } from 'zod'
import { elementsIn, type Placed } from '../../blocks/elements-in.ts'
import type { Known } from '../../blocks/state.ts'
import { type Channel, maySee } from '../workspace/channels.ts'
import type { Desk } from '../workspace/desks.ts'
import { fileRecord } from '../workspace/files.ts'
import type { Message } from '../workspace/messages.ts'
import type { Slack } from '../workspace/slack.ts'
import type { HomeView, OpenView } from '../workspace/views.ts'

const Typed = z.union([z.string(), z.array(z.string()), z.null()])
export const AllTyped = z.record(z.string(), z.record(z.string(), Typed)).default({})
export const Chosen = Typed.optional()

/** Where a person found what they use: in a message, in a modal, or on the app's Home. */
export const PlaceParams = z.union([
  z.object({ channel: z.string(), ts: z.string() }),
  z.object({ view: z.string() }),
])

export type Place = { channel: Channel; message: Message } | { view: OpenView | HomeView }

/** The place, where this person can see it. */
export function findPlace(slack: Slack, desk: Desk, at: z.output<typeof PlaceParams>): Place | undefined {
  if ('view' in at) {
    const view = slack.views.get(at.view) ?? [...slack.homes.values()].find(({ id }) => id === at.view)
    return view?.user === desk.user ? { view } : undefined
  }
  const channel = findChannel(slack, desk, at.channel)
  const message = channel?.messages.get(at.ts)
  const mine = message && (!message.only || message.only === desk.user)
  return channel && mine ? { channel, message } : undefined
}

export function findChannel(slack: Slack, desk: Desk, id: string): Channel | undefined {
  const channel = slack.channels.get(id)
  return channel && maySee(slack, channel, desk.user) ? channel : undefined
}

export const blocksAt = (place: Place) =>
  'view' in place
    ? place.view.given.blocks
    : [
        ...(place.message.blocks ?? []),
        ...(place.message.attachments ?? []).flatMap(({ blocks = [] }) => blocks as never[]),
      ]

export const elementAt = (
  place: Place,
  { block_id, action_id }: { block_id: string; action_id: string },
): Placed | undefined =>
  elementsIn(blocksAt(place)).find((one) => one.block_id === block_id && one.element.action_id === action_id)

/** What only the workspace can tell of a value: what a suggested option is called, which file an id is. */
export const knownAt = (slack: Slack, desk: Desk, place: Place): Known => ({
  suggested: (which, value) => desk.suggested.get(placeId(place))?.get(suggestionKey(which, value)),
  file: (id) => {
    const file = slack.files.get(id)
    return file ? fileRecord(slack, file) : { id }
  },
})

type Which = { block_id: string; action_id: string }

/** The app suggests anew with each letter: what it once suggested here stays known. */
export function rememberSuggestions(desk: Desk, place: Place, which: Which, options: Option[]): void {
  const known = desk.suggested.get(placeId(place)) ?? new Map<string, Option>()
  for (const option of options) known.set(suggestionKey(which, option.value ?? ''), option)
  desk.suggested.set(placeId(place), known)
}

const placeId = (place: Place) =>
  'view' in place ? place.view.id : `${place.channel.id} ${place.message.ts}`
const suggestionKey = ({ block_id, action_id }: Which, value: string) =>
  JSON.stringify([block_id, action_id, value])

/** Where a place is, as the app is told with what was done there. */
export function containerOf(place: Place) {
  if ('view' in place) return { type: 'view', view_id: place.view.id }
  const { ts, thread_ts, only } = place.message
  const where = { message_ts: ts, channel_id: place.channel.id, is_ephemeral: Boolean(only) }
  return { type: 'message', ...where, ...(thread_ts && { thread_ts }) }
}
