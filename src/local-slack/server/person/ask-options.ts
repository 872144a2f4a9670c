import type { Option, OptionGroup } from '@slack/types'
import { z } from 'zod'
import { faultOf, pointer } from '../../blocks/fault-words.ts'
import { option, optionGroup } from '../../blocks/objects.ts'
import { askApp } from '../to-app/ask-app.ts'
import { actionFailed } from '../to-app/failure-words.ts'
import { channelName, interaction } from '../to-app/payloads.ts'
import { messageRecord } from '../workspace/messages.ts'
import { note } from '../workspace/sent.ts'
import { viewRecord } from '../workspace/views.ts'
import { deed, failed } from './deed.ts'
import { containerOf, elementAt, findPlace, PlaceParams, rememberSuggestions } from './place.ts'

const params = z.object({
  at: PlaceParams,
  block_id: z.string(),
  action_id: z.string(),
  value: z.string(),
})

const Options = z.object({ options: z.array(option).max(100) })
const Groups = z.object({ option_groups: z.array(optionGroup).max(100) })

const schemaFor = (answer: unknown) => ('option_groups' in Object(answer) ? Groups : Options)

export type Suggested = { options: Option[] } | { option_groups: OptionGroup[] }

/** Asks the app what an external select offers for what was typed so far. */
export const askOptions = deed(params, async ({ slack, desk, params }) => {
  const place = findPlace(slack, desk, params.at)
  const placed = place && elementAt(place, params)
  if (!place || !placed) return failed('That is gone.')
  const { value, action_id, block_id } = params
  const where =
    'view' in place
      ? { view: viewRecord(slack, place.view) }
      : {
          channel: { id: place.channel.id, name: channelName(slack, place.channel) },
          message: messageRecord(slack, place.message),
        }
  const payload = {
    type: 'block_suggestion',
    ...interaction(slack, desk.user),
    container: containerOf(place),
    ...where,
    action_id,
    block_id,
    value,
  }
  const carried = await askApp(slack, { type: 'interactive', payload })
  if ('failure' in carried) return failed(actionFailed(carried))
  const { data, error } = schemaFor(carried.answer).safeParse(carried.answer)
  const faults = (error?.issues ?? [])
    .flatMap((issue) => faultOf(issue, carried.answer))
    .map(({ message, path }) => `${message} [json-pointer:${pointer(path)}]`)
  note(slack, {
    via: 'answer',
    what: 'options',
    body: carried.answer,
    answer: error ? 'invalid_options' : 'ok',
    faults,
  })
  if (!data) return failed('No result')
  // What the schema let pass is of this shape.
  const suggested = data as Suggested
  const all =
    'options' in suggested ? suggested.options : suggested.option_groups.flatMap(({ options }) => options)
  rememberSuggestions(desk, place, { block_id, action_id }, all)
  return suggested
})
