import type { App, ViewOutput } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { Actor } from './actor.ts'
import type { Bot } from './bot.ts'
import { stopDigests } from './digests/digest-store.ts'
import { errorReply, INPUT_KEPT, reportBug, slackErrorCode } from './errors.ts'
import type { Handler, OpenModal } from './feature.ts'
import { features, forms } from './features/index.ts'
import type { InputState } from './form/field.ts'
import { UNAVAILABLE_CHOICE } from './form/fields.ts'
import { CHANGE_PREFIX, OPTIONS_PREFIX } from './form/form-blocks.ts'
import { firstInputBlock, readMetadata, reopenForm } from './form/form-state.ts'
import type { Choice } from './form/form-value.ts'
import { FORM_PREFIX, messageView, parseActionId } from './form/form-view.ts'
import { searchFormOptions } from './form/search-options.ts'
import type { SubmissionResult } from './form/submission.ts'
import { submitForm } from './form/submit-form.ts'
import { handleFieldChange } from './form/update-form.ts'
import { publishHome } from './home/home.ts'
import {
  context as contextBlock,
  escapeText,
  type Reply,
  section,
  selectOption,
  textReply,
} from './message-blocks.ts'
import { announce, messageOf, notifyUser } from './notify.ts'
import { type Access, accessForModal, authorize } from './permissions.ts'
import { helpReply, isHelp, routeCommand } from './router.ts'
import { readMessageText } from './slack-text.ts'

/** Registers all features with Bolt, and enforces their permissions. */
export function registerListeners(app: App, bot: Bot): void {
  registerCommands(app, bot)
  registerActions(app, bot)
  registerShortcuts(app, bot)
  registerForms(app, bot)
  registerOptions(app, bot)
  registerEvents(app, bot)
  app.error(async (err) => bot.log.error({ err }, 'Handling a Slack request failed'))
}

function registerCommands(app: App, bot: Bot): void {
  const register = (command: string, resolveInvocation: (text: string) => Invocation | { reply: Reply }) =>
    app.command(command, async ({ ack, respond, client, command: payload }) => {
      // Slack waits three seconds for the acknowledgement.
      await ack()
      const { team_id, user_id, channel_id, text, trigger_id, response_url } = payload
      const actor = { team_id, user_id, channel_id, response_url, client }
      const invocation = resolveInvocation(text)
      if ('run' in invocation) await handleRequest(bot, invocation, { actor, trigger_id, respond })
      else await respond(toRespondArguments(invocation.reply, { response_type: 'ephemeral' }))
    })
  register('/upnext', (typed) => {
    const route = routeCommand(features, typed)
    if ('reply' in route) return route
    const { feature, text } = route
    return { access: resolveAccess(feature.access, text), run: feature.run, text }
  })
  for (const feature of features)
    if (feature.command && feature.command !== '/upnext')
      register(feature.command, (text) =>
        isHelp(text)
          ? { reply: helpReply([feature]) }
          : { access: resolveAccess(feature.access, text), run: feature.run, text },
      )
}

const resolveAccess = (access: Access | ((text: string) => Access), text: string): Access =>
  typeof access === 'function' ? access(text) : access

function registerActions(app: App, bot: Bot): void {
  for (const [action_id, { access, run }] of features.flatMap(({ actions = {} }) => Object.entries(actions)))
    app.action({ type: 'block_actions', action_id }, async ({ ack, respond, client, body, action }) => {
      await ack()
      const { value, selected_option } = action as InputState
      const text = value ?? selected_option?.value ?? ''
      const modal = body.view?.type === 'modal' ? body.view : undefined
      await handleRequest(
        bot,
        { access, run, text },
        {
          actor: toActor(body, client),
          trigger_id: body.trigger_id,
          modal,
          respond: body.response_url ? respond : undefined,
          isInChannelMessage: body.container?.is_ephemeral === false,
        },
      )
    })
}

function registerShortcuts(app: App, bot: Bot): void {
  for (const { shortcuts = [], access, run } of features)
    for (const { callback_id } of shortcuts)
      app.shortcut(callback_id, async ({ ack, client, shortcut }) => {
        await ack()
        const actor = toActor(shortcut, client)
        const text = shortcut.type === 'message_action' ? await readMessageText(bot, actor, shortcut) : ''
        const invocation = { access: resolveAccess(access, text), run, text }
        await handleRequest(bot, invocation, { actor, trigger_id: shortcut.trigger_id })
      })
}

