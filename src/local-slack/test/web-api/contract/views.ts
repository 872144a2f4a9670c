import type { View } from '@slack/types'
import { expect } from 'vitest'
import { apiErrorOf, expectApiError } from '../connect.ts'
import type { Cases, Implementation } from './implementation.ts'

const plain = (text: string) => ({ type: 'plain_text', text }) as const

const modal: View & { type: 'modal' } = {
  type: 'modal',
  title: plain('Lamps'),
  blocks: [
    { type: 'section', block_id: 'which', text: plain('Which one?') },
    {
      type: 'actions',
      block_id: 'buttons',
      elements: [{ type: 'button', action_id: 'more', text: plain('…') }],
    },
  ],
}
const home: View & { type: 'home' } = { type: 'home', blocks: [{ type: 'divider', block_id: 'line' }] }
const other = { ...modal, title: plain('More lamps') }

const hash = expect.stringMatching(/^\d+\.\w+$/)

async function open(
  { client, createTrigger }: Implementation,
  view = modal,
): Promise<{ id: string; hash: string }> {
  const { view: opened } = await client.views.open({ trigger_id: await createTrigger(), view })
  return { id: opened?.id ?? '', hash: opened?.hash ?? '' }
}

async function push({ client, createTrigger }: Implementation, view_id: string) {
  return (await client.views.push({ trigger_id: await createTrigger({ view_id }), view: other })).view
}

