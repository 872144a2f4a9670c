import type { KnownBlock, ModalView } from '@slack/types'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acknowledge, openWorkspace, plain, TRANSPORTS, type Workspace, waitForPayload } from './workspace.ts'

const input = (block_id: string, element: object, more: object = {}): KnownBlock =>
  ({
    type: 'input',
    block_id,
    label: plain(block_id),
    element: { action_id: 'v', ...element },
    ...more,
  }) as KnownBlock

const name = input('Name', { type: 'plain_text_input' })

const modal = (title: string, blocks: KnownBlock[] = [name], more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: title,
  title: plain(title),
  submit: plain('Send'),
  blocks,
  ...more,
})

const FAILED = { error: 'We had some trouble connecting. Try again?' }

describe.each(TRANSPORTS)('modals over %s', (transport) => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace(transport)
  })
  afterAll(() => workspace.close())
  beforeEach(async () => {
    const { bot, mara } = workspace
    const open = mara.state().views.at(-1)
    if (open) await mara.closeView({ view: open.id, all: true })
    bot.payloads.length = 0
    bot.handle = acknowledge
  })

  const titles = () => workspace.mara.state().views.map(({ title }) => title.text)
  const top = () => workspace.mara.state().views.at(-1)?.id ?? ''
  const trigger = async (): Promise<string> => {
    const { mara, bot, channelId } = workspace
    bot.payloads.length = 0
    await mara.runCommand({ channel: channelId('launch'), text: '/book' })
    return (await waitForPayload(bot, '/book')).trigger_id
  }
  const open = async (view: ModalView) =>
    (await workspace.bot.app.client.views.open({ trigger_id: await trigger(), view })).view?.id ?? ''
  /** Answers the next submission, and submits. */
  const submit = async (
    answer?: unknown,
    typed: Record<string, Record<string, string>> = { Name: { v: 'Ada' } },
  ) => {
    workspace.bot.handle = async ({ ack }) => ack?.(answer)
    return workspace.mara.submitView({ view: top(), values: typed })
  }

  it('returns an opened modal like Slack, with generated block_ids', async () => {
    const { bot, slack } = workspace
    const view = modal('Ask', [{ type: 'divider' }, name], { private_metadata: 'm', external_id: 'ask-1' })
    const { view: opened } = await bot.app.client.views.open({ trigger_id: await trigger(), view })
    expect(opened).toMatchObject({
      id: expect.stringMatching(/^V/),
      type: 'modal',
      callback_id: 'Ask',
      private_metadata: 'm',
      external_id: 'ask-1',
      hash: expect.any(String),
      state: { values: {} },
      title: { type: 'plain_text', text: 'Ask' },
      submit: { text: 'Send' },
      close: null,
      clear_on_close: false,
      notify_on_close: false,
      previous_view_id: null,
      root_view_id: opened?.id,
      app_id: slack.appId,
      bot_id: expect.stringMatching(/^B/),
    })
    expect(opened?.blocks?.[0]).toEqual({ type: 'divider', block_id: expect.stringMatching(/./) })
  })

  it('sends the values of every kind of input to the app', async () => {
    const { mara, bot, slack } = workspace
    const picture = await upload(slack.url, mara)
    const option = { text: plain('A'), value: 'a' }
    const options = [option, { text: plain('B'), value: 'b' }]
    const told = options.map(({ text, value }) => ({ text: { ...text, emoji: true }, value }))
    const blocks = [
      input('Text', { type: 'plain_text_input' }),
      input('Mail', { type: 'email_text_input' }),
      input('Url', { type: 'url_text_input' }),
      input('Number', { type: 'number_input', is_decimal_allowed: false }),
      input('Rich', { type: 'rich_text_input' }),
      input('One', { type: 'static_select', options }),
      input('Many', { type: 'multi_static_select', options }),
      input('Ticks', { type: 'checkboxes', options }),
      input('Radio', { type: 'radio_buttons', options }),
      input('Who', { type: 'users_select' }),
      input('Where', { type: 'conversations_select', response_url_enabled: true }),
      input('Day', { type: 'datepicker' }),
      input('Time', { type: 'timepicker', timezone: 'Europe/Berlin' }),
      input('Moment', { type: 'datetimepicker' }),
      input('File', { type: 'file_input' }),
      input('Untouched', { type: 'plain_text_input' }, { optional: true }),
    ]
    await open(modal('All', blocks))
    const launch = workspace.channelId('launch')
    const filled = {
      Text: 'hello',
      Mail: 'a@b.example',
      Url: 'https://b.example/x',
      Number: '12',
      Rich: 'rich',
      One: 'a',
      Radio: 'b',
      Who: mara.userId,
      Where: launch,
      Day: '2026-11-27',
      Time: '09:00',
      Moment: '1795000000',
    }
    const lists = { Many: ['a', 'b'], Ticks: ['a'], File: [picture] }
    const typed = Object.fromEntries(Object.entries({ ...filled, ...lists }).map(([id, v]) => [id, { v }]))
    expect(await mara.submitView({ view: top(), values: typed })).toEqual({ done: true })
    const { view, response_urls } = await waitForPayload(bot, 'view_submission')
    const held = Object.fromEntries(
      Object.entries(view.state.values).map(([id, entry]) => [id, (entry as { v: object }).v]),
    )
    expect(held).toEqual({
      Text: { type: 'plain_text_input', value: 'hello' },
      Mail: { type: 'email_text_input', value: 'a@b.example' },
      Url: { type: 'url_text_input', value: 'https://b.example/x' },
      Number: { type: 'number_input', value: '12' },
      Rich: { type: 'rich_text_input', rich_text_value: expect.objectContaining({ type: 'rich_text' }) },
      One: { type: 'static_select', selected_option: told[0] },
      Many: { type: 'multi_static_select', selected_options: told },
      Ticks: { type: 'checkboxes', selected_options: [told[0]] },
      Radio: { type: 'radio_buttons', selected_option: told[1] },
      Who: { type: 'users_select', selected_user: mara.userId },
      Where: { type: 'conversations_select', selected_conversation: launch },
      Day: { type: 'datepicker', selected_date: '2026-11-27' },
      Time: { type: 'timepicker', selected_time: '09:00', timezone: 'Europe/Berlin' },
      Moment: { type: 'datetimepicker', selected_date_time: 1_795_000_000 },
      File: { type: 'file_input', files: [expect.objectContaining({ id: picture, name: 'plan.png' })] },
      Untouched: { type: 'plain_text_input', value: null },
    })
    expect(response_urls).toEqual([
      {
        block_id: 'Where',
        action_id: 'v',
        channel_id: launch,
        response_url: expect.stringContaining(slack.url),
      },
    ])
    expect(titles()).toEqual([])
  })

  it("does not submit a form with invalid inputs, and shows Slack's messages", async () => {
    await open(modal('Ask', [name, input('Mail', { type: 'email_text_input' })]))
    expect(await submit(undefined, { Mail: { v: 'nobody' } })).toEqual({
      errors: { Name: 'Please complete this required field.', Mail: 'Please enter a valid email address.' },
    })
    expect(workspace.bot.payloads.some(({ type }) => type === 'view_submission')).toBe(false)
    expect(titles()).toEqual(['Ask'])
  })

  it('keeps a modal open while the app returns errors, and then closes it', async () => {
    await open(modal('Ask'))
    const errors = { Name: 'This name is taken.' }
    expect(await submit({ response_action: 'errors', errors })).toEqual({ errors })
    expect(titles()).toEqual(['Ask'])
    expect(await submit()).toEqual({ done: true })
    expect(titles()).toEqual([])
  })

  it.each([
    ['errors for an unknown block', { response_action: 'errors', errors: { Other: 'No' } }],
    [
      'errors for an input and an unknown block',
      { response_action: 'errors', errors: { Name: 'No', Other: 'No' } },
    ],
    ['errors for a block that is not an input', { response_action: 'errors', errors: { Line: 'No' } }],
    ['an invalid view', { response_action: 'update', view: modal('A title that is much too long') }],
    ['an unknown response_action', { response_action: 'shrug' }],
    ['a message', { text: 'Thanks!' }],
  ])(
    'keeps a modal open with an error message when the app acknowledges it with %s',
    async (_what, answer) => {
      await open(modal('Ask', [name, { type: 'divider', block_id: 'Line' }]))
      expect(await submit(answer)).toEqual(FAILED)
      expect(titles()).toEqual(['Ask'])
      const noted = workspace.slack.controls.appPayloads().at(-1)
      expect(noted).toMatchObject({ source: 'acknowledgement', name: 'view_submission', body: answer })
      expect(noted?.problems.length).toBeGreaterThan(0)
    },
  )

  it('keeps a modal open with an error message when the app does not acknowledge it', async () => {
    const { mara, bot, slack } = workspace
    await open(modal('Ask'))
    bot.handle = async () => {}
    const submitting = mara.submitView({ view: top(), values: { Name: { v: 'Ada' } } })
    await waitForPayload(bot, 'view_submission')
    slack.controls.advanceClock({ seconds: 3 })
    expect(await submitting).toEqual(FAILED)
    expect(titles()).toEqual(['Ask'])
  })

  it('updates, pushes and clears modals as the acknowledgement says', async () => {
    const first = await open(modal('One'))
    await submit({ response_action: 'update', view: modal('One again') })
    expect([titles(), top()]).toEqual([['One again'], first])
    // Some SDKs send the view as JSON in a text.
    await submit({ response_action: 'push', view: JSON.stringify(modal('Two')) })
    expect(titles()).toEqual(['One again', 'Two'])
    expect(workspace.mara.state().views[1]).toMatchObject({ root_view_id: first, previous_view_id: first })
    await submit({ response_action: 'push', view: modal('Three') })
    expect(await submit({ response_action: 'push', view: modal('Four') })).toEqual(FAILED)
    expect(titles()).toEqual(['One again', 'Two', 'Three'])
    await submit() // closes just the one on top
    expect(titles()).toEqual(['One again', 'Two'])
    await submit({ response_action: 'clear' })
    expect(titles()).toEqual([])
  })

  it('pushes up to three modals, and only onto an open one', async () => {
    const { mara, bot } = workspace
    const client = bot.app.client
    const push = async () => {
      bot.payloads.length = 0
      const at = { view: top() }
      await mara.dispatchAction({ container: at, block_id: 'do', action_id: 'go' })
      return client.views.push({
        trigger_id: (await waitForPayload(bot, 'block_actions')).trigger_id,
        view: pressable,
      })
    }
    const go = { type: 'button' as const, action_id: 'go', text: plain('Go') }
    const pressable = modal('Press', [{ type: 'actions', block_id: 'do', elements: [go] }])
    await expect(client.views.push({ trigger_id: await trigger(), view: pressable })).rejects.toThrow(
      'not_found',
    )
    await open(pressable)
    await push()
    await push()
    await expect(push()).rejects.toThrow('push_limit_reached')
    expect(titles()).toHaveLength(3)
  })

  it('updates a modal by id or external_id, and checks the hash', async () => {
    const { client } = workspace.bot.app
    await expect(client.views.update({ view_id: 'V0', view: modal('No') })).rejects.toThrow('not_found')
    const { view } = await client.views.open({
      trigger_id: await trigger(),
      view: modal('A', [name], { external_id: 'x' }),
    })
    const { id = '', hash = '' } = view ?? {}
    const second = await client.views.update({
      view_id: id,
      hash,
      view: modal('B', [name], { external_id: 'x' }),
    })
    await expect(client.views.update({ view_id: id, hash, view: modal('C') })).rejects.toThrow(
      'hash_conflict',
    )
    expect(second.view?.hash).not.toBe(hash)
    await client.views.update({ external_id: 'x', view: modal('D') })
    expect(titles()).toEqual(['D'])
    await expect(client.views.update({ view_id: id, external_id: 'x', view: modal('E') })).rejects.toThrow(
      'invalid_arguments',
    )
  })

  it('sends view_closed to the app for modals with notify_on_close', async () => {
    const { mara, bot } = workspace
    const closable = { notify_on_close: true }
    await open(modal('One', [name], closable))
    await submit({ response_action: 'push', view: modal('Two', [name], closable) })
    await mara.closeView({ view: top() })
    const closed = await waitForPayload(bot, 'view_closed')
    expect(closed).toMatchObject({
      is_cleared: false,
      view: { callback_id: 'Two' },
      user: { id: mara.userId },
    })
    expect(titles()).toEqual(['One'])
    bot.payloads.length = 0
    await mara.closeView({ view: top(), all: true })
    expect(await waitForPayload(bot, 'view_closed')).toMatchObject({
      is_cleared: true,
      view: { callback_id: 'One' },
    })
    expect(titles()).toEqual([])

    bot.payloads.length = 0
    await open(modal('Silent'))
    await mara.closeView({ view: top() })
    await open(modal('Loud', [name], closable))
    await mara.closeView({ view: top() })
    await waitForPayload(bot, 'view_closed')
    expect(
      bot.payloads.filter(({ type }) => type === 'view_closed').map(({ view }) => view.callback_id),
    ).toEqual(['Loud'])
  })

  it('closes all modals below one with clear_on_close', async () => {
    await open(modal('One'))
    await submit({ response_action: 'push', view: modal('Two', [name], { clear_on_close: true }) })
    await workspace.mara.closeView({ view: top() })
    expect(titles()).toEqual([])
  })

  it('opens a modal only in the session of the trigger', async () => {
    const { slack } = workspace
    const [elsewhere, yuki] = [slack.openSession('mara'), slack.openSession('yuki')]
    const id = await open(modal('Mine'))
    expect([elsewhere.state().views, yuki.state().views]).toEqual([[], []])
    expect(await yuki.submitView({ view: id, values: {} })).toEqual({ error: 'This form is no longer open.' })
    expect(await elsewhere.closeView({ view: id })).toEqual({ error: 'This form is no longer open.' })
  })
})

async function upload(url: string, mara: Workspace['mara']): Promise<string> {
  const address = `${url}/page/files?${new URLSearchParams({ session: mara.sessionId, name: 'plan.png' })}`
  const response = await fetch(address, {
    method: 'POST',
    body: Buffer.from('picture'),
    headers: { 'content-type': 'image/png' },
  })
  const { id } = (await response.json()) as { id: string }
  expect(id).toMatch(/^F/)
  return id
}
