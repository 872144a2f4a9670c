import type { App, BlockAction } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import { addMs } from '../runtime.ts'
import { publishHome } from './features/home/home.ts'
import { confirmForm } from './forms/confirm-form.ts'
import { CONFIRMATION_PREFIX } from './forms/confirmation.ts'
import type { InputState } from './forms/field.ts'
import { LOAD_FAILED_CHOICE } from './forms/fields.ts'
import { type Form, listForms } from './forms/form.ts'
import { CHANGE_PREFIX, OPTIONS_PREFIX } from './forms/form-blocks.ts'
import { findFormMenu } from './forms/form-menus.ts'
import { readMetadata } from './forms/form-state.ts'
import { FORM_PREFIX, parseActionId } from './forms/form-view.ts'
import { handleFormAction } from './forms/handle-form-action.ts'
import { showError } from './forms/submission.ts'
import { submitForm } from './forms/submit-form.ts'
import { deliverThroughOutbox } from './outbox/deliver-through-outbox.ts'
import { type Actor, isCommand, readActorIds } from './slack/actor.ts'
import { authorizeAction, checkActionLimit } from './slack/authorize-action.ts'
import type { Bot } from './slack/bot.ts'
import { INPUT_KEPT, reportBug } from './slack/errors.ts'
import {
  type Action,
  type Feature,
  listFeatures,
  type OptionsSource,
  type Origin,
  projectInValue,
  type SearchContext,
} from './slack/feature.ts'
import { handleRequest, type Invocation } from './slack/handle-request.ts'
import type { ReceivedContext } from './slack/http-receiver.ts'
import { handleUninstallation, type InstalledApp } from './slack/installation/installation.ts'
import {
  type Choice,
  CONFIRMATION_BLOCK_PREFIX,
  MAX_OPTIONS,
  MENU_ACTION,
  splitMenuValue,
  toMenuOption,
} from './slack/message-blocks.ts'
import { messageOf, notifyUserAndChannel } from './slack/notify.ts'
import { claimRequest } from './slack/received-requests-store.ts'
import { COMMAND_PREFIX, routeCommand } from './slack/router.ts'
import { readSlackFile } from './slack/slack-file.ts'
import { readMessageText, readTypedText } from './slack/slack-text.ts'
import { createTurnQueue } from './slack/turns.ts'

/** Registers all features with Bolt, and enforces their permissions. */
export function registerListeners(app: App<ReceivedContext>, installed: InstalledApp): void {
  const { modules } = installed
  const listenerContext = {
    ...installed,
    app,
    features: listFeatures(modules),
    forms: listForms(modules),
  }
  registerRequestCheck(listenerContext)
  registerCommands(listenerContext)
  registerActions(listenerContext)
  registerShortcuts(listenerContext)
  registerForms(listenerContext)
  registerOptions(listenerContext)
  registerEvents(listenerContext)
}

type ListenerContext = InstalledApp & { app: App<ReceivedContext>; features: Feature[]; forms: Form[] }

/** Bolt runs through all listeners for each request, so one listener handles all commands and another all actions. */
const EVERY_ID = /(?:)/
const EVERY_ACTION = { type: 'block_actions', action_id: EVERY_ID } as const

/**
 * Slack waits three seconds, so most requests are acknowledged before the database says whether they are repeated.
 * Submissions and menu searches are acknowledged by their listeners, because the response has content.
 */
function registerRequestCheck({ app, bot, features }: ListenerContext): void {
  const waitForTurn = createTurnQueue()
  const commands = new Set<string | undefined>(features.map(({ command }) => command))
  app.use(async ({ body, ack, context, next }) => {
    // An unknown command isn't acknowledged, so that Slack shows the user an error.
    if (isCommand(body) && !commands.has(body.command)) return
    const hasResponse = !isCommand(body) && TYPES_WITH_RESPONSE.has(body.type)
    if (!hasResponse) {
      await ack?.()
      await waitForTurn()
    }
    if (await claimRequest(bot, context.signature)) return next()
    bot.log.warn({ type: isCommand(body) ? 'command' : body.type }, 'Ignored a repeated Slack request')
    if (hasResponse) await ack?.()
  })
}

const TYPES_WITH_RESPONSE = new Set(['view_submission', 'block_suggestion'])

