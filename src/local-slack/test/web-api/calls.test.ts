import { describe, expect, it } from 'vitest'
import { apiErrorOf, connect, expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, openSlack } from './open-slack.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

describe('tokens', () => {
  it('rejects a call without a token', async () => {
    const { apiUrl } = await openSlack()
    await expectApiError(connect(apiUrl).auth.test(), 'not_authed')
  })

  it('rejects an unknown token', async () => {
    const { apiUrl } = await openSlack()
    await expectApiError(connect(apiUrl, 'xoxb-nobody').conversations.list(), 'invalid_auth')
  })

  it('rejects a token of the wrong type', async () => {
    const { apiUrl, client, secrets } = await openSlack()
    const app = connect(apiUrl, secrets.appToken)
    await expectApiError(app.conversations.list(), 'not_allowed_token_type')
    await expectApiError(client.apps.connections.open(), 'not_allowed_token_type')
    expect(await app.apps.connections.open()).toMatchObject({ ok: true, url: expect.stringMatching(/^ws:/) })
  })

  it('identifies the app by its app-level token', async () => {
    const { apiUrl, appId, secrets } = await openSlack()
    const whose = await connect(apiUrl, secrets.appToken).apiCall('auth.test')
    expect(whose).toMatchObject({ ok: true, app_id: appId, app_name: 'Sample Bot' })
  })

  it('accepts a token in a form', async () => {
    const { apiUrl, secrets } = await openSlack()
    const body = new URLSearchParams({ token: secrets.botToken })
    const response = await fetch(`${apiUrl}auth.test`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ ok: true })
  })

  it('rejects a token in JSON', async () => {
    const { apiUrl, secrets } = await openSlack()
    const body = JSON.stringify({ token: secrets.botToken })
    const response = await fetch(`${apiUrl}auth.test`, { method: 'POST', body, headers: JSON_TYPE })
    expect(await response.json()).toMatchObject({ ok: false, error: 'not_authed' })
  })

  it('rejects the token of an uninstalled app', async () => {
    const { client, mara } = await openSlack()
    await mara.uninstallApp({})
    await expectApiError(client.auth.test(), 'account_inactive')
    await expectApiError(client.conversations.list(), 'account_inactive')
  })

  it('revokes a token, or only tests that with test=true', async () => {
    const { client } = await openSlack()
    expect(await client.auth.revoke({ test: true })).toMatchObject({ ok: true, revoked: false })
    expect(await client.auth.revoke()).toMatchObject({ ok: true, revoked: true })
    await expectApiError(client.auth.test(), 'account_inactive')
  })

  it('lets the app uninstall itself with its client secret', async () => {
    const { client, controls, secrets } = await openSlack()
    const own = { client_id: secrets.clientId, client_secret: secrets.clientSecret }
    const leave = (given: object = {}) => {
      controls.advanceClock({ seconds: 60 }) // The app may try once a minute.
      return client.apps.uninstall({ ...own, ...given })
    }
    await expectApiError(leave({ client_id: '1.2' }), 'invalid_client_id')
    await expectApiError(leave({ client_secret: 'x' }), 'bad_client_secret')
    expect(await leave()).toMatchObject({ ok: true })
    await expectApiError(client.auth.test(), 'account_inactive')
  })
})

describe('scopes', () => {
  it('names the missing scope and the granted ones', async () => {
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
      expect(await apiErrorOf(call)).toMatchObject({
        error: 'missing_scope',
        needed,
        provided: 'channels:read,chat:write,files:write,im:write,users:read',
      })
  })

  it("requires the history scope of the channel's kind", async () => {
    const { client, launch } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const refusal = await apiErrorOf(client.conversations.history({ channel: launch }))
    expect(refusal).toMatchObject({
      error: 'missing_scope',
      needed: expect.stringMatching(/channels:history/),
    })
  })

  it('requires mpim:write for a group message and im:write for a direct message', async () => {
    const { client, mara, tomas } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    expect(await client.conversations.open({ users: mara.userId })).toMatchObject({ ok: true })
    const together = client.conversations.open({ users: `${mara.userId},${tomas.userId}` })
    expect(await apiErrorOf(together)).toMatchObject({ error: 'missing_scope', needed: 'mpim:write' })
  })

  it('hides email addresses without users:read.email', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    const { user } = await client.users.info({ user: mara.userId })
    expect(user?.profile).not.toHaveProperty('email')
    for (const { profile } of (await client.users.list({})).members ?? [])
      expect(profile).not.toHaveProperty('email')
  })

  it('returns the granted and the accepted scopes in headers', async () => {
    const { client, mara } = await openSlack({ manifest: FEW_SCOPES_MANIFEST })
    expect((await client.users.info({ user: mara.userId })).response_metadata).toMatchObject({
      scopes: ['channels:read', 'chat:write', 'files:write', 'im:write', 'users:read'],
      acceptedScopes: ['users:read'],
    })
  })
})

describe('calls', () => {
  it('rejects an unknown method by name', async () => {
    const { client } = await openSlack()
    expect(await apiErrorOf(client.apiCall('lamps.light'))).toMatchObject({
      error: 'unknown_method',
      req_method: 'lamps.light',
    })
  })

  it('treats a form and JSON alike', async () => {
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

  it('accepts arguments in the query string', async () => {
    const { call, launch } = await openSlack()
    const { body } = await call(`conversations.info?channel=${launch}`, { method: 'GET' })
    expect(body).toMatchObject({ ok: true, channel: { id: launch } })
  })

  it('warns about JSON without a charset, on success and on failure', async () => {
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

  it('ignores unknown arguments', async () => {
    const { client } = await openSlack()
    expect(await client.apiCall('auth.test', { lamp: 'on' })).toMatchObject({ ok: true })
  })

  it('names a missing argument', async () => {
    const { client } = await openSlack()
    expect(await apiErrorOf(client.apiCall('conversations.info'))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    })
  })

  it('returns the arguments of api.test', async () => {
    const { client } = await openSlack()
    expect(await client.apiCall('api.test', { foo: 'bar' })).toMatchObject({ ok: true, args: { foo: 'bar' } })
    expect(await apiErrorOf(client.api.test({ error: 'my_error' }))).toMatchObject({
      error: 'my_error',
      args: { error: 'my_error' },
    })
  })
})
