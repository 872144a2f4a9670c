import type { KnownBlock, ModalView } from '@slack/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { UserSession } from '../index.ts'
import { asGrid, writeChangedSeed } from './changed-seed.ts'
import {
  acknowledge,
  button,
  findChannelId,
  openWorkspace,
  type Payload,
  plain,
  TRANSPORTS,
  type Workspace,
  waitForPayload,
} from './workspace.ts'

const REFUSAL = { error: "Sample Bot isn't installed in your workspace, Harbor Press." }

const room: KnownBlock = {
  type: 'input',
  block_id: 'Room',
  label: plain('Room'),
  element: { type: 'external_select', action_id: 'room', min_query_length: 0 },
}

const modal: ModalView = {
  type: 'modal',
  title: plain('Book'),
  submit: plain('Send'),
  notify_on_close: true,
  blocks: [
    {
      type: 'input',
      block_id: 'Name',
      label: plain('Name'),
      element: { type: 'plain_text_input', action_id: 'v' },
    },
    { ...room, optional: true },
  ],
}

describe.each(TRANSPORTS)('users of another workspace over %s', (transport) => {
  let workspace: Workspace
  let ines: UserSession
  let channel: string
  let [ownTeam, otherTeam] = ['', '']
  beforeAll(async () => {
    workspace = await openWorkspace(transport)
    const { slack, bot } = workspace
    ines = slack.openSession('ines')
    channel = findChannelId(ines, 'catalogue')
    ownTeam = (await bot.app.client.auth.test()).team_id ?? ''
    otherTeam = (await bot.app.client.users.info({ user: ines.userId })).user?.team_id ?? ''
  })
  afterAll(() => workspace.close())
  beforeEach(() => {
    workspace.bot.payloads.length = 0
    workspace.bot.handle = acknowledge
    workspace.slack.controls.advanceClock({ seconds: 5 }) // a channel takes one message a second
  })

  const postButton = async () => {
    const blocks: KnownBlock[] = [{ type: 'actions', block_id: 'do', elements: [button('go')] }]
    const { ts = '' } = await workspace.bot.app.client.chat.postMessage({ channel, text: 'Press', blocks })
    return { channel, ts }
  }
  /** Presses a button in the shared channel. */
  const press = async (session = ines): Promise<Payload> => {
    const container = await postButton()
    await session.dispatchAction({ container, block_id: 'do', action_id: 'go' })
    return waitForPayload(workspace.bot, 'block_actions')
  }
  const openModal = async () => {
    const { trigger_id } = await press()
    const { view } = await workspace.bot.app.client.views.open({ trigger_id, view: modal })
    return view?.id ?? ''
  }

  it("sends a button press with the app's workspace in `team` and the user's in `user`", async () => {
    expect(await press()).toMatchObject({
      team: { id: ownTeam, domain: 'lantern-street' },
      user: { id: ines.userId, team_id: otherTeam },
      enterprise: null,
    })
    expect(otherTeam).not.toBe(ownTeam)
  })

  it("sends a submitted and a closed form with the user's workspace in `team`, and the app's only in the view", async () => {
    const { bot } = workspace
    const fromOtherTeam = {
      team: { id: otherTeam, domain: 'harbor-press' },
      user: { team_id: otherTeam },
      view: { team_id: otherTeam, app_installed_team_id: ownTeam },
    }
    await ines.submitView({ view: await openModal(), values: { Name: { v: 'Ada' } } })
    expect(await waitForPayload(bot, 'view_submission')).toMatchObject(fromOtherTeam)
    bot.payloads.length = 0
    await ines.closeView({ view: await openModal() })
    expect(await waitForPayload(bot, 'view_closed')).toMatchObject(fromOtherTeam)
  })

  it("asks for options with the user's workspace in `user`", async () => {
    const view = await openModal()
    await ines.loadOptions({ container: { view }, block_id: 'Room', action_id: 'room', query: 'a' })
    expect(await waitForPayload(workspace.bot, 'block_suggestion')).toMatchObject({
      team: { id: ownTeam },
      user: { id: ines.userId, team_id: otherTeam },
    })
    await ines.closeView({ view })
  })

  it("sends a message with its author's workspace, for the authorization of the app's workspace", async () => {
    const { bot, slack } = workspace
    await ines.sendMessage({ channel, text: 'Hello' })
    expect(await waitForPayload(bot, 'message')).toMatchObject({
      team_id: otherTeam,
      context_team_id: ownTeam,
      is_ext_shared_channel: true,
      authorizations: [{ team_id: ownTeam, user_id: slack.botUserId }],
      event: { user: ines.userId, team: otherTeam, channel },
    })
    const { messages } = await bot.app.client.conversations.history({ channel, limit: 1 })
    expect(messages).toMatchObject([{ text: 'Hello', team: otherTeam }])
  })

  it("sends a mention with the app's workspace in `team`, and the author's in `user_team`", async () => {
    await ines.sendMessage({ channel, text: '@sample_bot hello' })
    expect(await waitForPayload(workspace.bot, 'app_mention')).toMatchObject({
      team_id: ownTeam,
      is_ext_shared_channel: true,
      event: {
        team: ownTeam,
        user_team: otherTeam,
        source_team: otherTeam,
        user_profile: { team: otherTeam },
      },
    })
  })

  it('sends a reaction with the workspace of the app', async () => {
    await ines.addReaction({ message: await postButton(), name: 'tada' })
    expect(await waitForPayload(workspace.bot, 'reaction_added')).toMatchObject({
      team_id: ownTeam,
      is_ext_shared_channel: true,
      event: { user: ines.userId },
    })
  })

  it("rejects the app's commands, shortcuts and tabs", async () => {
    const { bot } = workspace
    const message = await postButton()
    bot.payloads.length = 0
    expect(ines.state().app).toMatchObject({ commands: [], shortcuts: [], hasHomeTab: false })
    expect(await ines.runCommand({ channel, text: '/book' })).toEqual(REFUSAL)
    expect(await ines.runShortcut({ callback_id: 'book_anywhere' })).toEqual(REFUSAL)
    expect(await ines.runShortcut({ callback_id: 'book_for_message', message })).toEqual(REFUSAL)
    expect(await ines.openAppTab({ tab: 'home' })).toEqual(REFUSAL)
    expect(bot.payloads.filter(({ event }) => event?.type !== 'message')).toEqual([])
  })

  it('sends commands, shortcuts and Home tabs from an unrestricted session', async () => {
    const { bot, slack } = workspace
    const forger = slack.openSession('ines', { unrestricted: true })
    await forger.runCommand({ channel, text: '/book' })
    expect(await waitForPayload(bot, '/book')).toMatchObject({ team_id: ownTeam, user_id: ines.userId })
    await forger.runShortcut({ callback_id: 'book_anywhere' })
    expect(await waitForPayload(bot, 'shortcut')).toMatchObject({ user: { team_id: otherTeam } })
    await forger.runShortcut({ callback_id: 'book_for_message', message: await postButton() })
    expect(await waitForPayload(bot, 'message_action')).toMatchObject({ user: { team_id: otherTeam } })
    await forger.openAppTab({ tab: 'home' })
    expect((await waitForPayload(bot, 'app_home_opened')).event).toMatchObject({ user: ines.userId })
  })

  it('sends user_change when a role changes, or a user is deactivated or reactivated', async () => {
    const { bot, slack } = workspace
    const change = async (update: Parameters<typeof slack.controls.updateUser>[0]) => {
      bot.payloads.length = 0
      slack.controls.updateUser(update)
      return (await waitForPayload(bot, 'user_change')).event
    }
    expect(await change({ user: 'yuki', role: 'guest' })).toMatchObject({
      user: { name: 'yuki', is_restricted: true },
      cache_ts: expect.any(Number),
    })
    expect(await change({ user: 'yuki', deactivated: true })).toMatchObject({ user: { deleted: true } })
    expect(await change({ user: 'yuki', role: 'member', deactivated: false })).toMatchObject({
      user: { deleted: false, is_restricted: false },
    })
    expect(await change({ user: 'ines', role: 'admin' })).toMatchObject({ user: { team_id: otherTeam } })
  })

  it('delivers the form of a user who was deactivated while it was open', async () => {
    const { bot, slack } = workspace
    const late = slack.openSession('viktor', { unrestricted: true })
    const { trigger_id } = await press(late)
    const { view } = await bot.app.client.views.open({ trigger_id, view: modal })
    slack.controls.updateUser({ user: 'viktor', deactivated: true })
    expect(await late.submitView({ view: view?.id ?? '', values: { Name: { v: 'Ada' } } })).toEqual({
      done: true,
    })
    expect(await waitForPayload(bot, 'view_submission')).toMatchObject({ user: { id: late.userId } })
  })
})

