import { describe, expect, it } from 'vitest'
import { connect, expectRefusal, refusalOf } from './connect.ts'
import { FEW_SCOPES_MANIFEST, openSlack } from './open-slack.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

describe('a token', () => {
  it('has to be there', async () => {
    const { apiUrl } = await openSlack()
    await expectRefusal(connect(apiUrl).auth.test(), 'not_authed')
  })

  it('has to be one that somebody was given', async () => {
    const { apiUrl } = await openSlack()
    await expectRefusal(connect(apiUrl, 'xoxb-nobody').conversations.list(), 'invalid_auth')
  })

  it('has to be of the kind that the method takes', async () => {
    const { apiUrl, client, secrets } = await openSlack()
    const app = connect(apiUrl, secrets.appToken)
    await expectRefusal(app.conversations.list(), 'not_allowed_token_type')
    await expectRefusal(client.apps.connections.open(), 'not_allowed_token_type')
    expect(await app.apps.connections.open()).toMatchObject({ ok: true, url: expect.stringMatching(/^ws:/) })
  })

  it('of the app itself says which app it is', async () => {
    const { apiUrl, appId, secrets } = await openSlack()
    const whose = await connect(apiUrl, secrets.appToken).apiCall('auth.test')
    expect(whose).toMatchObject({ ok: true, app_id: appId, app_name: 'Sample Bot' })
  })

  it('may stand in a form', async () => {
    const { apiUrl, secrets } = await openSlack()
    const body = new URLSearchParams({ token: secrets.botToken })
    const response = await fetch(`${apiUrl}auth.test`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ ok: true })
  })

  it('may not stand in JSON', async () => {
    const { apiUrl, secrets } = await openSlack()
    const body = JSON.stringify({ token: secrets.botToken })
    const response = await fetch(`${apiUrl}auth.test`, { method: 'POST', body, headers: JSON_TYPE })
    expect(await response.json()).toMatchObject({ ok: false, error: 'not_authed' })
  })

  it('is no longer good when the app is gone', async () => {
    const { client, mara } = await openSlack()
    await mara.uninstallApp({})
    await expectRefusal(client.auth.test(), 'account_inactive')
    await expectRefusal(client.conversations.list(), 'account_inactive')
  })

  it('can be given back, and tried first', async () => {
    const { client } = await openSlack()
    expect(await client.auth.revoke({ test: true })).toMatchObject({ ok: true, revoked: false })
    expect(await client.auth.revoke()).toMatchObject({ ok: true, revoked: true })
    await expectRefusal(client.auth.test(), 'account_inactive')
  })

  it('lets the app leave by itself, if it knows its secret', async () => {
    const { client, controls: control, secrets } = await openSlack()
    const own = { client_id: secrets.clientId, client_secret: secrets.clientSecret }
    const leave = (given: object = {}) => {
      control.advanceClock({ seconds: 60 }) // The app may try once a minute.
      return client.apps.uninstall({ ...own, ...given })
    }
    await expectRefusal(leave({ client_id: '1.2' }), 'invalid_client_id')
    await expectRefusal(leave({ client_secret: 'x' }), 'bad_client_secret')
    expect(await leave()).toMatchObject({ ok: true })
    await expectRefusal(client.auth.test(), 'account_inactive')
  })
})

