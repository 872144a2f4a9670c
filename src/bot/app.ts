import type { App, RespondArguments } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { ErrorCode, type WebAPIPlatformError, type WebClient } from '@slack/web-api'
import type { Asker, Bot } from './bot.ts'
import type { Feature, Request } from './feature.ts'
import { features, forms } from './features/index.ts'
import { choiceOption } from './form/choice-option.ts'
import type { Entry } from './form/field.ts'
import { follow } from './form/follow.ts'
import { CHOSEN, FORM, OPTIONS } from './form/form-view.ts'
import { lookUp } from './form/look-up.ts'
import { submitForm } from './form/submit-form.ts'
import { firstInput } from './form/view-state.ts'
import { publishHome } from './home/home.ts'
import type { Reply } from './reply.ts'
import { route } from './router.ts'
import { tellChannel, tellPerson } from './tell.ts'
import { reportBug, troubled } from './trouble.ts'

/** Mounts what there is on Bolt: nobody else speaks to it. */
export function mountFeatures(app: App, bot: Bot): void {
  const mountCommand = (command: string, then: Feature['run']) =>
    app.command(command, async ({ ack, respond, client, command: typed }) => {
      // Slack waits three seconds for this, so it is told at once that we have heard.
      await ack()
      const { team_id, user_id, channel_id, text, trigger_id } = typed
      await run(bot, then, {
        asker: { team_id, user_id, channel_id, client },
        words: text,
        trigger_id,
        respond,
      })
    })

  mountCommand('/upnext', (request) => route(features, request))
  for (const { command, run: then } of features)
    if (command && command !== '/upnext') mountCommand(command, then)

  for (const [action_id, then] of features.flatMap(({ actions = {} }) => Object.entries(actions)))
    app.action({ type: 'block_actions', action_id }, async ({ ack, respond, client, body, action }) => {
      await ack()
      const { team, user, channel, trigger_id } = body
      const { value, selected_option } = action as Entry
      await run(bot, then, {
        asker: { team_id: team?.id ?? '', user_id: user.id, channel_id: channel?.id, client },
        words: value ?? selected_option?.value ?? '',
        trigger_id,
        isInModal: body.view?.type === 'modal',
        // What is pressed on the Home or in a modal has no place of its own to be answered in.
        respond: body.response_url
          ? respond
          : (reply) => tellPerson(client, { user: user.id, channel: undefined }, reply),
      })
    })

  for (const { shortcuts = [], run: then } of features)
    for (const { callback_id } of shortcuts)
      app.shortcut(callback_id, async ({ ack, client, shortcut }) => {
        await ack()
        const { team, user, trigger_id } = shortcut
        const message = shortcut.type === 'message_action' ? shortcut : undefined
        const channel_id = message?.channel.id
        await run(bot, then, {
          asker: { team_id: team?.id ?? '', user_id: user.id, channel_id, client },
          words: message ? await wordsOf(client, message) : '',
          trigger_id,
          respond: (reply) => tellPerson(client, { user: user.id, channel: channel_id }, reply),
        })
      })

  for (const [action_id, suggest] of features.flatMap(({ options = {} }) => Object.entries(options)))
    app.options(action_id, async ({ ack, options }) => {
      await ack({ options: suggest(options.value).map(choiceOption) })
    })

  app.view(new RegExp(`^${FORM}`), async ({ ack, body, view, client }) => {
    const form = forms.find(({ verb }) => FORM + verb === view.callback_id)
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const team_id = body.team?.id ?? body.user.team_id ?? ''
    const user = body.user.id
    const asker = { team_id, user_id: user, channel_id: undefined, client }
    const submitted = await submitForm(form, bot, asker, view).catch((error) => {
      const say = `${reportBug(bot, error)} What you wrote is still here.`
      return { answer: { response_action: 'errors' as const, errors: { [firstInput(view)]: say } } }
    })
    const { answer, reply, forAll, channel } = {
      reply: undefined,
      forAll: undefined,
      channel: undefined,
      ...submitted,
    }
    // What `ack` takes is told apart by its action; without one it closes the form.
    await (answer ? ack(answer) : ack())
    if (!reply) return
    if (forAll && channel) await tellChannel(client, { user, channel }, { forAll, reply })
    else await tellPerson(client, { user, channel }, reply)
    // What one has just changed is to be seen there.
    await publishHome(bot, asker)
  })

  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const asker = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client }
    await publishHome(bot, asker, { isEmpty: !event.view })
  })

  app.options(new RegExp(`^${OPTIONS}`), async ({ ack, body, client, options }) => {
    const [, verb, name = ''] = options.action_id.split(':')
    const form = forms.find((one) => one.verb === verb)
    const view = 'view' in body ? body.view : undefined
    const asker = { team_id: body.team?.id ?? '', user_id: body.user.id, channel_id: undefined, client }
    const found = form && view ? await lookUp(form, name, { bot, asker, view, typed: options.value }) : []
    await ack({ options: found.map(choiceOption) })
  })

  app.action(new RegExp(`^(${OPTIONS}|${CHOSEN})`), async ({ ack, body, client, action }) => {
    await ack()
    const { action_id, block_id, ...entry } = action as Entry & { action_id: string; block_id: string }
    const form = forms.find(({ verb }) => verb === action_id.split(':')[1])
    const view = 'view' in body ? body.view : undefined
    if (!form || !view) return
    const asker = { team_id: body.team?.id ?? '', user_id: body.user.id, channel_id: undefined, client }
    await change(client, view, await follow(form, { bot, asker, view, pressed: { block_id, ...entry } }))
  })

  app.error(async (error) => {
    bot.log.error(error, 'bot')
  })
}

type Asked = {
  asker: Asker
  words: string
  trigger_id: string
  /** What opens from a modal opens on top of it. */
  isInModal?: boolean
  respond: (reply: Reply & Pick<RespondArguments, 'response_type' | 'replace_original'>) => Promise<unknown>
}

async function run(bot: Bot, then: Feature['run'], asked: Asked): Promise<void> {
  const { asker, words, trigger_id, isInModal, respond } = asked
  const { views } = asker.client
  const answer =
    (response_type: 'ephemeral' | 'in_channel', replace_original: boolean) => async (reply: Reply) =>
      void (await respond({ ...reply, response_type, replace_original }))
  const request: Request = {
    bot,
    asker,
    words,
    reply: answer('ephemeral', false),
    replace: answer('ephemeral', true),
    share: answer('in_channel', false),
    open: async (view) => {
      const { view: opened } = await (isInModal ? views.push : views.open)({ trigger_id, view })
      const { id = '', hash = '' } = opened ?? {}
      return { update: (changed) => change(asker.client, { id, hash }, changed) }
    },
  }
  try {
    await then(request)
  } catch (error) {
    await request.reply(troubled(reportBug(bot, error)))
  }
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

type UsedOn = { channel: { id: string }; message: { ts: string; text?: string | undefined } }

/** A message's text, and the way back to it. */
async function wordsOf(client: WebClient, { channel, message }: UsedOn): Promise<string> {
  const { permalink } = await client.chat.getPermalink({ channel: channel.id, message_ts: message.ts })
  return [message.text, permalink].filter(Boolean).join('\n')
}
