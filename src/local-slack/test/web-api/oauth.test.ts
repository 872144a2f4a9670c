import { describe, expect, it } from 'vitest'
import { apiErrorOf, connect, expectApiError } from './connect.ts'
import { FEW_SCOPES_MANIFEST, type OpenSlack, openSlack } from './open-slack.ts'

const REDIRECT = 'http://127.0.0.1/slack/oauth_redirect'

const open = (options = {}) => openSlack({ installed: false, ...options })

type Wish = { client_id?: string; scope?: string; user_scope?: string; redirect_uri?: string; state?: string }

const wishOf = ({ secrets }: OpenSlack, wish: Wish): Record<string, string> => ({
  client_id: secrets.clientId,
  scope: 'channels:read,chat:write',
  redirect_uri: REDIRECT,
  state: 'a state & more',
  ...wish,
})

const page = (slack: OpenSlack, wish: Wish = {}) =>
  fetch(`${slack.url}/oauth/v2/authorize?${new URLSearchParams(wishOf(slack, wish))}`)

/** What the form on the page sends, as the browser would; where the browser is sent then. */
async function choose(
  slack: OpenSlack,
  decision: 'allow' | 'cancel',
  { user = slack.mara.userId, ...wish }: Wish & { user?: string } = {},
) {
  const body = new URLSearchParams({ ...wishOf(slack, wish), user, decision })
  const response = await fetch(`${slack.url}/oauth/v2/authorize`, {
    method: 'POST',
    body,
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  const answer = Object.fromEntries(location ? new URL(location).searchParams : [])
  return { status: response.status, location: location?.split('?')[0], answer, code: answer.code ?? '' }
}

const keysOf = ({ secrets }: OpenSlack) => ({
  client_id: secrets.clientId,
  client_secret: secrets.clientSecret,
})

/** What the app does with a code. */
const redeem = (
  slack: OpenSlack,
  code: string,
  given: { client_id?: string; client_secret?: string; redirect_uri?: string } = {},
) => connect(slack.apiUrl).oauth.v2.access({ ...keysOf(slack), code, ...given })

describe('the authorize page', () => {
  it('shows the app, its scopes and the users who can install it', async () => {
    const slack = await open()
    const response = await page(slack, { user_scope: 'chat:write', state: '"><script>' })
    const html = await response.text()
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const words of ['Sample Bot', 'Lantern Street', 'channels:read', 'Mara Lindqvist', 'Tomás Vega'])
      expect(html).toContain(words)
    expect(html).not.toContain('Yuki Arai')
    expect(html).not.toContain('<script>')
  })

  it.each([
    { wish: { client_id: '1.2' }, problem: 'invalid_client_id' },
    { wish: { redirect_uri: 'https://evil.example/slack/oauth_redirect' }, problem: 'bad_redirect_uri' },
    { wish: { scope: 'admin' }, problem: 'invalid_scope' },
    { wish: { user_scope: 'files:read' }, problem: 'invalid_scope' },
  ])('returns $problem for the request $wish', async ({ wish, problem }) => {
    const slack = await open()
    const response = await page(slack, wish)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain(problem)
    expect(await choose(slack, 'allow', wish)).toMatchObject({ status: 400, location: undefined })
  })

  it('accepts a redirect_uri below the one in the manifest', async () => {
    const slack = await open({ manifest: FEW_SCOPES_MANIFEST })
    const redirect_uri = 'https://bot.example/slack/oauth_redirect'
    expect((await page(slack, { redirect_uri, scope: 'channels:read' })).status).toBe(200)
  })

  it.each([
    'https://bot.example.evil.example/',
    'https://bot.example@evil.example/',
    'https://bot.example:8443/',
    'http://bot.example/',
  ])('rejects a redirect_uri with another origin: %s', async (redirect_uri) => {
    const slack = await open({ manifest: FEW_SCOPES_MANIFEST })
    expect((await page(slack, { redirect_uri, scope: 'channels:read' })).status).toBe(400)
  })

  it('lets only owners and admins install an app', async () => {
    const slack = await open()
    const yuki = slack.openSession('yuki')
    expect(await choose(slack, 'allow', { user: yuki.userId })).toMatchObject({
      status: 400,
      location: undefined,
    })
    expect(await choose(slack, 'allow', { user: slack.tomas.userId })).toMatchObject({ status: 302 })
  })

  it('redirects with a code and the state', async () => {
    const slack = await open()
    expect(await choose(slack, 'allow')).toMatchObject({
      status: 302,
      location: REDIRECT,
      answer: { code: expect.any(String), state: 'a state & more' },
    })
  })

  it('redirects with access_denied when the user cancels', async () => {
    const slack = await open()
    const { status, location, answer } = await choose(slack, 'cancel')
    expect([status, location]).toEqual([302, REDIRECT])
    expect(answer).toEqual({ error: 'access_denied', state: 'a state & more' })
  })
})

describe('oauth.v2.access', () => {
  it('exchanges a code for a bot token', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow')
    const granted = await redeem(slack, code, { redirect_uri: REDIRECT })
    expect(granted).toMatchObject({
      ok: true,
      app_id: slack.appId,
      authed_user: { id: slack.mara.userId },
      scope: 'channels:read,chat:write',
      token_type: 'bot',
      access_token: expect.stringMatching(/^xoxb-/),
      bot_user_id: slack.botUserId,
      team: { id: expect.stringMatching(/^T/), name: 'Lantern Street' },
      enterprise: null,
      is_enterprise_install: false,
    })
    const client = connect(slack.apiUrl, granted.access_token)
    expect(await client.auth.test()).toMatchObject({ user_id: slack.botUserId })
  })

  it('accepts the client credentials in the Authorization header', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow')
    const { clientId, clientSecret } = slack.secrets
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    const body = new URLSearchParams({ code })
    const { body: answer } = await slack.call('oauth.v2.access', { headers: { authorization }, body })
    expect(answer).toMatchObject({ ok: true, token_type: 'bot' })
  })

  it('returns a token with the approved scopes only', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow', { scope: 'channels:read' })
    const client = connect(slack.apiUrl, (await redeem(slack, code)).access_token)
    expect(await client.conversations.list()).toMatchObject({ ok: true })
    expect(await apiErrorOf(client.chat.postMessage({ channel: slack.general, text: 'x' }))).toMatchObject({
      error: 'missing_scope',
      needed: 'chat:write:bot',
      provided: 'channels:read',
    })
  })

  it('returns a user token that posts as the user', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow', { user_scope: 'chat:write' })
    const { authed_user } = await redeem(slack, code)
    expect(authed_user).toMatchObject({
      id: slack.mara.userId,
      scope: 'chat:write',
      token_type: 'user',
      access_token: expect.stringMatching(/^xoxp-/),
    })
    const client = connect(slack.apiUrl, authed_user?.access_token)
    expect(await client.auth.test()).toMatchObject({ user_id: slack.mara.userId, user: 'mara' })
    const { message } = await client.chat.postMessage({ channel: slack.launch, text: 'From me' })
    expect(message).toMatchObject({ user: slack.mara.userId, text: 'From me' })
  })

  it('accepts a code only once', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow')
    await redeem(slack, code)
    await expectApiError(redeem(slack, code), 'invalid_code')
  })

  it('rejects a code after ten minutes', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow')
    slack.controls.advanceClock({ seconds: 601 })
    await expectApiError(redeem(slack, code), 'invalid_code')
  })

  it('checks the client id, client secret and redirect_uri of a code', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow')
    await expectApiError(redeem(slack, code, { client_id: '1.2' }), 'invalid_client_id')
    await expectApiError(redeem(slack, code, { client_secret: 'x' }), 'bad_client_secret')
    await expectApiError(redeem(slack, code, { redirect_uri: `${REDIRECT}/other` }), 'bad_redirect_uri')
    await expectApiError(redeem(slack, 'no code'), 'invalid_code')
    expect(await redeem(slack, code, { redirect_uri: REDIRECT })).toMatchObject({ ok: true })
  })
})

