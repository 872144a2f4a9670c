import { join } from 'node:path'
import { App, LogLevel } from '@slack/bolt'
import type { LocalSlack } from '../../index.ts'
import { bookingForm, everyInput, homeOf, rooms, showcase } from './screens.ts'

export const MANIFEST = join(import.meta.dirname, 'manifest.yml')

export type SampleBot = {
  app: App
  /** All payloads that the app received, in order. */
  heard: { type: string; body: Record<string, unknown> }[]
  stop: () => Promise<void>
}

/** Starts an ordinary Bolt app in Socket Mode. */
export async function startSampleBot(
  slack: LocalSlack,
  { more }: { more?: (app: App) => void } = {},
): Promise<SampleBot> {
  const { secrets, apiUrl } = slack
  const app = new App({
    token: secrets.botToken,
    appToken: secrets.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 } },
    logLevel: LogLevel.ERROR,
  })
  const heard: SampleBot['heard'] = []
  app.use(async ({ body, next }) => {
    const { type, command, event } = body as { type?: string; command?: string; event?: { type: string } }
    heard.push({ type: event?.type ?? type ?? command ?? '', body: body as never })
    await next()
  })
  addFeatures(app)
  more?.(app)
  await app.start()
  return {
    app,
    heard,
    async stop() {
      await app.stop()
    },
  }
}

function addFeatures(app: App): void {
  const taken = new Set(['taken'])
  const counts = new Map<string, number>()

  app.command('/book', async ({ ack, body, client }) => {
    await ack()
    await client.views.open({ trigger_id: body.trigger_id, view: bookingForm({ channel: body.channel_id }) })
  })
  app.command('/echo', async ({ ack, command }) => {
    await ack(command.text)
  })
  app.command('/slow', async () => {
    // Never acknowledged, so that Slack reports a timeout.
  })
  app.command('/form', async ({ ack, body, client }) => {
    await ack()
    await client.views.open({ trigger_id: body.trigger_id, view: everyInput() })
  })
  app.action('town', async ({ ack, action, body, client }) => {
    await ack()
    const town = 'value' in action ? String(action.value) : ''
    const view_id = ('view' in body && body.view?.id) || ''
    await client.views.update({ view_id, view: everyInput(`${town} it is`) })
  })
  app.view('every', async ({ ack }) => ack())

  app.command('/show', async ({ ack, respond }) => {
    await ack()
    await respond({ response_type: 'in_channel', text: 'All that there is', blocks: showcase() })
  })

  app.options('room', async ({ ack, options }) => {
    await ack({ options: rooms(options.value) })
  })
  app.view('book', async ({ ack, view, client, body }) => {
    const { values } = view.state
    const title = values.Title?.value?.value ?? ''
    if (taken.has(title)) return ack({ response_action: 'errors', errors: { Title: 'This title is taken.' } })
    await ack()
    const room = values.Room?.room?.selected_option?.text.text
    const when = values.When?.value?.selected_date_time
    await client.chat.postMessage({
      channel: view.private_metadata || body.user.id,
      text: `<@${body.user.id}> booked *${room}* for ${title}${when ? ` at <!date^${when}^{date_num} {time}|${when}>` : ''}`,
    })
  })

  app.action('count', async ({ ack, body, client }) => {
    await ack()
    const count = (counts.get(body.user.id) ?? 0) + 1
    counts.set(body.user.id, count)
    await client.views.publish({ user_id: body.user.id, view: homeOf(count) })
  })
  app.action(/^(?!(count|town)$)/, async ({ ack }) => ack())
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return
    await client.views.publish({ user_id: event.user, view: homeOf(counts.get(event.user) ?? 0) })
  })
  app.event('app_mention', async ({ event, client }) => {
    await client.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: 'You called?' })
  })
  app.shortcut('book_anywhere', async ({ ack, shortcut, client }) => {
    await ack()
    await client.views.open({ trigger_id: shortcut.trigger_id, view: bookingForm({}) })
  })
  app.shortcut('book_for_message', async ({ ack, shortcut, client }) => {
    await ack()
    const title = 'message' in shortcut ? shortcut.message.text : ''
    await client.views.open({ trigger_id: shortcut.trigger_id, view: bookingForm({ title: title ?? '' }) })
  })
}
