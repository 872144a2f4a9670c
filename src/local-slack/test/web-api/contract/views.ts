import type { View } from '@slack/types'
import { expect } from 'vitest'
import { expectRefusal, refusalOf } from '../connect.ts'
import type { Cases, Opened } from './opened.ts'

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

async function open({ client, trigger }: Opened, view = modal): Promise<{ id: string; hash: string }> {
  const { view: opened } = await client.views.open({ trigger_id: await trigger(), view })
  return { id: opened?.id ?? '', hash: opened?.hash ?? '' }
}

async function push({ client, trigger }: Opened, view_id: string) {
  return (await client.views.push({ trigger_id: await trigger({ view_id }), view: other })).view
}

export const views = {
  'views.open answers with the view': async ({ client, trigger }) => {
    const { bot_id, team_id } = await client.auth.test()
    const { view } = await client.views.open({ trigger_id: await trigger(), view: modal })
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

  'views.open says where the app is installed': async ({ client, trigger }) => {
    const { team_id } = await client.auth.test()
    const { view } = await client.views.open({ trigger_id: await trigger(), view: modal })
    expect(view?.app_installed_team_id).toBe(team_id)
  },

  'views.open names the blocks and elements that have no name': async ({ client, trigger }) => {
    const button = { type: 'button', text: plain('Light it') } as const
    const view = { ...modal, blocks: [{ type: 'actions', elements: [button] } as const] }
    const opened = await client.views.open({ trigger_id: await trigger(), view })
    const name = expect.stringMatching(/./)
    expect(opened.view?.blocks).toMatchObject([
      { block_id: name, elements: [{ ...button, action_id: name }] },
    ])
  },

  'views.open takes a trigger once': async ({ client, trigger }) => {
    const trigger_id = await trigger()
    await client.views.open({ trigger_id, view: modal })
    await expectRefusal(client.views.open({ trigger_id, view: modal }), 'exchanged_trigger_id')
  },

  'views.open refuses a trigger that it never gave': async ({ client }) => {
    const call = client.views.open({ trigger_id: '132456.7890123.abcdef', view: modal })
    await expectRefusal(call, 'invalid_trigger_id')
  },

  'views.open wants a title': async ({ client, trigger }) => {
    const view = { type: 'modal', blocks: modal.blocks }
    const refusal = await refusalOf(client.apiCall('views.open', { trigger_id: await trigger(), view }))
    expect(refusal).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: expect.arrayContaining(['[ERROR] missing required field: title [json-pointer:/view]']),
      },
    })
  },

  'views.open says what is too long': async (slack) => {
    const refusal = await refusalOf(open(slack, { ...modal, private_metadata: 'x'.repeat(3001) }))
    const problem = '[ERROR] must be less than 3001 characters [json-pointer:/view/private_metadata]'
    expect(refusal).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: expect.arrayContaining([problem]) },
    })
  },

  'views.open takes no view of more than 250 kB': async (slack) => {
    const long = { type: 'section', text: plain('x'.repeat(3000)) } as const
    await expectRefusal(open(slack, { ...modal, blocks: Array(100).fill(long) }), 'view_too_large')
  },

  'views.open takes an external_id that no other view has': async (slack) => {
    const view = { ...modal, external_id: 'lamps' }
    await open(slack, view)
    await expectRefusal(open(slack, view), 'duplicate_external_id')
  },

  'views.push lays a view on another': async (slack) => {
    const { id } = await open(slack)
    const pushed = await push(slack, id)
    expect(pushed).toMatchObject({ ...other, previous_view_id: id, root_view_id: id, hash })
    expect(pushed?.id).not.toBe(id)
  },

  'views.push lays no more than three on each other': async (slack) => {
    const { id } = await open(slack)
    const second = await push(slack, id)
    const third = await push(slack, second?.id ?? '')
    expect(third).toMatchObject({ previous_view_id: second?.id, root_view_id: id })
    await expectRefusal(push(slack, third?.id ?? ''), 'push_limit_reached')
  },

  'views.push refuses a trigger that it never gave': async ({ client }) => {
    const call = client.views.push({ trigger_id: '132456.7890123.abcdef', view: modal })
    await expectRefusal(call, 'invalid_trigger_id')
  },

  'views.update changes a view, and its hash': async (slack) => {
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

  'views.update takes the hash of the view as it is now': async (slack) => {
    const { id: view_id, hash } = await open(slack)
    await slack.client.views.update({ view_id, hash, view: other })
    await expectRefusal(slack.client.views.update({ view_id, hash, view: other }), 'hash_conflict')
  },

  'views.update finds no view that is not there': async ({ client }) => {
    await expectRefusal(client.views.update({ view_id: 'V000NOVIEW', view: modal }), 'not_found')
  },

  'views.update wants a title': async (slack) => {
    const { id: view_id } = await open(slack)
    const view = { type: 'modal', blocks: modal.blocks }
    await expectRefusal(slack.client.apiCall('views.update', { view_id, view }), 'invalid_arguments')
  },

  'views.publish shows a person their Home': async ({ client, person }) => {
    const { view } = await client.views.publish({ user_id: person.id, view: home })
    expect(view).toMatchObject({ ...home, id: expect.stringMatching(/^V/), hash, root_view_id: view?.id })
  },

  'views.publish keeps the id of a Home, and changes its hash': async ({ client, person }) => {
    const { view: before } = await client.views.publish({ user_id: person.id, view: home })
    const { view: after } = await client.views.publish({ user_id: person.id, view: home })
    expect(after?.id).toBe(before?.id)
    expect(after?.hash).not.toBe(before?.hash)
  },

  'views.publish takes the hash of the Home as it is now': async ({ client, person }) => {
    const { view } = await client.views.publish({ user_id: person.id, view: home })
    await client.views.publish({ user_id: person.id, view: home, hash: view?.hash ?? '' })
    const stale = client.views.publish({ user_id: person.id, view: home, hash: view?.hash ?? '' })
    await expectRefusal(stale, 'hash_conflict')
  },

  'views.publish takes no modal': async ({ client, person }) => {
    const call = client.apiCall('views.publish', { user_id: person.id, view: modal })
    await expectRefusal(call, 'invalid_arguments')
  },
} satisfies Cases
