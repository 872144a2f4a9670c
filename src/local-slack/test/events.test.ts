import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acknowledge, openWorkspace, TRANSPORTS, type Workspace, waitForPayload } from './workspace.ts'

describe.each(TRANSPORTS)('events over %s', (transport) => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace(transport)
  })
  afterAll(() => workspace.close())
  beforeEach(() => {
    workspace.bot.payloads.length = 0
    workspace.bot.handle = acknowledge
  })
  const say = (name: string, text: string, more: { thread_ts?: string } = {}) =>
    workspace.mara.sendMessage({ channel: workspace.channelId(name), text, ...more })
  const last = (name: string) => workspace.mara.state().messages[workspace.channelId(name)]?.at(-1)
  const messagesHeard = () => workspace.bot.payloads.filter(({ event }) => event?.type === 'message')

  it('sends an event in the same envelope as Slack', async () => {
    const { bot, slack, mara } = workspace
    await say('launch', 'Is <this> & that fine, @yuki?')
    const heard = await waitForPayload(bot, 'message')
    const yuki = slack.openSession('yuki').userId
    const { ts } = last('launch') ?? {}
    expect(heard).toEqual({
      token: slack.secrets.verificationToken,
      team_id: expect.stringMatching(/^T/),
      context_team_id: expect.stringMatching(/^T/),
      context_enterprise_id: null,
      api_app_id: slack.appId,
      type: 'event_callback',
      event_id: expect.stringMatching(/^Ev/),
      event_time: expect.any(Number),
      event_context: expect.any(String),
      is_ext_shared_channel: false,
      authorizations: [
        {
          enterprise_id: null,
          team_id: expect.stringMatching(/^T/),
          user_id: slack.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      event: {
        type: 'message',
        client_msg_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        channel: workspace.channelId('launch'),
        channel_type: 'channel',
        user: mara.userId,
        text: `Is &lt;this&gt; &amp; that fine, <@${yuki}>?`,
        ts,
        event_ts: ts,
        team: expect.stringMatching(/^T/),
        blocks: [expect.objectContaining({ type: 'rich_text' })],
      },
    })
  })

  it('replaces emoji in a message by their names, and marks them in its rich text', async () => {
    await say('launch', '🎉 at 10:30:15, x:a👋🏽 :coffee::party-parrot: https://a.example/:tada:/🎉')
    const { event } = await waitForPayload(workspace.bot, 'message')
    expect(event.text).toBe(
      ':tada: at 10:30:15, x:a:wave::skin-tone-4: :coffee::party-parrot: <https://a.example/:tada:/🎉>',
    )
    expect(event.blocks[0].elements[0].elements).toEqual([
      { type: 'emoji', name: 'tada', unicode: '1f389' },
      { type: 'text', text: ' at 10:30:15, x:a' },
      { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fd' },
      { type: 'text', text: ' ' },
      { type: 'emoji', name: 'coffee', unicode: '2615' },
      { type: 'text', text: ':party-parrot: ' },
      { type: 'link', url: 'https://a.example/:tada:/🎉' },
    ])
  })

  it("sends message events only for the app's own channels", async () => {
    const { mara, bot } = workspace
    await say('board', 'Secret')
    await say('general', 'Not in here')
    await say('press', 'Private, with the app')
    const dm = await mara.openAppTab({ tab: 'messages' })
    if ('error' in dm) throw new Error(dm.error)
    await mara.sendMessage({ channel: dm.channel, text: 'To the app' })
    await say('launch', 'Public')
    await waitForPayload(bot, 'message')
    await expect
      .poll(() => messagesHeard().map(({ event }) => [event.channel_type, event.text]))
      .toEqual([
        ['group', 'Private, with the app'],
        ['im', 'To the app'],
        ['channel', 'Public'],
      ])
  })

  it('sends a mention as a second event, except in direct messages', async () => {
    const { mara, bot, slack } = workspace
    await say('launch', 'Hello @sample_bot')
    const { event } = await waitForPayload(bot, 'app_mention')
    expect(event).toMatchObject({ text: `Hello <@${slack.botUserId}>`, user: mara.userId })
    expect(event.channel_type).toBeUndefined()
    const dm = await mara.openAppTab({ tab: 'messages' })
    if ('error' in dm) throw new Error(dm.error)
    bot.payloads.length = 0
    await mara.sendMessage({ channel: dm.channel, text: 'Hello @sample_bot' })
    await waitForPayload(bot, 'message')
    expect(bot.payloads.some(({ event }) => event?.type === 'app_mention')).toBe(false)
  })

  it('sends events for replies, edits and deletions', async () => {
    const { bot, mara, channelId } = workspace
    await say('launch', 'A question')
    const thread_ts = last('launch')?.ts ?? ''
    await say('launch', 'An answer', { thread_ts })
    await expect
      .poll(() => messagesHeard().at(-1)?.event)
      .toMatchObject({ thread_ts, parent_user_id: mara.userId })
    const posted = await bot.app.client.chat.postMessage({ channel: channelId('launch'), text: 'Before' })
    const at = { channel: channelId('launch'), ts: posted.ts ?? '' }
    await expect
      .poll(() => messagesHeard().at(-1)?.event)
      .toMatchObject({ bot_id: expect.stringMatching(/^B/) })
    await bot.app.client.chat.update({ ...at, text: 'After' })
    await expect
      .poll(() => messagesHeard().at(-1)?.event)
      .toMatchObject({
        subtype: 'message_changed',
        hidden: true,
        message: { text: 'After', edited: expect.any(Object) },
        previous_message: { text: 'Before' },
      })
    await bot.app.client.chat.delete(at)
    await expect
      .poll(() => messagesHeard().at(-1)?.event)
      .toMatchObject({
        subtype: 'message_deleted',
        deleted_ts: at.ts,
        previous_message: { text: 'After' },
      })
  })

  it('sends an event when a user or the app joins a channel, with the inviter', async () => {
    const { mara, bot, slack, channelId } = workspace
    const tomas = slack.openSession('tomas')
    await tomas.joinChannel({ channel: channelId('launch') })
    expect((await waitForPayload(bot, 'member_joined_channel')).event).toMatchObject({
      user: tomas.userId,
      channel: channelId('launch'),
      channel_type: 'C',
    })
    bot.payloads.length = 0
    await mara.inviteToChannel({ channel: channelId('board'), user: slack.botUserId })
    expect((await waitForPayload(bot, 'member_joined_channel')).event).toMatchObject({
      user: slack.botUserId,
      inviter: mara.userId,
      channel_type: 'G',
    })
    await mara.removeFromChannel({ channel: channelId('board'), user: slack.botUserId })
  })

  it('sends app_home_opened each time, with the published view', async () => {
    const { mara, bot } = workspace
    await mara.openAppTab({ tab: 'home' })
    const first = await waitForPayload(bot, 'app_home_opened')
    expect(first.event).toMatchObject({
      user: mara.userId,
      tab: 'home',
      channel: expect.stringMatching(/^D/),
    })
    expect(first.event.view).toBeUndefined()
    await bot.app.client.views.publish({
      user_id: mara.userId,
      view: { type: 'home', blocks: [{ type: 'divider' }] },
    })
    bot.payloads.length = 0
    await mara.openAppTab({ tab: 'home' })
    expect((await waitForPayload(bot, 'app_home_opened')).event.view).toMatchObject({
      type: 'home',
      id: expect.stringMatching(/^V/),
    })
    bot.payloads.length = 0
    await mara.openAppTab({ tab: 'messages' })
    expect((await waitForPayload(bot, 'app_home_opened')).event).toMatchObject({ tab: 'messages' })
  })

  it('sends events for reactions and shared files', async () => {
    const { mara, bot, slack, channelId } = workspace
    await say('launch', 'Nice?')
    const ts = last('launch')?.ts ?? ''
    await mara.addReaction({ message: { channel: channelId('launch'), ts }, name: 'tada' })
    expect((await waitForPayload(bot, 'reaction_added')).event).toMatchObject({
      user: mara.userId,
      reaction: 'tada',
      item: { type: 'message', channel: channelId('launch'), ts },
      item_user: mara.userId,
    })
    const address = `${slack.url}/page/files?${new URLSearchParams({ session: mara.sessionId, name: 'a.txt' })}`
    const response = await fetch(address, {
      method: 'POST',
      body: 'text',
      headers: { 'content-type': 'text/plain' },
    })
    const { id } = (await response.json()) as { id: string }
    await mara.sendMessage({ channel: channelId('launch'), text: '', files: [id] })
    expect((await waitForPayload(bot, 'file_shared')).event).toMatchObject({
      file_id: id,
      channel_id: channelId('launch'),
    })
    expect(messagesHeard().at(-1)?.event).toMatchObject({
      subtype: 'file_share',
      files: [{ id, name: 'a.txt' }],
    })
  })

  it('sends message_metadata_posted, team_join and reaction_removed', async () => {
    const { bot, slack, channelId } = workspace
    const channel = channelId('launch')
    const metadata = { event_type: 'stall_booked', event_payload: { stall: 7 } }
    const { ts = '' } = await bot.app.client.chat.postMessage({ channel, text: 'Booked', metadata })
    expect((await waitForPayload(bot, 'message_metadata_posted')).event).toMatchObject({
      app_id: slack.appId,
      user_id: slack.botUserId,
      channel_id: channel,
      message_ts: ts,
      metadata,
    })
    slack.controls.addUser({ handle: 'kim', name: 'Kim Sato', tz: 'Asia/Seoul' })
    expect((await waitForPayload(bot, 'team_join')).event.user).toMatchObject({
      name: 'kim',
      real_name: 'Kim Sato',
      tz: 'Asia/Seoul',
    })
    expect(() => slack.controls.addUser({ handle: 'kim', name: 'Another Kim' })).toThrow(
      'already a user called "kim"',
    )
    expect(slack.openSession('kim').state().userId).toMatch(/^U/)
    const reaction = { channel, timestamp: ts, name: 'tada' }
    await bot.app.client.reactions.add(reaction)
    await bot.app.client.reactions.remove(reaction)
    expect((await waitForPayload(bot, 'reaction_removed')).event).toMatchObject({
      reaction: 'tada',
      item: { ts },
    })
  })

  it('sends app_uninstalled and tokens_revoked, and no later events', async () => {
    const { mara, bot, slack } = workspace
    const yuki = slack.openSession('yuki')
    expect(await yuki.uninstallApp({})).toEqual({ error: expect.stringContaining('owners and admins') })
    await mara.uninstallApp({})
    await waitForPayload(bot, 'app_uninstalled')
    expect((await waitForPayload(bot, 'tokens_revoked')).event.tokens).toEqual({
      oauth: [mara.userId],
      bot: [slack.botUserId],
    })
    expect(mara.state().app).toMatchObject({ isInstalled: false, commands: [] })
    await expect(bot.app.client.auth.test()).rejects.toThrow('account_inactive')
    await say('launch', 'Nobody listens')
    expect(messagesHeard()).toEqual([])
  })
})