describe('a scope', () => {
  it('that is missing is named, beside those that there are', async () => {
    const { client, launch } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const refusals = [
      { needed: 'team:read', call: client.team.info() },
      {
        needed: 'users:read.email',
        call: client.users.lookupByEmail({ email: 'mara@lantern-street.example' }),
      },
      { needed: 'groups:read', call: client.conversations.list({ types: 'private_channel' }) },
      { needed: 'channels:join', call: client.conversations.join({ channel: launch }) },
      { needed: 'files:read', call: client.files.info({ file: 'F1' }) },
      {
        needed: 'reactions:write',
        call: client.reactions.add({ channel: launch, timestamp: '1.1', name: 'x' }),
      },
    ]
    for (const { needed, call } of refusals)
      expect(await refusalOf(call)).toMatchObject({
        error: 'missing_scope',
        needed,
        provided: 'channels:read,chat:write,files:write,im:write,users:read',
      })
  })

  it('to read what was said is asked for by the kind of channel', async () => {
    const { client, launch } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const refusal = await refusalOf(client.conversations.history({ channel: launch }))
    expect(refusal).toMatchObject({
      error: 'missing_scope',
      needed: expect.stringMatching(/channels:history/),
    })
  })

  it('for a group of people is not the one for a single person', async () => {
    const { client, mara, tomas } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    expect(await client.conversations.open({ users: mara.userId })).toMatchObject({ ok: true })
    const together = client.conversations.open({ users: `${mara.userId},${tomas.userId}` })
    expect(await refusalOf(together)).toMatchObject({ error: 'missing_scope', needed: 'mpim:write' })
  })

  it('for e-mail addresses hides them where it is missing', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const { user } = await client.users.info({ user: mara.userId })
    expect(user?.profile).not.toHaveProperty('email')
    for (const { profile } of (await client.users.list({})).members ?? [])
      expect(profile).not.toHaveProperty('email')
  })

  it('stands in the headers of each answer: those that there are, and those that the method takes', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    expect((await client.users.info({ user: mara.userId })).response_metadata).toMatchObject({
      scopes: ['channels:read', 'chat:write', 'files:write', 'im:write', 'users:read'],
      acceptedScopes: ['users:read'],
    })
  })
})

describe('a call', () => {
  it('of a method that there is not is refused by its name', async () => {
    const { client } = await openSlack()
    expect(await refusalOf(client.apiCall('lamps.light'))).toMatchObject({
      error: 'unknown_method',
      req_method: 'lamps.light',
    })
  })

  it('may come as a form or as JSON, and means the same', async () => {
    const slack = await openSlack()
    const blocks = [{ type: 'section', block_id: 'b', text: { type: 'mrkdwn', text: 'ä and ö' } }]
    const message = { channel: slack.launch, text: 'ä and ö' }
    const form = new URLSearchParams({ ...message, blocks: JSON.stringify(blocks) })
    const json = { body: JSON.stringify({ ...message, blocks }), headers: JSON_TYPE }
    for (const given of [{ body: form }, json]) {
      const { status, headers, body } = await slack.call('chat.postMessage', given)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(body).toMatchObject({ ok: true, message: { text: 'ä and ö', blocks } })
      expect(body).not.toHaveProperty('warning')
    }
  })

  it('may carry its arguments in the address', async () => {
    const { call, launch } = await openSlack()
    const { body } = await call(`conversations.info?channel=${launch}`, { method: 'GET' })
    expect(body).toMatchObject({ ok: true, channel: { id: launch } })
  })

  it('in JSON without a charset is warned, in success and in failure', async () => {
    const { call, launch } = await openSlack()
    const headers = { 'content-type': 'application/json' }
    const warned = { warning: 'missing_charset', response_metadata: { warnings: ['missing_charset'] } }
    const good = await call('chat.postMessage', {
      headers,
      body: JSON.stringify({ channel: launch, text: 'x' }),
    })
    expect(good.body).toMatchObject({ ok: true, ...warned })
    const bad = await call('chat.postMessage', { headers, body: JSON.stringify({ channel: launch }) })
    expect(bad.body).toMatchObject({ ok: false, error: 'no_text', ...warned })
  })

  it('may have arguments that nobody knows', async () => {
    const { client } = await openSlack()
    expect(await client.apiCall('auth.test', { lamp: 'on' })).toMatchObject({ ok: true })
  })

  it('without an argument that it needs is told which', async () => {
    const { client } = await openSlack()
    expect(await refusalOf(client.apiCall('conversations.info'))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    })
  })

  it('of api.test hears its own words', async () => {
    const { client } = await openSlack()
    expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({ ok: true, args: { foo: 'bar' } })
    expect(await refusalOf(client.api.test({ error: 'my_error' }))).toMatchObject({
      error: 'my_error',
      args: { error: 'my_error' },
    })
  })
})
