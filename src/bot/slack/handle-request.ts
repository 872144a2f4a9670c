import type { RespondFn, ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Actor } from './actor.ts'
import { authorizeAction } from './authorize-action.ts'
import type { Bot } from './bot.ts'
import { errorReply, reportBug } from './errors.ts'
import type { Action, Module, OpenedModal, Origin } from './feature.ts'
import { secondsSince } from './measure-slack.ts'
import {
  context as contextBlock,
  escapeText,
  messageView,
  type Reply,
  section,
  textReply,
  toJson,
} from './message-blocks.ts'
import { messageOf, notifyUser } from './notify.ts'
import { slackErrorCode } from './slack-errors.ts'
import type { SlackFile } from './slack-file.ts'

/** A command, button or shortcut. Its text is only read if the user has the permission. */
export type Invocation = Action & {
  name: string
  readText: () => string | Promise<string>
  /** Finds the project that a button changes. */
  findProjectId?: () => Promise<string | undefined>
}

export type RequestContext = {
  actor: Actor
  modules: Module[]
  trigger_id: string
  modal?: ViewOutput | undefined
  /** Undefined on the Home tab and in global shortcuts. */
  respond?: RespondFn | undefined
  origin: Origin
  messageFiles?: SlackFile[]
}

type ResponseOptions = { response_type: 'ephemeral' | 'in_channel'; replace_original?: boolean }

/** Checks the permission, then runs the handler. Unexpected errors are reported to the user. */
export async function handleRequest(
  bot: Bot,
  { name, access, run, readText, findProjectId }: Invocation,
  context: RequestContext,
) {
  const { actor, modules, respond, origin } = context
  const { modalTitle = '' } = access
  const send = async (reply: Reply, options: ResponseOptions) => {
    if (respond) await respond({ ...messageOf(reply), replace_original: false, ...options })
    else await replyWithoutChannel(bot, context, reply)
  }
  let text = ''
  const prepare = async () => {
    const project_id = access.permission === 'write' ? await findProjectId?.() : undefined
    const authorization = await authorizeAction(bot, actor, { name, access, project_id })
    if (authorization.kind === 'allowed') text = await readText()
    return authorization
  }
  let placeholder: OpenedModal | undefined
  // If a placeholder modal is open, the user expects the answer in that modal.
  const reply = (answer: Reply) =>
    placeholder
      ? placeholder.update(messageView(modalTitle, ...(answer.blocks ?? [section(answer.text)])))
      : send(answer, { response_type: 'ephemeral' })
  try {
    const preparing = prepare()
    if (modalTitle) placeholder = await openPlaceholder(bot, context, modalTitle, preparing)
    const authorization = await preparing
    if (authorization.kind === 'unknown') return await reply(errorReply(authorization.message))
    if (authorization.kind !== 'allowed') return await reply(textReply(authorization.message))
    const { profile } = authorization
    await run({
      bot,
      actor,
      profile,
      viewer: { ...profile, now: bot.runtime.now() },
      modules,
      text,
      origin,
      modal: context.modal,
      messageFiles: context.messageFiles ?? [],
      reply,
      replace: (answer) => {
        const response_type = origin === 'channel message' ? 'in_channel' : 'ephemeral'
        return send(answer, { response_type, replace_original: true })
      },
      share: (answer) => send(answer, { response_type: 'in_channel' }),
      open: async (view) => {
        const modal = placeholder ?? (await openModal(bot, context, view))
        if (placeholder) await placeholder.update(view)
        placeholder = undefined
        return modal
      },
    })
  } catch (error) {
    // Repeats the user's input if it has several words, so that it isn't lost.
    const input = text.includes(' ') ? `\nYou entered: ${escapeText(text)}` : ''
    await reply(errorReply(reportBug(bot, error) + input))
  }
}

const PLACEHOLDER_DELAY_MS = 1000

/** A modal must open within three seconds, so a placeholder opens if Slack is slow to return the user's profile. */
async function openPlaceholder(
  bot: Bot,
  context: RequestContext,
  title: string,
  preparing: Promise<unknown>,
): Promise<OpenedModal | undefined> {
  const prepared = Promise.allSettled([preparing]).then(() => true)
  if (await Promise.race([prepared, bot.runtime.sleep(PLACEHOLDER_DELAY_MS)])) return undefined
  return openModal(bot, context, messageView(title, contextBlock('One moment…')))
}

/** If the request came from a modal, the new modal replaces that one. */
async function openModal(
  bot: Bot,
  { actor, modal, trigger_id }: RequestContext,
  view: ModalView,
): Promise<OpenedModal> {
  const { client, received_at } = actor
  const opening = modal
    ? client.views.update({ view_id: modal.id, view: toJson(view) })
    : client.views.open({ trigger_id, view: toJson(view) })
  if (!modal) measureOpening(bot, received_at, opening)
  const { view: opened } = await opening
  let version: ModalVersion = { id: opened?.id ?? '', hash: opened?.hash ?? '' }
  return {
    id: version.id,
    update: async (changed) => {
      version = await updateModal(client, version, changed)
    },
  }
}

/** A form that Slack didn't open counts as one that took this long. */
const FAILED_OPENING_SECONDS = 60

function measureOpening({ metrics }: Bot, receivedAt: number | undefined, opening: Promise<unknown>): void {
  const observe = (minSeconds: number) => {
    if (receivedAt !== undefined) metrics.openedForms.observe(Math.max(minSeconds, secondsSince(receivedAt)))
  }
  opening.then(
    () => observe(0),
    () => observe(FAILED_OPENING_SECONDS),
  )
}

/** The Home tab and global shortcuts have no channel to answer in, so the answer is a modal or a direct message. */
async function replyWithoutChannel(bot: Bot, context: RequestContext, reply: Reply): Promise<void> {
  const { actor } = context
  if (!actor.channel_id) {
    const view = messageView('Upnext', ...(reply.blocks ?? [section(reply.text)]))
    if (await openModal(bot, context, view).catch(() => undefined)) return
  }
  await notifyUser(bot, actor, reply)
}

/** Without a hash, an update replaces any version. */
type ModalVersion = { id: string; hash: string | undefined }

/** Does nothing if the user has closed, submitted or changed the modal since this version. */
export async function updateModal(
  client: WebClient,
  { id, hash }: ModalVersion,
  view: ModalView,
): Promise<ModalVersion> {
  try {
    const { view: updated } = await client.views.update({
      view_id: id,
      ...(hash && { hash }),
      view: toJson(view),
    })
    return { id, hash: updated?.hash }
  } catch (error) {
    if (['not_found', 'hash_conflict'].includes(slackErrorCode(error) ?? '')) return { id, hash }
    throw error
  }
}
