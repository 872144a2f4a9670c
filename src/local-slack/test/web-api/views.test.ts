import type { View } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { fixedRuntime } from '../fixed-runtime.ts'
import { apiErrorOf, expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, openSlack } from './open-slack.ts'

const view: View = {
  type: 'modal',
  title: { type: 'plain_text', text: 'Lamps' },
  blocks: [{ type: 'divider' }],
}
const home: View = { type: 'home', blocks: [{ type: 'divider' }] }

/** A Slack whose app hears of commands, and does nothing about them. */
async function openWithTrigger() {
  let heard = ''
  const toTheApp: typeof fetch = async (_address, given) => {
    heard = new URLSearchParams(String(given?.body)).get('trigger_id') ?? heard
    return new Response()
  }
  const slack = await openSlack({
    runtime: { ...fixedRuntime, fetch: toTheApp },
    requestUrl: 'https://bot.example',
  })
  await slack.mara.runCommand({ channel: slack.launch, text: '/book' })
  return { ...slack, trigger_id: heard }
}

describe('triggers', () => {
  it('accepts a trigger for three seconds', async () => {
    const { client, controls, trigger_id } = await openWithTrigger()
    controls.advanceClock({ seconds: 2.9 })
    expect(await client.views.open({ trigger_id, view })).toMatchObject({ ok: true })
  })

  it('rejects a trigger after three seconds', async () => {
    const { client, controls, trigger_id } = await openWithTrigger()
    controls.advanceClock({ seconds: 3.1 })
    await expectApiError(client.views.open({ trigger_id, view }), 'expired_trigger_id')
  })

  it('expires all triggers on request', async () => {
    const { client, controls, trigger_id } = await openWithTrigger()
    controls.expireTriggers()
    await expectApiError(client.views.open({ trigger_id, view }), 'expired_trigger_id')
  })

  it('keeps a trigger that was used with an invalid view', async () => {
    const { client, trigger_id } = await openWithTrigger()
    const wrong = client.apiCall('views.open', { trigger_id, view: { ...view, title: undefined } })
    await expectApiError(wrong, 'invalid_arguments')
    expect(await client.views.open({ trigger_id, view })).toMatchObject({ ok: true })
  })

  it('opens a modal for the user of the trigger', async () => {
    const { client, mara, tomas, trigger_id } = await openWithTrigger()
    const { view: opened } = await client.views.open({ trigger_id, view })
    expect(mara.state().views).toMatchObject([{ id: opened?.id }])
    expect(tomas.state().views).toEqual([])
  })
})

describe('views', () => {
  it('rejects an update by both id and external_id', async () => {
    const { client, trigger_id } = await openWithTrigger()
    const named = { ...view, external_id: 'lamps' }
    const { view: opened } = await client.views.open({ trigger_id, view: named })
    const both = { view_id: opened?.id, external_id: 'lamps', view: named }
    await expectApiError(client.apiCall('views.update', both), 'invalid_arguments')
  })

  it('requires a submit button for a modal with inputs', async () => {
    const { client, trigger_id } = await openWithTrigger()
    const element = { type: 'plain_text_input', action_id: 'a' } as const
    const input = { type: 'input', label: { type: 'plain_text', text: 'Lamp' }, element } as const
    const call = client.views.open({ trigger_id, view: { ...view, blocks: [input] } })
    expect(await apiErrorOf(call)).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: expect.arrayContaining([expect.stringMatching(/submit/)]) },
    })
  })
})

describe('Home tabs', () => {
  it('publishes a Home tab for one user', async () => {
    const { client, mara, tomas } = await openSlack()
    const { view: published } = await client.views.publish({ user_id: mara.userId, view: home })
    expect(mara.state().home).toMatchObject({ id: published?.id, type: 'home' })
    expect(tomas.state().home).toBeNull()
  })

  it('rejects a Home tab when the app has none', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    await expectApiError(client.views.publish({ user_id: mara.userId, view: home }), 'not_enabled')
  })
})
