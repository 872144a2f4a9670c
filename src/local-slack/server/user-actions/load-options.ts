import type { Option, OptionGroup } from '@slack/types'
import { z } from 'zod'
import { option, optionGroup } from '../../blocks/objects.ts'
import { describeIssue, toJsonPointer } from '../../blocks/problems.ts'
import { channelNameForApp, interactionFields } from '../delivery/payloads.ts'
import { describeActionFailure, sendToApp } from '../delivery/send-to-app.ts'
import { recordAppPayload } from '../workspace/app-payloads.ts'
import { messageRecord } from '../workspace/messages.ts'
import { viewRecord } from '../workspace/views.ts'
import {
  ContainerId,
  containerRecord,
  findContainer,
  findElement,
  saveSuggestedOptions,
} from './container.ts'
import { defineUserAction, failure } from './user-action.ts'

const Args = z.object({
  container: ContainerId,
  block_id: z.string(),
  action_id: z.string(),
  /** The text that the user entered so far. */
  query: z.string(),
})

const OptionList = z.object({ options: z.array(option).max(100) })
const OptionGroupList = z.object({ option_groups: z.array(optionGroup).max(100) })

type LoadedOptions = { options: Option[] } | { option_groups: OptionGroup[] }

/** Asks the app for the options of an external select. */
export const loadOptions = defineUserAction(Args, async ({ slack, session, args }) => {
  const container = findContainer(slack, session, args.container)
  const placed = container && findElement(container, args)
  if (!placed) return failure('This menu no longer exists.')
  const { query, action_id, block_id } = args
  const containerFields =
    'view' in container
      ? { view: viewRecord(slack, container.view) }
      : {
          channel: { id: container.channel.id, name: channelNameForApp(container.channel) },
          message: messageRecord(slack, container.message),
        }
  const result = await sendToApp(slack, {
    type: 'interactive',
    payload: {
      type: 'block_suggestion',
      ...interactionFields(slack, session.user),
      container: containerRecord(container),
      ...containerFields,
      action_id,
      block_id,
      value: query,
    },
  })
  if ('failure' in result) return failure(describeActionFailure(result))
  const { acknowledgement } = result
  const schema = 'option_groups' in Object(acknowledgement) ? OptionGroupList : OptionList
  const { data, error } = schema.safeParse(acknowledgement)
  const problems = (error?.issues ?? [])
    .flatMap((issue) => describeIssue(issue, acknowledgement))
    .map(({ message, path }) => `${message} [json-pointer:${toJsonPointer(path)}]`)
  recordAppPayload(slack, {
    source: 'acknowledgement',
    name: 'options',
    body: acknowledgement,
    response: error ? 'invalid_options' : 'ok',
    problems,
  })
  if (!data) return failure('No results')
  const loaded = data as LoadedOptions
  const options =
    'options' in loaded ? loaded.options : loaded.option_groups.flatMap((group) => group.options)
  saveSuggestedOptions(session, container, { block_id, action_id }, options)
  return loaded
})
