import { connect } from 'node:net'
import type { KnownBlock } from '@slack/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openLocalSlack } from '../index.ts'
import { fixedRuntime, waitFor } from './fixed-runtime.ts'
import { MANIFEST } from './sample-bot/bot.ts'
import { acknowledge, button, openWorkspace, plain, type Workspace, waitForPayload } from './workspace.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await openWorkspace('Socket Mode')
})
afterEach(() => workspace.close())

const launch = () => workspace.channelId('launch')
const client = () => workspace.bot.app.client
const call = (method: string, args: object) => {
  const { apiUrl, secrets } = workspace.slack
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    authorization: `Bearer ${secrets.botToken}`,
  }
  return fetch(apiUrl + method, { method: 'POST', headers, body: JSON.stringify(args) })
}
const stillWorks = async () => {
  expect(await workspace.mara.runCommand({ channel: launch(), text: '/book' })).toEqual({ done: true })
  const address = `${workspace.slack.url.replace('http', 'ws')}/page?as=yuki&session=fresh`
  const page = new WebSocket(address)
  const frame = await new Promise((resolve) => page.once('message', resolve))
  expect(frame).toBeDefined()
  page.close()
}

describe('invalid input', () => {
  it.each(['//', '/link/', '/page', '/nothing', '/%'])(
    'keeps working after a WebSocket request to the invalid path %s',
    async (path) => {
      const { port } = new URL(workspace.slack.url)
      const answer = await new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () =>
          socket.write(
            `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
          ),
        )
        socket.once('data', (data) => resolve(String(data)))
      })
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      await stillWorks()
    },
  )

  it('keeps working after an empty file and a file name with an unpaired surrogate', async () => {
    const { mara, slack } = workspace
    const address = `${slack.url}/page/files?${new URLSearchParams({ session: mara.sessionId, name: 'empty.txt' })}`
    const { id } = (await (await fetch(address, { method: 'POST' })).json()) as { id: string }
    await mara.sendMessage({ channel: launch(), text: '', files: [id] })
    const announced = await call('files.getUploadURLExternal', { filename: '\ud800.png', length: 1 })
    const { upload_url, file_id } = (await announced.json()) as { upload_url: string; file_id: string }
    await fetch(upload_url, { method: 'POST', body: 'x' })
    const shared = await call('files.completeUploadExternal', {
      files: [{ id: file_id }],
      channel_id: launch(),
    })
    expect(await shared.json()).toMatchObject({ ok: true })
    expect(await (await call('conversations.history', { channel: launch() })).json()).toMatchObject({
      ok: true,
    })
    await stillWorks()
  })

  it.each([[[null]], [['text']], [{}], [[[[]]]], [[{ color: 5 }]], [[{ fields: [{}] }]]])(
    'rejects the invalid attachments %j and keeps working',
    async (attachments) => {
      const answer = await call('chat.postMessage', { channel: launch(), text: 'x', attachments })
      expect(await answer.json()).toMatchObject({ ok: false, error: 'invalid_attachments' })
      await stillWorks()
    },
  )

  it('lets users send messages while the app cannot be reached', async () => {
    const slack = await openLocalSlack({
      manifest: MANIFEST,
      runtime: fixedRuntime,
      requestUrl: 'http://127.0.0.1:9',
    })
    const mara = slack.openSession('mara')
    const channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
    expect(await mara.sendMessage({ channel, text: 'Hello' })).toEqual({ done: true })
    await slack.close()
  })

  it('rejects a request URL without a protocol', async () => {
    const opening = openLocalSlack({
      manifest: MANIFEST,
      runtime: fixedRuntime,
      requestUrl: 'localhost:3999',
    })
    await expect(opening).rejects.toThrow("Can't send requests to localhost:3999")
  })
})

describe('the app', () => {
  it("lets the app respond to a message shortcut, but not delete the user's message", async () => {
    const { mara, bot, slack } = workspace
    const yuki = slack.openSession('yuki')
    await yuki.sendMessage({ channel: launch(), text: 'My own words' })
    const { ts = '' } = mara.state().messages[launch()]?.at(-1) ?? {}
    await mara.runShortcut({ callback_id: 'book_for_message', message: { channel: launch(), ts } })
    const { response_url } = await waitForPayload(bot, 'message_action')
    for (const answer of [{ response_type: 'in_channel', text: 'Booked!' }, { delete_original: true }])
      await fetch(response_url, { method: 'POST', body: JSON.stringify(answer) })
    expect(
      mara
        .state()
        .messages[launch()]?.slice(-2)
        .map(({ text }) => text),
    ).toEqual(['My own words', 'Booked!'])
  })

  it('sends all selected options of an external select, also those that a later search did not return', async () => {
    const { mara, bot } = workspace
    const options = (value: string) => ({ options: [{ text: plain(value), value }] })
    bot.handle = async ({ ack, body }) =>
      ack?.(body.type === 'block_suggestion' ? options(body.value) : undefined)
    await mara.runCommand({ channel: launch(), text: '/book' })
    const { trigger_id } = await waitForPayload(bot, '/book')
    const element = { type: 'multi_external_select' as const, action_id: 'v', min_query_length: 0 }
    const blocks: KnownBlock[] = [{ type: 'input', block_id: 'Many', label: plain('Many'), element }]
    const view = { type: 'modal' as const, title: plain('Ask'), submit: plain('Go'), blocks }
    const { view: opened } = await client().views.open({ trigger_id, view })
    const at = { view: opened?.id ?? '' }
    for (const value of ['one', 'two'])
      await mara.loadOptions({ container: at, block_id: 'Many', action_id: 'v', query: value })
    await mara.submitView({ view: at.view, values: { Many: { v: ['one', 'two'] } } })
    const { state } = (await waitForPayload(bot, 'view_submission')).view
    expect(state.values.Many.v.selected_options.map(({ value }: { value: string }) => value)).toEqual([
      'one',
      'two',
    ])
  })

  it('sends actions of buttons in containers, cards and attachments', async () => {
    const { mara, bot } = workspace
    const card = { type: 'card', title: plain('Card'), actions: [button('in-card')] }
    const inside = { type: 'actions', elements: [button('in-container')] }
    const blocks = [{ type: 'container', title: plain('Box'), child_blocks: [inside] }, card] as KnownBlock[]
    const attached = { type: 'actions', elements: [button('in-attachment')] } as KnownBlock
    const posted = await client().chat.postMessage({
      channel: launch(),
      text: 'x',
      blocks,
      attachments: [{ blocks: [attached] }],
    })
    const at = { channel: launch(), ts: posted.ts ?? '' }
    const { message } = posted as unknown as {
      message: {
        blocks: { block_id: string; child_blocks?: { block_id: string }[] }[]
        attachments: { blocks: { block_id: string }[] }[]
      }
    }
    const ids = {
      'in-container': message.blocks[0]?.child_blocks?.[0]?.block_id,
      'in-card': message.blocks[1]?.block_id,
      'in-attachment': message.attachments[0]?.blocks[0]?.block_id,
    }
    for (const [action_id, block_id = ''] of Object.entries(ids))
      expect(await mara.dispatchAction({ container: at, block_id, action_id })).toEqual({ done: true })
    expect(
      bot.payloads.flatMap(({ actions = [] }) =>
        actions.map(({ action_id }: { action_id: string }) => action_id),
      ),
    ).toEqual(Object.keys(ids))
  })

  it('sends nothing to an uninstalled app', async () => {
    const { mara, bot } = workspace
    const blocks = [{ type: 'actions', block_id: 'do', elements: [button('go')] }] as KnownBlock[]
    const { ts = '' } = await client().chat.postMessage({ channel: launch(), text: 'x', blocks })
    await mara.uninstallApp({})
    await waitForPayload(bot, 'app_uninstalled')
    bot.payloads.length = 0
    const gone = { error: 'This app is no longer in the workspace.' }
    expect(
      await mara.dispatchAction({ container: { channel: launch(), ts }, block_id: 'do', action_id: 'go' }),
    ).toEqual(gone)
    expect(await mara.runShortcut({ callback_id: 'book_anywhere' })).toEqual(gone)
    expect(await mara.runCommand({ channel: launch(), text: '/book' })).toEqual({
      error: expect.stringContaining('not a valid command'),
    })
    expect(bot.payloads).toEqual([])
    // After a reinstall the same token is valid: the app has no other way to learn a new one.
    await mara.installApp({})
    expect(await client().auth.test()).toMatchObject({ ok: true })
  })

  it('gives the app its full time to acknowledge an event that happened while the clock was advanced', async () => {
    const { bot, slack } = workspace
    bot.handle = acknowledge
    await client().chat.scheduleMessage({
      channel: launch(),
      text: 'On time',
      post_at: Math.floor(slack.controls.now().getTime() / 1000) + 1800,
    })
    bot.payloads.length = 0
    slack.controls.advanceClock({ seconds: 3600 })
    await waitForPayload(bot, 'message')
    // A round trip through the same connection: a second delivery would arrive before this command.
    await workspace.mara.runCommand({ channel: launch(), text: '/book' })
    expect(bot.payloads.map(({ type, command }) => type ?? command)).toEqual(['event_callback', '/book'])
  })

  it('records requests of the app with their errors, but without secrets', async () => {
    const { slack } = workspace
    await call('chat.postMessage', { channel: launch() })
    await call('oauth.v2.access', {
      client_id: slack.secrets.clientId,
      client_secret: 'guess',
      code: 'secret-code',
    })
    const sent = slack.controls.appPayloads()
    expect(sent.at(-2)).toMatchObject({ name: 'chat.postMessage', problems: ['no_text'] })
    const all = JSON.stringify(sent)
    for (const secret of ['guess', 'secret-code', 'ticket=', slack.secrets.botToken])
      expect(all).not.toContain(secret)
    await waitFor(() => expect(slack.controls.socketCount()).toBe(1))
  })
})

describe('a channel with many messages', () => {
  it('returns the latest 999 of 1,200 messages', async () => {
    const { mara } = workspace
    for (let count = 0; count < 1200; count += 1)
      await mara.sendMessage({ channel: launch(), text: `Message ${count}` })
    const { messages = [] } = await client().conversations.history({ channel: launch(), limit: 999 })
    expect(messages.map(({ text }) => text).slice(0, 2)).toEqual(['Message 1199', 'Message 1198'])
    expect(messages).toHaveLength(999)
  })
})
