import { z } from 'zod'
import type { PlacedElement } from '../../blocks/find-elements.ts'
import * as state from '../../blocks/state.ts'
import { channelNameForApp, interactionFields } from '../delivery/payloads.ts'
import { describeActionFailure, sendToApp } from '../delivery/send-to-app.ts'
import { messageRecord } from '../workspace/messages.ts'
import { createResponseUrl } from '../workspace/response-urls.ts'
import { createTrigger } from '../workspace/triggers.ts'
import { viewRecord } from '../workspace/views.ts'
import {
  blocksIn,
  type Container,
  ContainerId,
  containerRecord,
  createValueLookup,
  findContainer,
  findElement,
  InputValue,
  InputValues,
} from './container.ts'
import { type ActionContext, DONE, defineUserAction, failure } from './user-action.ts'

const Args = z.object({
  container: ContainerId,
  block_id: z.string(),
  action_id: z.string(),
  /** The new value of the element. A button has none. */
  value: InputValue.optional(),
  /** The values of all elements in the container. */
  values: InputValues,
})

/** Uses an element that sends a block action to the app, such as a button, a menu or a date picker. */
export const dispatchAction = defineUserAction(Args, async ({ args, ...context }) => {
  const { slack, session } = context
  const container = findContainer(slack, session, args.container)
  const placed = container && findElement(container, args)
  if (!placed) return failure('This element no longer exists.')
  const action = createAction(context, container, placed, args.value ?? null)
  if (!action) return failure("This option doesn't exist.")
  const result = await sendToApp(slack, {
    type: 'interactive',
    payload: {
      type: 'block_actions',
      ...interactionFields(slack, session.user),
      trigger_id: createTrigger(slack, session),
      ...createContainerFields(context, container, args.values),
      actions: [{ block_id: placed.block_id, ...action, action_ts: slack.ids.ts() }],
    },
  })
  return 'failure' in result ? failure(describeActionFailure(result)) : DONE
})

/** The fields of an element that Slack repeats in the action. */
const COPIED_FIELDS = ['text', 'value', 'style', 'url', 'confirm', 'placeholder', 'icon'] as const

function createAction(
  { slack, session }: ActionContext,
  container: Container,
  placed: PlacedElement,
  value: state.InputValue,
) {
  const { element } = placed
  const { type, action_id } = element
  if (type === 'overflow') {
    const selected_option = element.options?.find((option) => option.value === value)
    return selected_option && { action_id, type, selected_option }
  }
  if (type === 'feedback_buttons') {
    const { positive_button, negative_button } = Object(element)
    const button = [positive_button, negative_button].find((candidate) => candidate.value === value)
    return button && { action_id, type, text: button.text, value: button.value }
  }
  const repeatedFields = Object.fromEntries(
    COPIED_FIELDS.flatMap((key) => (key in element ? [[key, Object(element)[key]]] : [])),
  )
  const stateValue = state.buildStateValue(placed, value, createValueLookup(slack, session, container))
  return { action_id, ...repeatedFields, ...(stateValue ?? { type }) }
}

/** The payload fields for the message or view and its current values. */
function createContainerFields(
  { slack, session }: ActionContext,
  container: Container,
  values: state.InputValues,
) {
  const viewState = state.buildViewState(
    blocksIn(container),
    values,
    createValueLookup(slack, session, container),
  )
  if ('view' in container)
    return { container: containerRecord(container), view: viewRecord(slack, container.view, viewState) }
  const { channel, message } = container
  return {
    container: containerRecord(container),
    channel: { id: channel.id, name: channelNameForApp(channel) },
    // Slack stores no ephemeral messages, so it cannot send them to the app.
    ...(!message.visibleTo && { message: messageRecord(slack, message) }),
    state: viewState,
    response_url: createResponseUrl(slack, 'actions', {
      channel: channel.id,
      user: session.user,
      messageTs: message.ts,
    }),
  }
}
