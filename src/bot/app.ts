import type { App, RespondArguments } from '@slack/bolt'
import type { ModalView } from '@slack/types'
import { ErrorCode, type WebAPIPlatformError, type WebClient } from '@slack/web-api'
import type { Asker, Bot } from './bot.ts'
import type { Feature, Request } from './feature.ts'
import { features, forms } from './features/index.ts'
import { choiceOption } from './form/fields.ts'
import { CHOSEN, FORM, OPTIONS } from './form/form-view.ts'
import { follow, lookUp } from './form/look-up.ts'
import { submitForm } from './form/submit-form.ts'
import { publishHome } from './home/home.ts'
import { type Reply, troubled } from './reply.ts'
import { route } from './router.ts'

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
        replaces: false,
      })
    })

  mountCommand('/upnext', (request) => route(features, request))
  for (const { command, run: then } of features)
    if (command && command !== '/upnext') mountCommand(command, then)

  for (const [action_id, then] of features.flatMap(({ actions = {} }) => Object.entries(actions)))
    app.action({ type: 'block_actions', action_id }, async ({ ack, respond, client, body, action }) => {
      await ack()
      const { team, user, channel, trigger_id } = body
      // What is pressed on the Home or in a modal has no place of its own to be answered in.
      const privately: Asked['respond'] = (reply) =>
        tell(client, { user: user.id, channel: undefined, reply })
      await run(bot, then, {
        asker: { team_id: team?.id ?? '', user_id: user.id, channel_id: channel?.id, client },
        words: ('value' in action && action.value) || '',
        trigger_id,
        respond: body.response_url ? respond : privately,
        replaces: true,
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
          respond: (reply) => tell(client, { user: user.id, channel: channel_id, reply }),
          replaces: false,
        })
      })

  app.view(new RegExp(`^${FORM}`), async ({ ack, body, view, client }) => {
    const form = forms.find(({ verb }) => FORM + verb === view.callback_id)
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const team_id = body.team?.id ?? body.user.team_id ?? ''
    const asker = { team_id, user_id: body.user.id, channel_id: undefined, client }
    const { answer, reply, channel } = await submitForm(form, bot, asker, view)
    // What `ack` takes is told apart by its action; without one it closes the form.
    await (answer ? ack(answer) : ack())
    if (!reply) return
    await tell(client, { user: body.user.id, channel, reply })
    // What one has just changed is to be seen there.
    await publishHome(bot, asker)
  })

  app.event('app_home_opened', async ({ event, body, client }) => {
    if (event.tab !== 'home') return
    const asker = { team_id: body.team_id, user_id: event.user, channel_id: undefined, client }
    await publishHome(bot, asker)
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
    const verb = 'action_id' in action ? action.action_id.split(':')[1] : undefined
    const form = forms.find((one) => one.verb === verb)
    const view = 'view' in body ? body.view : undefined
    if (!form || !view) return
    const asker = { team_id: body.team?.id ?? '', user_id: body.user.id, channel_id: undefined, client }
    const pressed = {
      block_id: 'block_id' in action ? action.block_id : '',
      value: ('value' in action && action.value) || '',
    }
    await change(client, view, await follow(form, { bot, asker, view, pressed }))
  })

  app.error(async (error) => {
    bot.log.error(error, 'bot')
  })
}

type Asked = {
  asker: Asker
  words: string
  trigger_id: string
  respond: (reply: Reply & Pick<RespondArguments, 'response_type' | 'replace_original'>) => Promise<unknown>
  /** Whether the answer takes the place of what was pressed. */
  replaces: boolean
}

async function run(bot: Bot, then: Feature['run'], asked: Asked): Promise<void> {
  const { asker, words, trigger_id, respond, replaces } = asked
  const request: Request = {
    bot,
    asker,
    words,
    reply: async (reply) =>
      void (await respond({ ...reply, response_type: 'ephemeral', replace_original: replaces })),
    share: async (reply) =>
      void (await respond({ ...reply, response_type: 'in_channel', replace_original: false })),
    open: async (view) => {
      const { view: opened } = await asker.client.views.open({ trigger_id, view })
      const { id = '', hash = '' } = opened ?? {}
      return { update: (changed) => change(asker.client, { id, hash }, changed) }
    },
  }
  try {
    await then(request)
  } catch (error) {
    const id = bot.world.newId().slice(0, 8)
    bot.log.error({ error, id, words }, 'a request failed')
    await request.reply(
      troubled('Something went wrong here that should not have. Nothing more was done.', id),
    )
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

type Telling = { user: string; channel: string | undefined; reply: Reply }

/** Where they asked, to them alone; where the bot is not in that channel, as a message to them. */
async function tell(client: WebClient, { user, channel, reply }: Telling): Promise<void> {
  const told =
    channel && (await client.chat.postEphemeral({ channel, user, ...reply }).catch(() => undefined))
  if (!told) await client.chat.postMessage({ channel: user, ...reply })
}
