import type { App } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { type Actor, isCommand, readActorIds } from './actor.ts'
import { type AttemptedAction, authorizeAction, countAction } from './authorize-action.ts'
import type { Bot } from './bot.ts'
import { INPUT_KEPT, reportBug } from './errors.ts'
import type { Feature, OptionsSource } from './feature.ts'
import { features, forms } from './features/index.ts'
import { confirmForm } from './form/confirm-form.ts'
import { CONFIRMATION_PREFIX } from './form/confirmation.ts'
import type { InputState, SearchContext } from './form/field.ts'
import { UNAVAILABLE_CHOICE } from './form/fields.ts'
import { readSlackFile } from './form/file-field.ts'
import { CHANGE_PREFIX, OPTIONS_PREFIX } from './form/form-blocks.ts'
import { findFormMenu } from './form/form-menus.ts'
import { readMetadata } from './form/form-state.ts'
import type { Choice } from './form/form-value.ts'
import { FORM_PREFIX, parseActionId } from './form/form-view.ts'
import { handleFormAction } from './form/handle-form-action.ts'
import { showError } from './form/submission.ts'
import { submitForm } from './form/submit-form.ts'
import { handleRequest, type Invocation } from './handle-request.ts'
import { publishHome } from './home/home.ts'
import type { ReceivedContext } from './http-receiver.ts'
import { handleUninstallation } from './installation/installation.ts'
import { MAX_OPTIONS, toMenuOption } from './message-blocks.ts'
import { messageOf, notifyUserAndChannel } from './notify.ts'
import { CONFIRMATION_BLOCK, MENU_ACTION } from './posts/post-menu.ts'
import { routeCommand } from './router.ts'
import { readMessageText, readTypedText } from './slack-text.ts'

/** Registers all features with Bolt, and enforces their permissions. */
export function registerListeners(app: App<ReceivedContext>, bot: Bot): void {
  registerRequestCheck(app, bot)
  registerCommands(app, bot)
  registerActions(app, bot)
  registerShortcuts(app, bot)
  registerForms(app, bot)
  registerOptions(app, bot)
  registerEvents(app, bot)
  app.error(async (err) => bot.log.error({ err }, 'Handling a Slack request failed'))
}

/** Bolt asks each listener about each request, so there is one for all commands, and one for all actions. */
const EVERY_ID = /(?:)/
const EVERY_ACTION = { type: 'block_actions', action_id: EVERY_ID } as const

/**
 * Slack waits three seconds, so most requests are acknowledged before the database says whether they are repeated.
 * Listeners acknowledge submissions and menu searches themselves, because their response has content.
 */
function registerRequestCheck(app: App<ReceivedContext>, bot: Bot): void {
  const commands = new Set<string | undefined>(features.map(({ command }) => command))
  app.use(async ({ body, ack, context, next }) => {
    // If nothing acknowledges a command, Slack tells the user that it failed.
    if (isCommand(body) && !commands.has(body.command)) return
    const hasResponse = !isCommand(body) && TYPES_WITH_RESPONSE.has(body.type)
    if (!hasResponse) await ack?.()
    const claim = await context.claim
    context.settings = claim
    if (claim?.is_first ?? true) return next()
    bot.log.warn({ type: isCommand(body) ? 'command' : body.type }, 'Ignored a repeated Slack request')
    if (hasResponse) await ack?.()
  })
}

const TYPES_WITH_RESPONSE = new Set(['view_submission', 'block_suggestion'])

function registerCommands(app: App<ReceivedContext>, bot: Bot): void {
  app.command(EVERY_ID, async ({ respond, client, context: { settings }, command: payload }) => {
    const { command, text, trigger_id } = payload
    const route = routeCommand(features, command, readTypedText(text))
    if ('reply' in route) {
      await respond({ ...messageOf(route.reply), response_type: 'ephemeral' })
    } else {
      const actor = toActor(bot, payload, client)
      const invocation = toInvocation(route.feature, route.text)
      await handleRequest(bot, invocation, { actor, settings, trigger_id, respond })
    }
  })
}

const toInvocation = ({ verb, access, run }: Feature, text: string): Invocation => ({
  name: verb,
  access: typeof access === 'function' ? access(text) : access,
  run,
  readText: () => text,
})

function registerActions(app: App<ReceivedContext>, bot: Bot): void {
  const actions = new Map(features.flatMap((feature) => Object.entries(feature.actions ?? {})))
  app.action(EVERY_ACTION, async ({ respond, client, context, body, action }) => {
    const { action_id: pressed, action_ts, ...input } = action as InputState & FormAction
    const isInForm = FIELD_ACTION.test(pressed)
    if (!isInForm && pressed !== MENU_ACTION && !actions.has(pressed)) return
    const actor = toActor(bot, body, client)
    const { settings } = context
    const { trigger_id, view } = body
    if (isInForm) {
      const form = forms.find(({ verb }) => verb === parseActionId(pressed).verb)
      if (form && view)
        await handleFormAction(form, { bot, actor, settings, view, input, action_ts, trigger_id })
      return
    }
    const { value, selected_option } = input
    if (selected_option?.value === UNAVAILABLE_CHOICE.value) return
    const chosen = value ?? selected_option?.value ?? ''
    const [action_id, text] = pressed === MENU_ACTION ? splitEntry(chosen) : [pressed, chosen]
    const invoked = actions.get(action_id)
    if (!invoked) throw new Error(`There is no action "${action_id}".`)
    await handleRequest(
      bot,
      { ...invoked, name: action_id, readText: () => text },
      {
        actor,
        settings,
        trigger_id,
        modal: view?.type === 'modal' ? view : undefined,
        respond: body.response_url ? respond : undefined,
        isInChannelMessage: body.container?.is_ephemeral === false,
        isInConfirmation: input.block_id === CONFIRMATION_BLOCK && body.container?.is_ephemeral === true,
      },
    )
  })
}