function registerForms(app: App, bot: Bot): void {
  app.view(new RegExp(`^${FORM_PREFIX}`), async ({ ack, body, view, client }) => {
    const form = forms.find(({ verb }) => FORM_PREFIX + verb === view.callback_id)
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const actor = toActor(body, client)
    const result = await submitForm(form, bot, actor, view).catch((error): SubmissionResult => {
      const message = `${reportBug(bot, error)} ${INPUT_KEPT}`
      return { response: { response_action: 'errors', errors: { [firstInputBlock(view)]: message } } }
    })
    const { response, announcement, remember } = result
    await (response ? ack(response) : ack())
    if (!announcement) return
    // The submission succeeded, so the user is told even if this fails.
    await remember?.().catch((err) => bot.log.error({ err, form: form.verb }, 'Remembering a record failed'))
    const { channel, response_url } = readMetadata(view)
    const destination = { user: actor.user_id, channel, response_url }
    await announce({ client, fetch: bot.runtime.fetch }, destination, announcement)
    await publishHome(bot, actor)
  })

  app.action(new RegExp(`^(${OPTIONS_PREFIX}|${CHANGE_PREFIX})`), async ({ ack, body, client, action }) => {
    await ack()
    const { action_id, ...input } = action as InputState & { action_id: string; block_id: string }
    const form = forms.find(({ verb }) => verb === parseActionId(action_id).verb)
    const view = 'view' in body ? body.view : undefined
    if (!form || !view) return
    const actor = toActor(body, client)
    const changeForm = async (): Promise<ModalView> => {
      const { profile, refusal } = await authorize(bot, actor, accessForModal(form.permission, form.title))
      if (refusal) return reopenForm(form, view, { message: refusal })
      return handleFieldChange(form, { bot, actor, profile, view, input })
    }
    const updated = await changeForm().catch((error) =>
      reopenForm(form, view, { message: reportBug(bot, error) }),
    )
    await updateModal(client, view, updated)
  })
}

function registerOptions(app: App, bot: Bot): void {
  const toOptions = (choices: Choice[]) => ({ options: choices.map(selectOption) })
  for (const [action_id, { access, search }] of features.flatMap(({ options = {} }) =>
    Object.entries(options),
  ))
    app.options(action_id, async ({ ack, body, client, options }) => {
      const choices = searchIfPermitted(bot, toActor(body, client), access, () => search(bot, options.value))
      await ack(toOptions(await choices))
    })

  app.options(new RegExp(`^${OPTIONS_PREFIX}`), async ({ ack, body, client, options }) => {
    const { verb, name } = parseActionId(options.action_id)
    const form = forms.find((candidate) => candidate.verb === verb)
    const view = 'view' in body ? (body.view as ViewOutput) : undefined
    if (!form || !view) return ack(toOptions([]))
    const actor = toActor(body, client)
    const access = accessForModal(form.permission, form.title)
    const search = { bot, actor, view, query: options.value }
    const choices = searchIfPermitted(bot, actor, access, () => searchFormOptions(form, name, search))
    await ack(toOptions(await choices))
  })
}

/** Slack must have the options within three seconds, so both run at the same time. */
async function searchIfPermitted(
  bot: Bot,
  actor: Actor,
  access: Access,
  search: () => Promise<Choice[]>,
): Promise<Choice[]> {
  try {
    const [{ refusal }, choices] = await Promise.all([authorize(bot, actor, access), search()])
    return refusal ? [] : choices
  } catch (err) {
    bot.log.error({ err }, 'Loading the options of a menu failed')
    return [UNAVAILABLE_CHOICE]
  }
}

function registerEvents(app: App, bot: Bot): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const actor = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client }
    await publishHome(bot, actor, { isEmpty: !event.view })
  })

  // Slack sends these two in either order. The owners are notified when the app is back.
  const stopAll = (team_id: string, reason: string) =>
    stopDigests(bot.db, { team_id }, reason, bot.runtime.now())
  app.event('app_uninstalled', ({ body }) => stopAll(body.team_id, 'app_uninstalled'))
  app.event('tokens_revoked', async ({ event, body }) => {
    if (event.tokens.bot?.length) await stopAll(body.team_id, 'token_revoked')
  })
}

type ActorPayload = {
  team?: { id: string } | null
  enterprise?: { id: string }
  user: { id: string; team_id?: string }
  channel?: { id: string }
  response_url?: string
}

/** In org-wide installations, some requests don't name a workspace. */
function toActor(body: object, client: WebClient): Actor {
  // Bolt's types of requests have these properties in common.
  const { team, enterprise, user, channel, response_url } = body as ActorPayload
  return {
    team_id: team?.id ?? user.team_id ?? enterprise?.id ?? '',
    user_id: user.id,
    channel_id: channel?.id,
    response_url,
    client,
  }
}

type Invocation = { access: Access; run: Handler; text: string }