it.each(TRANSPORTS)(
  'names the organization of an Enterprise Grid in every payload over %s',
  async (transport) => {
    const { slack, bot, close } = await openWorkspace(transport, await writeChangedSeed(asGrid))
    onTestFinished(close)
    const { enterprise_id, team_id } = await bot.app.client.auth.test()
    const viktor = slack.openSession('viktor', { unrestricted: true })
    const channel = findChannelId(viktor, 'catalogue')
    await viktor.runCommand({ channel, text: '/book' })
    expect(await waitForPayload(bot, '/book')).toMatchObject({
      enterprise_id,
      enterprise_name: 'Street Group',
    })
    await viktor.runShortcut({ callback_id: 'book_anywhere' })
    expect(await waitForPayload(bot, 'shortcut')).toMatchObject({
      enterprise: { id: enterprise_id, name: 'Street Group' },
      team: { id: team_id, enterprise_id },
      user: { team_id: expect.not.stringMatching(team_id ?? '') },
    })
    await viktor.sendMessage({ channel, text: 'Hello' })
    expect(await waitForPayload(bot, 'message')).toMatchObject({
      enterprise_id,
      context_enterprise_id: enterprise_id,
      is_ext_shared_channel: false,
      authorizations: [{ enterprise_id, team_id }],
    })
  },
)
