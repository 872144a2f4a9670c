import type { Option } from '@slack/types'
import { z } from 'zod'
import { findElements, type PlacedElement } from '../../blocks/find-elements.ts'
import type { ValueLookup } from '../../blocks/state.ts'
import { canSee } from '../workspace/channels.ts'
import type { Channel, HomeView, Message, OpenView, Session } from '../workspace/entities.ts'
import { fileRecord } from '../workspace/files.ts'
import type { Slack } from '../workspace/slack.ts'

export const InputValue = z.union([z.string(), z.array(z.string()), z.null()])
export const InputValues = z.record(z.string(), z.record(z.string(), InputValue)).default({})

export const MessageId = z.object({ channel: z.string(), ts: z.string() })

export const ContainerId = z.union([MessageId, z.object({ view: z.string() })])

/** The message, modal or Home tab that contains an element. */
export type Container = { channel: Channel; message: Message } | { view: OpenView | HomeView }

type ElementId = { block_id: string; action_id: string }

/** Finds a message or view, if the user can see it. */
export function findContainer(
  slack: Slack,
  session: Session,
  id: z.output<typeof ContainerId>,
): Container | undefined {
  if (!('view' in id)) return findVisibleMessage(slack, session, id)
  const view = slack.views.get(id.view) ?? [...slack.homes.values()].find((home) => home.id === id.view)
  return view?.user === session.user ? { view } : undefined
}

export function findVisibleMessage(
  slack: Slack,
  session: Session,
  id: z.output<typeof MessageId>,
): { channel: Channel; message: Message } | undefined {
  const channel = findVisibleChannel(slack, session, id.channel)
  const message = channel?.messages.get(id.ts)
  const isVisible = message && (!message.visibleTo || message.visibleTo === session.user)
  return channel && isVisible ? { channel, message } : undefined
}

export function findVisibleChannel(slack: Slack, session: Session, id: string): Channel | undefined {
  const channel = slack.channels.get(id)
  return channel && canSee(slack, channel, session.user) ? channel : undefined
}

export const blocksIn = (container: Container) =>
  'view' in container
    ? container.view.definition.blocks
    : [
        ...(container.message.blocks ?? []),
        ...(container.message.attachments ?? []).flatMap(({ blocks = [] }) => blocks as never[]),
      ]

export const findElement = (
  container: Container,
  { block_id, action_id }: ElementId,
): PlacedElement | undefined =>
  findElements(blocksIn(container)).find(
    (placed) => placed.block_id === block_id && placed.element.action_id === action_id,
  )

/** Looks up the options and files that are not part of the blocks. */
export const createValueLookup = (slack: Slack, session: Session, container: Container): ValueLookup => ({
  suggestedOption: (elementId, value) =>
    session.suggestedOptions.get(containerKey(container))?.get(optionKey(elementId, value)),
  file: (id) => {
    const file = slack.files.get(id)
    return file ? fileRecord(slack, file) : { id }
  },
})

/** Keeps the options that the app loaded: the user can select one that a later search no longer returns. */
export function saveSuggestedOptions(
  session: Session,
  container: Container,
  elementId: ElementId,
  options: Option[],
): void {
  const savedOptions = session.suggestedOptions.get(containerKey(container)) ?? new Map<string, Option>()
  for (const option of options) savedOptions.set(optionKey(elementId, option.value ?? ''), option)
  session.suggestedOptions.set(containerKey(container), savedOptions)
}

const containerKey = (container: Container) =>
  'view' in container ? container.view.id : `${container.channel.id} ${container.message.ts}`

const optionKey = ({ block_id, action_id }: ElementId, value: string) =>
  JSON.stringify([block_id, action_id, value])

/** The `container` field of payloads to the app. */
export function containerRecord(container: Container) {
  if ('view' in container) return { type: 'view', view_id: container.view.id }
  const { ts, thread_ts, visibleTo } = container.message
  return {
    type: 'message',
    message_ts: ts,
    channel_id: container.channel.id,
    is_ephemeral: Boolean(visibleTo),
    ...(thread_ts && { thread_ts }),
  }
}