/** In a form: a field's menu, button or picker, or a key. */
const FIELD_ACTION = new RegExp(`^(${OPTIONS_PREFIX}|${CHANGE_PREFIX})`)

type FormAction = { type: string; action_id: string; block_id: string; action_ts: string }

/** An entry of a post's menu consists of an action and its value. */
function splitEntry(entry: string): [action_id: string, value: string] {
  const end = entry.indexOf(' ')
  return [entry.slice(0, end), entry.slice(end + 1)]
}

function registerShortcuts(app: App<ReceivedContext>, bot: Bot): void {
  for (const feature of features)
    for (const { callback_id } of feature.shortcuts ?? [])
      app.shortcut(callback_id, async ({ client, context: { settings }, shortcut }) => {
        const actor = toActor(bot, shortcut, client)
        const readText = () =>
          shortcut.type === 'message_action' ? readMessageText(bot, actor, shortcut.message) : ''
        const invocation = { ...toInvocation(feature, ''), readText }
        const [file] = shortcut.type === 'message_action' ? readFiles(shortcut.message) : []
        const messageFile = readSlackFile(file)
        const { trigger_id } = shortcut
        await handleRequest(bot, invocation, { actor, settings, trigger_id, messageFile })
      })
}

/** Bolt's type of a message lacks its files. */
const readFiles = ({ files }: { files?: unknown[]; [property: string]: unknown }): unknown[] => files ?? []

function registerForms(app: App<ReceivedContext>, bot: Bot): void {
  const prefixes = new RegExp(`^(${FORM_PREFIX}|${CONFIRMATION_PREFIX})`)
  app.view(prefixes, async ({ ack, body, view, client, context: { settings } }) => {
    const form = forms.find(({ verb }) => verb === view.callback_id.replace(prefixes, ''))
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const actor = toActor(bot, body, client)
    const submit = view.callback_id.startsWith(FORM_PREFIX) ? submitForm : confirmForm
    const result = await submit({ form, bot, actor, settings, view }).catch((error) =>
      showError({ view }, `${reportBug(bot, error)} ${INPUT_KEPT}`),
    )
    const { response, announcement, metadata, remember } = result
    await (response ? ack(response) : ack())
    if (!announcement || !metadata) return
    // The submission succeeded, so the user is told even if this fails.
    await remember?.().catch((err) =>
      bot.log.error({ err, form: form.verb }, 'Saving a record for later forms failed'),
    )
    const { channel: channel_id, response_url, openedPost, isInConfirmation } = metadata
    const replaces_original = isInConfirmation && openedPost && announcement.subject !== undefined
    await notifyUserAndChannel(bot, { ...actor, channel_id, response_url, replaces_original }, announcement)
    await publishHome(bot, actor)
  })
}

function registerOptions(app: App<ReceivedContext>, bot: Bot): void {
  const menus = new Map(features.flatMap(({ options = {} }) => Object.entries(options)))
  app.options(EVERY_ID, async ({ ack, body, client, context, options: { action_id, value: query } }) => {
    const menu = menus.get(action_id) ?? findFormMenu(forms, action_id)
    const name = menus.has(action_id) ? action_id : parseActionId(action_id).verb
    const { project: project_id = '' } = 'view' in body && body.view ? readMetadata(body.view) : {}
    const actor = toActor(bot, body, client)
    const attempt = { name, settings: context.settings }
    const choices = menu ? await searchIfPermitted(menu, attempt, { bot, actor, project_id, query }) : []
    await ack({ options: choices.map(toMenuOption) })
  })
}

/** Slack waits 3 s for the options of a menu. Looking up the user and searching may take this long together. */
const MENU_TIME_MS = 2300

async function searchIfPermitted(
  { access, search }: OptionsSource,
  attempt: Pick<AttemptedAction, 'name' | 'settings'>,
  context: Omit<SearchContext, 'deadlineMs'>,
): Promise<Choice[]> {
  const { bot, actor } = context
  const deadline = bot.runtime.now().getTime() + MENU_TIME_MS
  try {
    const { kind } = await authorizeAction(bot, actor, { ...attempt, access, deadlineMs: MENU_TIME_MS / 2 })
    if (kind === 'refused') return []
    if (kind !== 'allowed') return [UNAVAILABLE_CHOICE]
    const deadlineMs = Math.max(1, deadline - bot.runtime.now().getTime())
    return (await search({ ...context, deadlineMs })).slice(0, MAX_OPTIONS)
  } catch (err) {
    bot.log.error({ err }, 'Loading the options of a menu failed')
    return [UNAVAILABLE_CHOICE]
  }
}

function registerEvents(app: App<ReceivedContext>, bot: Bot): void {
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const request_id = bot.runtime.newId()
    const actor = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client, request_id }
    if (countAction(bot, actor, 'home')) return
    await publishHome(bot, actor, { isEmpty: !event.view })
  })

  // Slack sends these two in either order.
  app.event('app_uninstalled', ({ body }) => handleUninstallation(bot, body.team_id, 'app_uninstalled'))
  app.event('tokens_revoked', async ({ event, body }) => {
    if (event.tokens.bot?.length) await handleUninstallation(bot, body.team_id, 'token_revoked')
  })
}

const toActor = ({ runtime }: Bot, body: object, client: WebClient): Actor => ({
  ...readActorIds(body),
  response_url: (body as { response_url?: string }).response_url,
  client,
  request_id: runtime.newId(),
})