type Respond = (message: ReturnType<typeof toRespondArguments>) => Promise<unknown>

type RequestContext = {
  actor: Actor
  trigger_id: string
  /** The modal whose button was pressed. */
  modal?: { id: string; hash: string } | undefined
  respond?: Respond | undefined
  /** The button that was pressed is in a message that the whole channel sees. */
  isInChannelMessage?: boolean
}

/** Checks the permission, then runs the handler. Unexpected errors are reported to the user. */
async function handleRequest(
  bot: Bot,
  { access, run, text }: Invocation,
  context: RequestContext,
): Promise<void> {
  const { actor, isInChannelMessage = false } = context
  const respond = context.respond ?? ((message) => replyWithoutChannel(bot, context, message))
  let placeholder: OpenModal | undefined
  // An open placeholder is where the user waits for an answer.
  const reply = async (message: Reply) => {
    const { modalTitle = '' } = access
    if (placeholder)
      await placeholder.update(messageView(modalTitle, ...(message.blocks ?? [section(message.text)])))
    else await respond(toRespondArguments(message, { response_type: 'ephemeral' }))
  }
  try {
    const authorizing = authorize(bot, actor, access)
    if (access.modalTitle) placeholder = await openPlaceholder(bot, context, access.modalTitle, authorizing)
    const { profile, refusal } = await authorizing
    if (refusal) return await reply(textReply(refusal))
    await run({
      bot,
      actor,
      profile,
      text,
      reply,
      replace: async (message) => {
        const response_type = isInChannelMessage ? 'in_channel' : 'ephemeral'
        await respond(toRespondArguments(message, { response_type, replace_original: true }))
      },
      share: async (message) => {
        await respond(toRespondArguments(message, { response_type: 'in_channel' }))
      },
      open: async (view) => {
        const modal = placeholder ?? (await openModal(context, view))
        if (placeholder) await placeholder.update(view)
        placeholder = undefined
        return modal
      },
    })
  } catch (error) {
    // Repeats a long input, so that it isn't lost.
    const input = text.includes(' ') ? `\nYou entered: ${escapeText(text)}` : ''
    await reply(errorReply(reportBug(bot, error) + input))
  }
}

type ResponseOptions = { response_type: 'ephemeral' | 'in_channel'; replace_original?: boolean }

const toRespondArguments = (reply: Reply, options: ResponseOptions) => ({
  ...messageOf(reply),
  replace_original: false,
  ...options,
})

const PLACEHOLDER_DELAY_MS = 1000

/** A modal must open within three seconds, so a placeholder opens if Slack is slow to return the user's profile. */
async function openPlaceholder(
  { runtime }: Bot,
  context: RequestContext,
  title: string,
  authorizing: Promise<unknown>,
): Promise<OpenModal | undefined> {
  const isReady = authorizing.then(
    () => true,
    () => true,
  )
  if (await Promise.race([isReady, runtime.sleep(PLACEHOLDER_DELAY_MS).then(() => false)])) return undefined
  return openModal(context, messageView(title, contextBlock('One moment…')))
}

/** A modal opened from a modal replaces it. */
async function openModal({ actor, modal, trigger_id }: RequestContext, view: ModalView): Promise<OpenModal> {
  const { client } = actor
  const { view: opened } = modal
    ? await client.views.update({ view_id: modal.id, view })
    : await client.views.open({ trigger_id, view })
  let current = { id: opened?.id ?? '', hash: opened?.hash ?? '' }
  return {
    update: async (changed) => {
      current = await updateModal(client, current, changed)
    },
  }
}

/** The Home tab and global shortcuts have no channel to answer in, so the answer is a modal or a direct message. */
async function replyWithoutChannel(
  bot: Bot,
  context: RequestContext,
  { text, blocks }: Reply,
): Promise<void> {
  const { user_id: user, channel_id: channel, client } = context.actor
  if (!channel) {
    const view = messageView('Upnext', ...(blocks ?? textReply(text).blocks ?? []))
    if (await openModal(context, view).catch(() => undefined)) return
  }
  await notifyUser({ client, fetch: bot.runtime.fetch }, { user, channel }, { text, blocks })
}

type ModalVersion = { id: string; hash: string }

/** Does nothing if the user closed, submitted or changed the modal meanwhile. */
async function updateModal(
  client: WebClient,
  { id, hash }: ModalVersion,
  view: ModalView,
): Promise<ModalVersion> {
  try {
    const { view: updated } = await client.views.update({ view_id: id, hash, view })
    return { id, hash: updated?.hash ?? '' }
  } catch (error) {
    if (['not_found', 'hash_conflict'].includes(slackErrorCode(error) ?? '')) return { id, hash }
    throw error
  }
}
