import type { AckFn, App, RespondArguments, RespondFn } from '@slack/bolt'
import type { WebClient } from '@slack/web-api'
import type { Bot } from './bot.ts'
import type { Feature, Request } from './feature.ts'
import { features, forms } from './features/index.ts'
import { FORM } from './form/form-view.ts'
import { submitForm } from './form/submit-form.ts'
import { type Reply, troubled } from './reply.ts'
import { route } from './router.ts'

/** Mounts what there is on Bolt: nobody else speaks to it. */
export function mountFeatures(app: App, bot: Bot): void {
  app.command('/upnext', (told) => run(told, bot, (request) => route(features, request)))
  for (const feature of features)
    if (feature.command && feature.command !== '/upnext')
      app.command(feature.command, (told) => run(told, bot, feature.run))

  app.view(new RegExp(`^${FORM}`), async ({ ack, body, view, client }) => {
    const form = forms.find(({ verb }) => FORM + verb === view.callback_id)
    if (!form) throw new Error(`There is no form "${view.callback_id}".`)
    const team_id = body.team?.id ?? body.user.team_id ?? ''
    const asker = { team_id, user_id: body.user.id, channel_id: undefined, client }
    const { answer, reply, channel } = await submitForm(form, bot, asker, view)
    // What `ack` takes is told apart by its action; without one it closes the form.
    await (answer ? ack(answer) : ack())
    if (reply) await tell(client, { user: body.user.id, channel, reply })
  })

  app.error(async (error) => {
    bot.log.error(error, 'bot')
  })
}

type CommandTold = {
  ack: AckFn<string | RespondArguments>
  respond: RespondFn
  client: WebClient
  command: { team_id: string; user_id: string; channel_id: string; text: string; trigger_id: string }
}

/** Slack waits three seconds for this, so it is told at once that we have heard. */
async function run(
  { ack, respond, client, command }: CommandTold,
  bot: Bot,
  then: Feature['run'],
): Promise<void> {
  await ack()
  const { team_id, user_id, channel_id, text, trigger_id } = command
  const request: Request = {
    bot,
    asker: { team_id, user_id, channel_id, client },
    words: text,
    reply: async (reply) => void (await respond({ response_type: 'ephemeral', ...reply })),
    open: async (view) => {
      const { view: opened } = await client.views.open({ trigger_id, view })
      const { id = '', hash = '' } = opened ?? {}
      return {
        update: async (changed) => void (await client.views.update({ view_id: id, hash, view: changed })),
      }
    },
  }
  try {
    await then(request)
  } catch (error) {
    const id = bot.world.newId().slice(0, 8)
    bot.log.error({ error, id, command: command.text }, 'a command failed')
    await request.reply(
      troubled('Something went wrong here that should not have. Nothing more was done.', id),
    )
  }
}

type Telling = { user: string; channel: string | undefined; reply: Reply }

/** Where they asked, to them alone; where the bot is not in that channel, as a message to them. */
async function tell(client: WebClient, { user, channel, reply }: Telling): Promise<void> {
  const told =
    channel && (await client.chat.postEphemeral({ channel, user, ...reply }).catch(() => undefined))
  if (!told) await client.chat.postMessage({ channel: user, ...reply })
}