describe('an app that is not installed', () => {
  it('has no valid token and no channels before its installation', async () => {
    const slack = await open()
    await expectApiError(slack.client.auth.test(), 'invalid_auth')
    expect(slack.mara.state().app.isInstalled).toBe(false)
    const launch = slack.mara.state().channels.find(({ id }) => id === slack.launch)
    expect(launch?.members).not.toContain(slack.botUserId)
  })

  it('can be installed by an owner, but not by a member', async () => {
    const slack = await open()
    expect(await slack.openSession('yuki').installApp({})).toEqual({
      error: expect.stringMatching(/owners and admins/),
    })
    await expectApiError(slack.client.auth.test(), 'invalid_auth')
    await slack.mara.installApp({})
    expect(await slack.client.auth.test()).toMatchObject({ ok: true, user_id: slack.botUserId })
  })

  it('gets a new token when it is installed again through OAuth', async () => {
    const slack = await open()
    const first = await redeem(slack, (await choose(slack, 'allow')).code)
    const client = connect(slack.apiUrl, first.access_token)
    await slack.mara.uninstallApp({})
    await expectApiError(client.auth.test(), 'account_inactive')
    const second = await redeem(slack, (await choose(slack, 'allow')).code)
    expect(second.access_token).not.toBe(first.access_token)
    await expectApiError(client.auth.test(), 'account_inactive')
    expect(await connect(slack.apiUrl, second.access_token).auth.test()).toMatchObject({ ok: true })
  })

  it('loses its user tokens when it is uninstalled', async () => {
    const slack = await open()
    const { code } = await choose(slack, 'allow', { user_scope: 'chat:write' })
    const { authed_user } = await redeem(slack, code)
    await slack.mara.uninstallApp({})
    await expectApiError(connect(slack.apiUrl, authed_user?.access_token).auth.test(), 'token_revoked')
  })
})