function registerCommands({ app, bot, modules }: ListenerContext): void {
  app.command(EVERY_ID, async ({ respond, client, context, command: payload }) => {
    const { command, text, trigger_id } = payload
    const route = routeCommand(modules, command, readTypedText(text))
    if ('reply' in route) {
      await respond({ ...messageOf(route.reply), response_type: 'ephemeral' })
    } else {
      const actor = toActor(bot, payload, { client, context })
      const invocation = toInvocation(route.feature, route.text)
      await handleRequest(bot, invocation, { origin: 'command', actor, modules, trigger_id, respond })
    }
  })
}

const toInvocation = ({ verb, access, run }: Feature, text: string): Invocation => ({
  name: verb,
  access: typeof access === 'function' ? access(text) : access,
  run,
  readText: () => text,
})

function registerActions({ app, bot, modules, features, forms }: ListenerContext): void {
  const actions = new Map(features.flatMap((feature) => Object.entries(feature.actions ?? {})))
  const commands = new Map(features.map((feature) => [COMMAND_PREFIX + feature.verb, feature]))
  const runningPresses = new Map<string, Date>()
  app.action(EVERY_ACTION, async ({ respond, client, context, body, action }) => {
    const { action_id: pressedId, action_ts, ...input } = action as InputState & FormAction
    const isInForm = FIELD_ACTION.test(pressedId)
    const command = commands.get(pressedId)
    if (!isInForm && pressedId !== MENU_ACTION && !command && !actions.has(pressedId)) return
    const actor = toActor(bot, body, { client, context })
    const { trigger_id, view } = body
    if (isInForm) {
      const form = forms.find(({ verb }) => verb === parseActionId(pressedId).verb)
      if (form && view) await handleFormAction(form, { bot, actor, view, input, action_ts, trigger_id })
      return
    }
    const { value, selected_option } = input
    if (selected_option?.value === LOAD_FAILED_CHOICE.value) return
    const chosen = value ?? selected_option?.value ?? ''
    const [action_id, text] = pressedId === MENU_ACTION ? splitMenuValue(chosen) : [pressedId, chosen]
    const pressedAction = actions.get(action_id)
    if (!command && !pressedAction) throw new Error(`There is no action "${action_id}".`)
    // The second press of a double click is ignored. Its answer would be confusing: "already cancelled".
    const press = JSON.stringify([actor.team_id, actor.user_id, body.container, action_id, text])
    const pressedAt = runningPresses.get(press)
    if (pressedAt && addMs(pressedAt, DOUBLE_CLICK_MS) > bot.runtime.now()) return
    runningPresses.set(press, bot.runtime.now())
    await handleRequest(
      bot,
      command
        ? toInvocation(command, text)
        : {
            ...(pressedAction as Action),
            name: action_id,
            readText: () => text,
            findProjectId: () => (pressedAction?.projectOf ?? projectInValue)({ bot, actor, text }),
          },
      {
        actor,
        modules,
        trigger_id,
        modal: view?.type === 'modal' ? view : undefined,
        respond: body.response_url ? respond : undefined,
        origin: originOf(body, input.block_id),
      },
    ).finally(() => runningPresses.delete(press))
  })
}

/** A later press isn't a double click: the user may have closed the form that the first press opened. */
const DOUBLE_CLICK_MS = 3000

function originOf({ view, container }: BlockAction, block_id: string): Origin {
  if (view) return view.type === 'modal' ? 'modal' : 'home'
  if (container?.is_ephemeral === false) return 'channel message'
  return block_id.startsWith(CONFIRMATION_BLOCK_PREFIX) ? 'confirmation' : 'ephemeral message'
}

/** Matches the actions in a form: a menu, button or picker of a field, or a key press in a field. */
const FIELD_ACTION = new RegExp(`^(${OPTIONS_PREFIX}|${CHANGE_PREFIX})`)

type FormAction = { type: string; action_id: string; block_id: string; action_ts: string }

function registerShortcuts({ app, bot, modules, features }: ListenerContext): void {
  for (const feature of features)
    for (const { callback_id } of feature.shortcuts ?? [])
      app.shortcut(callback_id, async ({ client, context, shortcut }) => {
        const actor = toActor(bot, shortcut, { client, context })
        const readText = () =>
          shortcut.type === 'message_action' ? readMessageText(bot, actor, shortcut.message) : ''
        const invocation = { ...toInvocation(feature, ''), readText }
        const files = shortcut.type === 'message_action' ? filesOf(shortcut.message) : []
        const messageFiles = files.flatMap((file) => readSlackFile(file) ?? [])
        const { trigger_id } = shortcut
        await handleRequest(bot, invocation, { origin: 'shortcut', actor, modules, trigger_id, messageFiles })
      })
}