export const views = {
  'views.open returns the view': async ({ client, createTrigger }) => {
    const { bot_id, team_id } = await client.auth.test()
    const { view } = await client.views.open({ trigger_id: await createTrigger(), view: modal })
    expect(view).toMatchObject({
      ...modal,
      id: expect.stringMatching(/^V/),
      team_id,
      private_metadata: '',
      callback_id: '',
      external_id: '',
      state: { values: {} },
      hash,
      clear_on_close: false,
      notify_on_close: false,
      close: null,
      submit: null,
      previous_view_id: null,
      root_view_id: view?.id,
      app_id: expect.stringMatching(/^A/),
      bot_id,
    })
  },

  'views.open returns the workspace of the installation': async ({ client, createTrigger }) => {
    const { team_id } = await client.auth.test()
    const { view } = await client.views.open({ trigger_id: await createTrigger(), view: modal })
    expect(view?.app_installed_team_id).toBe(team_id)
  },

  'views.open adds missing block_ids and action_ids': async ({ client, createTrigger }) => {
    const button = { type: 'button', text: plain('Light it') } as const
    const view = { ...modal, blocks: [{ type: 'actions', elements: [button] } as const] }
    const opened = await client.views.open({ trigger_id: await createTrigger(), view })
    const name = expect.stringMatching(/./)
    expect(opened.view?.blocks).toMatchObject([
      { block_id: name, elements: [{ ...button, action_id: name }] },
    ])
  },

  'views.open accepts a trigger only once': async ({ client, createTrigger }) => {
    const trigger_id = await createTrigger()
    await client.views.open({ trigger_id, view: modal })
    await expectApiError(client.views.open({ trigger_id, view: modal }), 'exchanged_trigger_id')
  },

  'views.open refuses an unknown trigger': async ({ client }) => {
    const call = client.views.open({ trigger_id: '132456.7890123.abcdef', view: modal })
    await expectApiError(call, 'invalid_trigger_id')
  },

  'views.open requires a title': async ({ client, createTrigger }) => {
    const view = { type: 'modal', blocks: modal.blocks }
    const refusal = await apiErrorOf(
      client.apiCall('views.open', { trigger_id: await createTrigger(), view }),
    )
    expect(refusal).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: expect.arrayContaining(['[ERROR] missing required field: title [json-pointer:/view]']),
      },
    })
  },

  'views.open reports texts that are too long': async (slack) => {
    const refusal = await apiErrorOf(open(slack, { ...modal, private_metadata: 'x'.repeat(3001) }))
    const problem = '[ERROR] must be less than 3001 characters [json-pointer:/view/private_metadata]'
    expect(refusal).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: expect.arrayContaining([problem]) },
    })
  },

  'views.open refuses a view of more than 250 kB': async (slack) => {
    const long = { type: 'section', text: plain('x'.repeat(3000)) } as const
    await expectApiError(open(slack, { ...modal, blocks: Array(100).fill(long) }), 'view_too_large')
  },

  'views.open refuses the external_id of another view': async (slack) => {
    const view = { ...modal, external_id: 'lamps' }
    await open(slack, view)
    await expectApiError(open(slack, view), 'duplicate_external_id')
  },

  'views.push opens a view on top of another': async (slack) => {
    const { id } = await open(slack)
    const pushed = await push(slack, id)
    expect(pushed).toMatchObject({ ...other, previous_view_id: id, root_view_id: id, hash })
    expect(pushed?.id).not.toBe(id)
  },

  'views.push stacks at most three views': async (slack) => {
    const { id } = await open(slack)
    const second = await push(slack, id)
    const third = await push(slack, second?.id ?? '')
    expect(third).toMatchObject({ previous_view_id: second?.id, root_view_id: id })
    await expectApiError(push(slack, third?.id ?? ''), 'push_limit_reached')
  },

  'views.push refuses an unknown trigger': async ({ client }) => {
    const call = client.views.push({ trigger_id: '132456.7890123.abcdef', view: modal })
    await expectApiError(call, 'invalid_trigger_id')
  },

  'views.update changes a view and its hash': async (slack) => {
    const before = await open(slack)
    const { view } = await slack.client.views.update({ view_id: before.id, view: other })
    expect(view).toMatchObject({ ...other, id: before.id, hash })
    expect(view?.hash).not.toBe(before.hash)
  },

  'views.update finds a view by its external_id': async (slack) => {
    const { id } = await open(slack, { ...modal, external_id: 'lamps' })
    const view = { ...other, external_id: 'lamps' }
    const updated = await slack.client.views.update({ external_id: 'lamps', view })
    expect(updated.view).toMatchObject({ ...view, id })
  },

  'views.update checks the hash of a view': async (slack) => {
    const { id: view_id, hash } = await open(slack)
    await slack.client.views.update({ view_id, hash, view: other })
    await expectApiError(slack.client.views.update({ view_id, hash, view: other }), 'hash_conflict')
  },

  'views.update refuses an unknown view': async ({ client }) => {
    await expectApiError(client.views.update({ view_id: 'V000NOVIEW', view: modal }), 'not_found')
  },

  'views.update requires a title': async (slack) => {
    const { id: view_id } = await open(slack)
    const view = { type: 'modal', blocks: modal.blocks }
    await expectApiError(slack.client.apiCall('views.update', { view_id, view }), 'invalid_arguments')
  },

  'views.publish publishes a Home tab for a user': async ({ client, user }) => {
    const { view } = await client.views.publish({ user_id: user.id, view: home })
    expect(view).toMatchObject({ ...home, id: expect.stringMatching(/^V/), hash, root_view_id: view?.id })
  },

  'views.publish keeps the id of a Home tab and changes its hash': async ({ client, user }) => {
    const { view: before } = await client.views.publish({ user_id: user.id, view: home })
    const { view: after } = await client.views.publish({ user_id: user.id, view: home })
    expect(after?.id).toBe(before?.id)
    expect(after?.hash).not.toBe(before?.hash)
  },

  'views.publish checks the hash of a Home tab': async ({ client, user }) => {
    const { view } = await client.views.publish({ user_id: user.id, view: home })
    await client.views.publish({ user_id: user.id, view: home, hash: view?.hash ?? '' })
    const stale = client.views.publish({ user_id: user.id, view: home, hash: view?.hash ?? '' })
    await expectApiError(stale, 'hash_conflict')
  },

  'views.publish refuses a modal': async ({ client, user }) => {
    const call = client.apiCall('views.publish', { user_id: user.id, view: modal })
    await expectApiError(call, 'invalid_arguments')
  },
} satisfies Cases
