import type { App, RespondArguments } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { ErrorCode, type WebAPIPlatformError, type WebClient } from '@slack/web-api'
import { stopDigests } from '../store/digests.ts'
import type { Asker, Bot } from './bot.ts'
import type { Feature, Request } from './feature.ts'
import { features, forms } from './features/index.ts'
import { choiceOption } from './form/choice-option.ts'
import type { Choice, Entry } from './form/field.ts'
import { follow } from './form/follow.ts'
import { actionParts, CHOSEN, FORM, OPTIONS } from './form/form-view.ts'
import { lookUp } from './form/look-up.ts'
import { sameView } from './form/same-view.ts'
import { type Submitted, submitForm } from './form/submit-form.ts'
import { firstInput } from './form/view-state.ts'
import { publishHome } from './home/home.ts'
import { escaped, plain, type Reply, said } from './reply.ts'
import { helpFor, route } from './router.ts'
import { wordsOf } from './shortcut-words.ts'
import { tellNews, tellPerson } from './tell.ts'
import { reportBug, STILL_HERE, troubled } from './trouble.ts'

/** Mounts what there is on Bolt: nobody else speaks to it. */
export function mountFeatures(app: App, bot: Bot): void {
  const mountCommand = (command: string, then: Feature['run']) =>
    app.command(command, async ({ ack, respond, client, command: typed }) => {
      // Slack waits three seconds for this, so it is told at once that we have heard.
      await ack()
      const { team_id, user_id, channel_id, text, trigger_id, response_url } = typed
      await run(bot, then, {
        asker: { team_id, user_id, channel_id, response_url, client },
        words: text,
        trigger_id,
        respond,
      })
    })

  mountCommand('/upnext', (request) => route(features, request))
  for (const feature of features)
    if (feature.command && feature.command !== '/upnext')
      mountCommand(feature.command, (request) => helpFor(feature, request) ?? feature.run(request))

  for (const [action_id, then] of features.flatMap(({ actions = {} }) => Object.entries(actions)))
    app.action({ type: 'block_actions', action_id }, async ({ ack, respond, client, body, action }) => {
      await ack()
      const { value, selected_option } = action as Entry
      const asker = askerOf(body, client)
      await run(bot, then, {
        asker,
        words: value ?? selected_option?.value ?? '',
        isForAll: body.container?.is_ephemeral === false,
        trigger_id: body.trigger_id,
        modal: body.view?.type === 'modal' ? body.view : undefined,
        respond: body.response_url ? respond : undefined,
      })
    })

  for (const { shortcuts = [], run: then } of features)
    for (const { callback_id } of shortcuts)
      app.shortcut(callback_id, async ({ ack, client, shortcut }) => {
        await ack()
        const asker = askerOf(shortcut, client)
        await run(bot, then, {
          asker,
          words: shortcut.type === 'message_action' ? await wordsOf(bot, asker, shortcut) : '',
          trigger_id: shortcut.trigger_id,
        })
      })

  app.view(new RegExp(`^${FORM}`), async ({ ack, body, view, client }) => {
    const form = forms.find(({ verb }) => FORM + verb === view.callback_id)
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const asker = askerOf(body, client)
    const submitted: Submitted = await submitForm(form, bot, asker, view).catch((error) => {
      const say = `${reportBug(bot, error)} ${STILL_HERE}`
      return { answer: { response_action: 'errors', errors: { [firstInput(view)]: say } } }
    })
    const { answer, news, asked, remember } = submitted
    // What `ack` takes is told apart by its action; without one it closes the form.
    await (answer ? ack(answer) : ack())
    if (!news) return
    // It was sent: that it could not be remembered is no reason not to say so.
    await remember?.().catch((err) => bot.log.error({ err }, 'what was sent could not be remembered'))
    const place = { user: asker.user_id, channel: asked?.channel, response_url: asked?.response_url }
    await tellNews({ client, fetch: bot.runtime.fetch }, place, news)
    // What one has just changed is to be seen there.
    await publishHome(bot, asker)
  })

  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const asker = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client }
    await publishHome(bot, asker, { isEmpty: !event.view })
  })

  // These two come in either order; whoever set digests up is told when the app is back.
  app.event('app_uninstalled', async ({ body }) => {
    await stopDigests(bot.db, body.team_id, { paused_for: 'app_uninstalled', now: bot.runtime.now() })
  })
  app.event('tokens_revoked', async ({ event, body }) => {
    if (!event.tokens.bot?.length) return
    await stopDigests(bot.db, body.team_id, { paused_for: 'token_revoked', now: bot.runtime.now() })
  })

  for (const [action_id, suggest] of features.flatMap(({ options = {} }) => Object.entries(options)))
    app.options(action_id, async ({ ack, options }) => {
      await ack({ options: optionsFor(await suggest(bot, options.value)) })
    })

  app.options(new RegExp(`^${OPTIONS}`), async ({ ack, body, client, options }) => {
    const { verb, name } = actionParts(options.action_id)
    const form = forms.find((one) => one.verb === verb)
    const view = 'view' in body ? body.view : undefined
    const asker = askerOf(body, client)
    const found = form && view ? await lookUp(form, name, { bot, asker, view, typed: options.value }) : []
    await ack({ options: optionsFor(found) })
  })

  app.action(new RegExp(`^(${OPTIONS}|${CHOSEN})`), async ({ ack, body, client, action }) => {
    await ack()
    const { action_id, block_id, ...entry } = action as Entry & { action_id: string; block_id: string }
    const form = forms.find(({ verb }) => verb === actionParts(action_id).verb)
    const view = 'view' in body ? body.view : undefined
    if (!form || !view) return
    const pressed = { block_id, ...entry }
    const followed = await follow(form, { bot, asker: askerOf(body, client), view, pressed }).catch((error) =>
      sameView(form, view, { top: reportBug(bot, error) }),
    )
    await change(client, view, followed)
  })

  app.error(async (err) => {
    bot.log.error({ err }, 'bot')
  })
}

