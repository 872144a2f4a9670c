import type { KnownBlock } from '@slack/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  acknowledge,
  button,
  openWorkspace,
  plain,
  TRANSPORTS,
  type Workspace,
  waitForPayload,
} from './workspace.ts'

const option = (value: string) => ({ text: plain(value), value })
const options = ['a', 'b', 'c'].map(option)

/** As Slack tells of it: what the author left out is filled in. */
const told = (value: string) => ({ text: { ...plain(value), emoji: true }, value })

/** Each element, what is chosen in it, and what Slack then says was chosen. */
const CHOICES = [
  [{ type: 'button', value: 'v', style: 'danger' }, undefined, { value: 'v', style: 'danger' }],
  [{ type: 'overflow', options }, 'b', { selected_option: told('b') }],
  [{ type: 'static_select', options }, 'c', { selected_option: told('c') }],
  [
    { type: 'static_select', option_groups: [{ label: plain('All'), options }] },
    'a',
    { selected_option: told('a') },
  ],
  [{ type: 'radio_buttons', options }, 'a', { selected_option: told('a') }],
  [{ type: 'checkboxes', options }, ['a', 'c'], { selected_options: [told('a'), told('c')] }],
  [{ type: 'checkboxes', options, initial_options: [options[0]] }, [], { selected_options: [] }],
  [{ type: 'multi_static_select', options }, ['b'], { selected_options: [told('b')] }],
  [{ type: 'users_select' }, 'U1', { selected_user: 'U1' }],
  [{ type: 'multi_users_select' }, ['U1', 'U2'], { selected_users: ['U1', 'U2'] }],
  [{ type: 'conversations_select' }, 'C1', { selected_conversation: 'C1' }],
  [{ type: 'multi_conversations_select' }, ['C1'], { selected_conversations: ['C1'] }],
  [{ type: 'channels_select' }, 'C1', { selected_channel: 'C1' }],
  [{ type: 'multi_channels_select' }, ['C1'], { selected_channels: ['C1'] }],
  [{ type: 'datepicker', initial_date: '2026-11-01' }, '2026-11-27', { selected_date: '2026-11-27' }],
  [{ type: 'datepicker', initial_date: '2026-11-01' }, null, { selected_date: null }],
  [{ type: 'timepicker' }, '09:30', { selected_time: '09:30' }],
  [{ type: 'datetimepicker' }, '1795000000', { selected_date_time: 1_795_000_000 }],
] as const

