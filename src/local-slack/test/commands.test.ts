import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { waitFor } from './fixed-runtime.ts'
import { acknowledge, openWorkspace, plain, TRANSPORTS, type Workspace, waitForPayload } from './workspace.ts'

describe.each(TRANSPORTS)('slash commands over %s', (transport) => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace(transport)
  })
  afterAll(() => workspace.close())
  beforeEach(() => {
    workspace.bot.payloads.length = 0
    workspace.bot.handle = acknowledge
  })
  const last = (channel: string) => workspace.mara.state().messages[channel]?.at(-1)

  it("sends a slash command to the app with all of Slack's fields", async () => {
    const { mara, bot, slack, channelId } = workspace
    expect(
      await mara.runCommand({ channel: channelId('launch'), text: '/book  the attic <b> & more' }),
    ).toEqual({
      done: true,
    })
    expect(await waitForPayload(bot, '/book')).toEqual({
      token: slack.secrets.verificationToken,
      team_id: expect.stringMatching(/^T/),
      team_domain: 'lantern-street',
      channel_id: channelId('launch'),
      channel_name: 'launch',
      user_id: mara.userId,
      user_name: 'mara',
      command: '/book',
      text: 'the attic <b> & more',
      api_app_id: slack.appId,
      is_enterprise_install: 'false',
      response_url: expect.stringContaining(`${slack.url}/commands/`),
      trigger_id: expect.stringMatching(/^\d+\.\d+\.[0-9a-f]{32}$/),
    })
  })

  it('replaces emoji in a command by their names', async () => {
    const { mara, bot, channelId } = workspace
    for (const command of ['/book', '/echo']) {
      const text = `${command} 🎉 for 👋🏽 :coffee: ❤️ &amp; \u{1f9d1}\u{1f3fb}\u{200d}\u{1f91d}\u{200d}\u{1f9d1}\u{1f3fc}`
      await mara.runCommand({ channel: channelId('launch'), text })
      expect((await waitForPayload(bot, command)).text).toBe(
        // Slack has no name for people of different skin tones.
        ':tada: for :wave::skin-tone-4: :coffee: :heart: &amp; \u{1f9d1}\u{1f3fb}\u{200d}\u{1f91d}\u{200d}\u{1f9d1}\u{1f3fc}',
      )
    }
  })

  it('names private channels and direct messages in a command like Slack does', async () => {
    const { mara, bot, channelId } = workspace
    await mara.runCommand({ channel: channelId('press'), text: '/book' })
    const opened = await mara.openAppTab({ tab: 'messages' })
    if ('error' in opened) throw new Error(opened.error)
    await mara.runCommand({ channel: opened.channel, text: '/book' })
    expect(bot.payloads.filter(({ command }) => command).map(({ channel_name }) => channel_name)).toEqual([
      'privategroup',
      'directmessage',
    ])
  })

  it('escapes users, channels and links in a command with should_escape', async () => {
    const { mara, bot, slack, channelId } = workspace
    const yuki = slack.openSession('yuki').userId
    await mara.runCommand({
      channel: channelId('launch'),
      text: '/echo ask @yuki in #general or https://a.example/x',
    })
    expect((await waitForPayload(bot, '/echo')).text).toBe(
      `ask <@${yuki}|yuki> in <#${channelId('general')}|general> or <https://a.example/x>`,
    )
  })

  it.each([
    ['text', 'Done.', true],
    ['an ephemeral message', { text: 'Done.' }, true],
    ['a message in the channel', { response_type: 'in_channel', text: 'Done.' }, false],
  ])('posts %s from the acknowledgement of a command', async (_what, answer, isEphemeral) => {
    const { mara, bot, channelId, slack } = workspace
    bot.handle = async ({ ack }) => ack?.(answer)
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    expect(last(channelId('launch'))).toMatchObject({ text: 'Done.', isEphemeral, user: slack.botUserId })
    const seenByYuki = slack.openSession('yuki').state().messages[channelId('launch')]?.at(-1)
    expect(seenByYuki?.text === 'Done.' && seenByYuki.ts === last(channelId('launch'))?.ts).toBe(!isEphemeral)
  })

  it('shows the user that a command failed when the app acknowledges it with invalid blocks', async () => {
    const { mara, bot, channelId, slack } = workspace
    bot.handle = async ({ ack }) => ack?.({ blocks: [{ type: 'header', text: plain('x'.repeat(151)) }] })
    const result = await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    expect(result).toEqual({ error: '/book failed with the error "invalid_command_response"' })
    expect(last(channelId('launch'))).toMatchObject({ user: 'USLACKBOT', isEphemeral: true })
    expect(slack.controls.appPayloads().at(-1)?.problems).toEqual([
      'invalid_blocks',
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ])
  })

  it('shows the user that a command timed out after 3 seconds', async () => {
    const { mara, bot, channelId, slack } = workspace
    bot.handle = async () => {}
    const running = mara.runCommand({ channel: channelId('launch'), text: '/slow' })
    await waitForPayload(bot, '/slow')
    slack.controls.advanceClock({ seconds: 3 })
    expect(await running).toEqual({ error: '/slow failed with the error "operation_timeout"' })
    expect(last(channelId('launch'))).toMatchObject({
      text: '/slow failed with the error "operation_timeout"',
      isEphemeral: true,
    })
  })

  it('does not send an unknown command to the app, and informs the user', async () => {
    const { mara, bot, channelId } = workspace
    const result = await mara.runCommand({ channel: channelId('launch'), text: '/nothing here' })
    expect(result).toEqual({ error: expect.stringContaining('/nothing is not a valid command.') })
    expect(bot.payloads).toEqual([])
  })

  it('accepts five responses at a response_url within 30 minutes', async () => {
    const { mara, bot, channelId, slack } = workspace
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    const [first, second] = bot.payloads.map(({ response_url }) => response_url)
    const post = (url: string, body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) })
    for (const text of ['1', '2', '3', '4', '5']) expect((await post(first, { text })).status).toBe(200)
    const sixth = await post(first, { text: '6' })
    expect([sixth.status, await sixth.json()]).toEqual([404, { ok: false, error: 'used_url' }])
    slack.controls.advanceClock({ seconds: 30 * 60 - 1 })
    expect((await post(second, { text: 'just in time' })).status).toBe(200)
    slack.controls.advanceClock({ seconds: 2 })
    const late = await post(second, { text: 'too late' })
    expect([late.status, await late.json()]).toEqual([404, { ok: false, error: 'expired_url' }])
    expect(last(channelId('launch'))?.text).toBe('just in time')
  })

  it('lets the app open one modal within 3 seconds of a command', async () => {
    const { mara, bot, channelId, slack } = workspace
    const client = new WebClient(slack.secrets.botToken, {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
    })
    const view = { type: 'modal' as const, title: plain('Hello'), blocks: [] }
    const open = (trigger_id: string) => client.views.open({ trigger_id, view })
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    const { trigger_id } = await waitForPayload(bot, '/book')
    await open(trigger_id)
    expect(mara.state().views).toHaveLength(1)
    await expect(open(trigger_id)).rejects.toThrow('exchanged_trigger_id')

    bot.payloads.length = 0
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    const late = await waitForPayload(bot, '/book')
    slack.controls.advanceClock({ seconds: 3.1 })
    await expect(open(late.trigger_id)).rejects.toThrow('expired_trigger_id')
    await expect(open('1.2.nobody')).rejects.toThrow(/trigger/)
    expect(mara.state().views).toHaveLength(1)
    await mara.closeView({ view: mara.state().views[0]?.id ?? '', all: true })
  })

  it('posts a response that comes later than the acknowledgement', async () => {
    const { mara, bot, channelId, slack } = workspace
    bot.handle = async ({ ack, respond }) => {
      await ack?.()
      slack.controls.advanceClock({ seconds: 5 })
      await respond('Took a while')
    }
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    await waitFor(() => expect(last(channelId('launch'))?.text).toBe('Took a while'))
  })

  it('adds a user or the app to a channel with /invite, without asking the app', async () => {
    const { mara, channelId, slack } = workspace
    const invite = (text: string) => mara.runCommand({ channel: channelId('board'), text: `/invite ${text}` })
    const isIn = async (user: string) =>
      mara
        .state()
        .channels.find(({ name }) => name === 'board')
        ?.members.includes(user)
    expect(await isIn(slack.botUserId)).toBe(false)
    const { name = '' } = mara.state().users.find(({ id }) => id === slack.botUserId) ?? {}
    expect(await invite(`@${name}`)).toEqual({ done: true })
    expect(await isIn(slack.botUserId)).toBe(true)
    expect(await invite('@nobody')).toEqual({ error: expect.stringContaining('/invite @name') })
  })
})