/** Bolt's type for a message lacks `files`. */
const filesOf = ({ files }: { files?: unknown[]; [property: string]: unknown }): unknown[] => files ?? []

function registerForms({ app, bot, forms }: ListenerContext): void {
  const prefixes = new RegExp(`^(${FORM_PREFIX}|${CONFIRMATION_PREFIX})`)
  app.view(prefixes, async ({ ack, body, view, client, context }) => {
    const form = forms.find(({ verb }) => verb === view.callback_id.replace(prefixes, ''))
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const actor = toActor(bot, body, { client, context })
    const submit = view.callback_id.startsWith(FORM_PREFIX) ? submitForm : confirmForm
    const result = await submit({ form, bot, actor, view, deliverThroughOutbox }).catch((error) =>
      showError({ view }, `${reportBug(bot, error)} ${INPUT_KEPT}`),
    )
    const { response, announcement, metadata, followUp } = result
    // Slack's connection may have closed since. The submission was processed, so the user still gets the announcement.
    await (response ? ack(response) : ack()).catch((err: unknown) =>
      bot.log.warn({ err, form: form.verb }, 'Failed to respond to a submission'),
    )
    if (!announcement || !metadata) return
    // The submission succeeded, so the user gets the announcement even if `followUp` fails.
    await followUp?.().catch((err) =>
      bot.log.error({ err, form: form.verb }, 'Failed to follow up on a submission'),
    )
    const { channel: channel_id, response_url, opened, origin } = metadata
    const replaces_original =
      origin === 'confirmation' && opened !== undefined && announcement.onPosted !== undefined
    await notifyUserAndChannel(bot, { ...actor, channel_id, response_url, replaces_original }, announcement)
    await bot.refreshHome(actor)
  })
}

function registerOptions({ app, bot, features, forms }: ListenerContext): void {
  const menus = new Map(features.flatMap(({ options = {} }) => Object.entries(options)))
  app.options(EVERY_ID, async ({ ack, body, client, context, options: { action_id, value: query } }) => {
    const menu = menus.get(action_id) ?? findFormMenu(forms, action_id)
    const name = menus.has(action_id) ? action_id : parseActionId(action_id).verb
    const { project: project_id = '' } = 'view' in body && body.view ? readMetadata(body.view) : {}
    const actor = toActor(bot, body, { client, context })
    const choices = menu ? await searchIfPermitted(menu, name, { bot, actor, project_id, query }) : []
    await ack({ options: choices.map(toMenuOption) })
  })
}

/** Slack waits 3 s for the options of a menu. This is the share that the user lookup and the search may use. */
const MENU_TIMEOUT_MS = 2300

async function searchIfPermitted(
  { access, search }: OptionsSource,
  name: string,
  context: Omit<SearchContext, 'deadline'>,
): Promise<Choice[]> {
  const { bot, actor } = context
  const startedAt = bot.runtime.now()
  try {
    const { kind } = await authorizeAction(bot, actor, {
      name,
      access,
      deadline: addMs(startedAt, MENU_TIMEOUT_MS / 2),
    })
    if (kind === 'refused') return []
    if (kind !== 'allowed') return [LOAD_FAILED_CHOICE]
    const deadline = addMs(startedAt, MENU_TIMEOUT_MS)
    return (await search({ ...context, deadline })).slice(0, MAX_OPTIONS)
  } catch (err) {
    bot.log.error({ err }, 'Failed to load the options of a menu')
    return [LOAD_FAILED_CHOICE]
  }
}

function registerEvents({ app, ...installed }: ListenerContext): void {
  const { bot } = installed
  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const request_id = bot.runtime.newId()
    const actor = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client, request_id }
    if (checkActionLimit(bot, actor, 'home')) return
    await publishHome(bot, actor, { isUnpublished: !event.view })
  })

  // Slack sends these two events in either order.
  app.event('app_uninstalled', ({ body }) =>
    handleUninstallation(installed, { team_id: body.team_id, reason: 'app_uninstalled' }),
  )
  app.event('tokens_revoked', async ({ event, body }) => {
    if (event.tokens.bot?.length)
      await handleUninstallation(installed, { team_id: body.team_id, reason: 'token_revoked' })
  })
}

const toActor = (
  { runtime }: Bot,
  body: object,
  { client, context }: { client: WebClient; context: ReceivedContext },
): Actor => ({
  ...readActorIds(body),
  response_url: (body as { response_url?: string }).response_url,
  received_at: context.received_at,
  client,
  request_id: runtime.newId(),
})