describe.each(TRANSPORTS)('user actions over %s', (transport) => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace(transport)
  })
  afterAll(() => workspace.close())
  beforeEach(() => {
    workspace.bot.payloads.length = 0
    workspace.bot.handle = acknowledge
    workspace.slack.controls.advanceClock({ seconds: 5 }) // a channel takes one message a second
  })

  const post = async (blocks: unknown[], text = 'Choose') => {
    const { bot, channelId } = workspace
    const posted = await bot.app.client.chat.postMessage({
      channel: channelId('launch'),
      text,
      blocks: blocks as KnownBlock[],
    })
    return { channel: channelId('launch'), ts: posted.ts ?? '' }
  }
  const findPublicMessage = ({ channel, ts }: { channel: string; ts: string }) =>
    workspace.mara.state().messages[channel]?.find((message) => message.ts === ts)

  it('sends an action in a message with the message, its container and the values of its other elements', async () => {
    const { mara, bot, slack } = workspace
    const select = { type: 'static_select', action_id: 'pick', options, placeholder: plain('Pick') }
    const at = await post([{ type: 'actions', block_id: 'do', elements: [button('go'), select] }])
    const typed = { do: { pick: 'b' } }
    expect(
      await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'go', values: typed }),
    ).toEqual({ done: true })
    const heard = await waitForPayload(bot, 'block_actions')
    expect(heard).toMatchObject({
      type: 'block_actions',
      user: { id: mara.userId, username: 'mara', name: 'mara', team_id: expect.stringMatching(/^T/) },
      api_app_id: slack.appId,
      token: slack.secrets.verificationToken,
      container: { type: 'message', message_ts: at.ts, channel_id: at.channel, is_ephemeral: false },
      trigger_id: expect.any(String),
      team: { domain: 'lantern-street' },
      enterprise: null,
      is_enterprise_install: false,
      channel: { id: at.channel, name: 'launch' },
      message: { ts: at.ts, text: 'Choose', user: slack.botUserId, bot_id: expect.stringMatching(/^B/) },
      state: { values: { do: { pick: { type: 'static_select', selected_option: told('b') } } } },
      response_url: expect.stringContaining('/actions/'),
      actions: [
        {
          type: 'button',
          block_id: 'do',
          action_id: 'go',
          text: { ...plain('go'), emoji: true },
          action_ts: expect.any(String),
        },
      ],
    })
    expect(heard.view).toBeUndefined()
  })

  it.each(CHOICES)('sends the new value of %j when the user selects %j', async (element, chosen, said) => {
    const { mara, bot } = workspace
    const text = element.type === 'button' && { text: plain('Press') }
    const at = await post([
      { type: 'actions', block_id: 'do', elements: [{ ...element, ...text, action_id: 'one' }] },
    ])
    await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'one', value: chosen as string })
    const { actions } = await waitForPayload(bot, 'block_actions')
    expect(actions).toEqual([
      expect.objectContaining({ type: element.type, action_id: 'one', block_id: 'do', ...said }),
    ])
  })

  it('sends an action in a view with the view and its state, but without a response_url', async () => {
    const { mara, bot } = workspace
    const blocks = [
      {
        type: 'input',
        block_id: 'Name',
        label: plain('Name'),
        element: { type: 'plain_text_input', action_id: 'v' },
      },
      { type: 'actions', block_id: 'do', elements: [button('go')] },
    ] as KnownBlock[]
    await mara.openAppTab({ tab: 'home' })
    const published = await bot.app.client.views.publish({
      user_id: mara.userId,
      view: { type: 'home', blocks },
    })
    await mara.runCommand({ channel: workspace.channelId('launch'), text: '/book' })
    const { trigger_id } = await waitForPayload(bot, '/book')
    const opened = await bot.app.client.views.open({
      trigger_id,
      view: { type: 'modal', title: plain('Form'), submit: plain('Go'), private_metadata: 'kept', blocks },
    })
    for (const view of [published.view, opened.view]) {
      bot.payloads.length = 0
      const id = view?.id ?? ''
      await mara.dispatchAction({
        container: { view: id },
        block_id: 'do',
        action_id: 'go',
        values: { Name: { v: 'Ada' } },
      })
      const heard = await waitForPayload(bot, 'block_actions')
      expect(heard.container).toEqual({ type: 'view', view_id: id })
      expect(heard.view).toMatchObject({
        id,
        type: view?.type,
        hash: view?.hash,
        state: { values: { Name: { v: { type: 'plain_text_input', value: 'Ada' } } } },
      })
      for (const key of ['response_url', 'message', 'channel', 'state']) expect(heard[key]).toBeUndefined()
    }
    await mara.closeView({ view: opened.view?.id ?? '' })
  })

  it('sends an action in an ephemeral message without the message', async () => {
    const { mara, bot, channelId } = workspace
    const blocks = [{ type: 'actions' as const, block_id: 'do', elements: [button('go')] }]
    const told = { channel: channelId('launch'), user: mara.userId, text: 'Psst', blocks }
    const { message_ts: ts = '' } = await bot.app.client.chat.postEphemeral(told)
    await mara.dispatchAction({ container: { channel: told.channel, ts }, block_id: 'do', action_id: 'go' })
    const heard = await waitForPayload(bot, 'block_actions')
    expect(heard.container).toMatchObject({ is_ephemeral: true, message_ts: ts })
    expect(heard.message).toBeUndefined()
    const yuki = workspace.slack.openSession('yuki')
    expect(
      await yuki.dispatchAction({
        container: { channel: told.channel, ts },
        block_id: 'do',
        action_id: 'go',
      }),
    ).toEqual({
      error: 'This element no longer exists.',
    })
  })

  it('lets the app respond to an action by replacing or deleting the message, or posting a new one', async () => {
    const { mara, bot } = workspace
    const blocks = [{ type: 'actions', block_id: 'do', elements: [button('go')] }]
    const answers = [
      { replace_original: true, text: 'Replaced' },
      { replace_original: false, response_type: 'in_channel', text: 'Beside it' },
      { delete_original: true },
    ]
    const at = await post(blocks)
    for (const answer of answers) {
      bot.payloads.length = 0
      // The first answer takes the button away; what is pressed next is the one that stands there again.
      await bot.app.client.chat.update({ ...at, text: 'Choose', blocks: blocks as KnownBlock[] })
      await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'go' })
      const { response_url } = await waitForPayload(bot, 'block_actions')
      const response = await fetch(response_url, { method: 'POST', body: JSON.stringify(answer) })
      expect([response.status, await response.text()]).toEqual([200, 'ok'])
      if (answer.delete_original) expect(findPublicMessage(at)).toBeUndefined()
      else if (answer.replace_original) expect(findPublicMessage(at)).toMatchObject({ text: 'Replaced' })
      else {
        expect(findPublicMessage(at)?.text).toBe('Choose')
        expect(mara.state().messages[at.channel]?.at(-1)).toMatchObject({
          text: 'Beside it',
          isEphemeral: false,
        })
      }
    }
  })

  it("shows Slack's timeout message when the app does not acknowledge an action", async () => {
    const { mara, bot, slack } = workspace
    bot.handle = async () => {}
    const at = await post([{ type: 'actions', block_id: 'do', elements: [button('go')] }])
    const pressing = mara.dispatchAction({ container: at, block_id: 'do', action_id: 'go' })
    await waitForPayload(bot, 'block_actions')
    slack.controls.advanceClock({ seconds: 3 })
    expect(await pressing).toEqual({
      error: 'Operation timed out. Apps need to respond within 3 seconds.',
    })
  })

  it('rejects an action on a missing element, message or view, or with an unknown option', async () => {
    const { mara, bot } = workspace
    const at = await post([
      { type: 'actions', block_id: 'do', elements: [{ type: 'overflow', action_id: 'o', options }] },
    ])
    const gone = { error: 'This element no longer exists.' }
    expect(await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'other' })).toEqual(gone)
    expect(
      await mara.dispatchAction({ container: { ...at, ts: '1.000000' }, block_id: 'do', action_id: 'o' }),
    ).toEqual(gone)
    expect(await mara.dispatchAction({ container: { view: 'V0' }, block_id: 'do', action_id: 'o' })).toEqual(
      gone,
    )
    expect(await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'o', value: 'z' })).toEqual({
      error: "This option doesn't exist.",
    })
    expect(bot.payloads.filter(({ type }) => type === 'block_actions')).toEqual([])
  })

  it('loads the options of an external select from the app, also in groups', async () => {
    const { mara, bot } = workspace
    const at = await post([
      {
        type: 'actions',
        block_id: 'do',
        elements: [{ type: 'external_select', action_id: 'find', min_query_length: 0 }],
      },
    ])
    const search = { container: at, block_id: 'do', action_id: 'find', query: 'att' }
    bot.handle = async ({ ack, body }) => ack?.(body.type === 'block_suggestion' ? { options } : undefined)
    expect(await mara.loadOptions(search)).toEqual({ options })
    expect(await waitForPayload(bot, 'block_suggestion')).toMatchObject({
      action_id: 'find',
      block_id: 'do',
      value: 'att',
      container: { type: 'message', message_ts: at.ts },
      user: { id: mara.userId },
    })
    await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'find', value: 'b' })
    const { actions } = await waitForPayload(bot, 'block_actions')
    expect(actions[0]).toMatchObject({ type: 'external_select', selected_option: option('b') })

    const option_groups = [{ label: plain('All'), options }]
    bot.handle = async ({ ack }) => ack?.({ option_groups })
    expect(await mara.loadOptions(search)).toEqual({ option_groups })
    bot.handle = async ({ ack }) => ack?.({ options: [{ text: plain('x'.repeat(76)), value: 'v' }] })
    expect(await mara.loadOptions(search)).toEqual({ error: 'No results' })
    expect(workspace.slack.controls.appPayloads().at(-1)?.problems).toHaveLength(1)
  })

  it.each(['global', 'message'])('sends a %s shortcut to the app', async (type) => {
    const { mara, bot, slack } = workspace
    const at = await post([{ type: 'divider' }], 'Book this')
    const callback_id = type === 'global' ? 'book_anywhere' : 'book_for_message'
    const used = await mara.runShortcut({ callback_id, ...(type === 'message' && { message: at }) })
    expect(used).toEqual({ done: true })
    const heard = await waitForPayload(bot, type === 'global' ? 'shortcut' : 'message_action')
    expect(heard).toMatchObject({
      callback_id,
      trigger_id: expect.any(String),
      user: { id: mara.userId },
      action_ts: expect.any(String),
    })
    if (type === 'message')
      expect(heard).toMatchObject({
        message_ts: at.ts,
        channel: { id: at.channel, name: 'launch' },
        message: { text: 'Book this', ts: at.ts, user: slack.botUserId },
        response_url: expect.any(String),
      })
    else for (const key of ['channel', 'message', 'response_url']) expect(heard[key]).toBeUndefined()
    expect(await mara.runShortcut({ callback_id: 'unknown' })).toEqual({
      error: "This shortcut doesn't exist.",
    })
  })

  it("shows Slack's timeout message when the app does not acknowledge a shortcut", async () => {
    const { mara, bot, slack } = workspace
    bot.handle = async () => {}
    const using = mara.runShortcut({ callback_id: 'book_anywhere' })
    await waitForPayload(bot, 'shortcut')
    slack.controls.advanceClock({ seconds: 3 })
    expect(await using).toEqual({ error: expect.stringContaining('3 seconds') })
    expect(mara.state().views).toEqual([])
  })
})