const optionsFor = (choices: Choice[]) => choices.map(choiceOption)

type From = {
  team?: { id: string } | null
  enterprise?: { id: string }
  user: { id: string; team_id?: string }
  channel?: { id: string }
  response_url?: string
}

/** Where an app is installed for a whole organisation, not every message of Slack's says which team it is about. */
function askerOf(from: object, client: WebClient): Asker {
  // What Bolt calls by many types has these in common.
  const { team, enterprise, user, channel, response_url } = from as From
  return {
    team_id: team?.id ?? user.team_id ?? enterprise?.id ?? '',
    user_id: user.id,
    channel_id: channel?.id,
    response_url,
    client,
  }
}

type Asked = {
  asker: Asker
  words: string
  /** Whether what was pressed stands in a message that the whole channel sees. */
  isForAll?: boolean
  trigger_id: string
  modal?: { id: string; hash: string } | undefined
  /** Where there is a place to be answered in. */
  respond?: ((reply: RespondArguments) => Promise<unknown>) | undefined
}

async function run(bot: Bot, then: Feature['run'], asked: Asked): Promise<void> {
  const { asker, words, isForAll = false } = asked
  const { client } = asker
  const open = (view: ModalView) => openView(asked, view)
  const respond: Asked['respond'] = asked.respond ?? ((reply) => answerElsewhere(bot, asked, reply as Reply))
  const request: Request = {
    bot,
    asker,
    words,
    reply: async (reply) =>
      void (await respond({ ...reply, response_type: 'ephemeral', replace_original: false })),
    replace: async (reply) =>
      void (await respond({
        ...reply,
        response_type: isForAll ? 'in_channel' : 'ephemeral',
        replace_original: true,
      })),
    share: async (reply) =>
      void (await respond({ ...reply, response_type: 'in_channel', replace_original: false })),
    open: async (view) => {
      const { view: opened } = await open(view)
      const { id = '', hash = '' } = opened ?? {}
      return { update: (changed) => change(client, { id, hash }, changed) }
    },
  }
  try {
    await then(request)
  } catch (error) {
    // Whoever wrote much is not to write it anew.
    const typed = words.includes(' ') ? `\nYou wrote: ${escaped(words)}` : ''
    await request.reply(troubled(reportBug(bot, error) + typed))
  }
}

/** A form that is opened from a modal takes its place. */
const openView = ({ asker: { client }, modal, trigger_id }: Asked, view: ModalView) =>
  modal ? client.views.update({ view_id: modal.id, view }) : client.views.open({ trigger_id, view })

/** Who asks from the Home, or with a shortcut, looks at no channel: the answer comes before them, or as a message. */
async function answerElsewhere(bot: Bot, asked: Asked, { text, blocks }: Reply): Promise<void> {
  const { user_id: user, channel_id: channel, client } = asked.asker
  const view: ModalView = {
    type: 'modal',
    title: plain('Upnext'),
    close: plain('Close'),
    blocks: blocks ?? said(text).blocks ?? [],
  }
  if (!channel && (await openView(asked, view).catch(() => undefined))) return
  await tellPerson(
    { client, fetch: bot.runtime.fetch },
    { user, channel },
    { text, ...(blocks && { blocks }) },
  )
}

/** Changes what stands open. Who has closed it or sent it off meanwhile is not to see it come back. */
async function change(client: WebClient, { id, hash }: { id: string; hash: string }, view: ModalView) {
  try {
    await client.views.update({ view_id: id, hash, view })
  } catch (error) {
    const { code, data } = error as Partial<WebAPIPlatformError>
    const meanwhile = ['not_found', 'hash_conflict'].includes(data?.error ?? '')
    if (code !== ErrorCode.PlatformError || !meanwhile) throw error
  }
}
