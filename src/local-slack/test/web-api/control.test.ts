import { request } from 'node:http'
import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../fixed-runtime.ts'
import { expectApiError } from './connect.ts'
import { type OpenSlack, openSlack, textsIn } from './open-slack.ts'

/** Sends a request such as `GET /control`. */
async function control({ url }: OpenSlack, route: string, body?: unknown) {
  const [method = '', path] = route.split(' ')
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(url + path, { method, ...given })
  return { status: response.status, answer: Object(await response.json()) }
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the controls over HTTP', () => {
  it('lists all control routes', async () => {
    const slack = await openSlack()
    const { answer } = await control(slack, 'GET /control')
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(['POST /control/faults', 'GET /control/payloads']),
    )
    for (const route of Object.keys(answer)) expect((await control(slack, route)).status, route).not.toBe(404)
  })

  it.each([
    ['POST /control/faults', 'no JSON', /JSON/],
    ['POST /control/faults', {}, /method/],
    ['POST /control/faults', { method: 'views.open', times: 0 }, /times/],
    ['POST /control/faults', { method: 'views.open', status: 99 }, /status/],
    ['POST /control/faults', { method: 'views.open', eror: 'x' }, /eror/],
    ['POST /control/clock', { seconds: -1 }, /seconds/],
    ['POST /control/sockets', { reason: 'gently' }, /reason/],
    ['POST /control/users', { user: 'noor', role: 'bot' }, /role/],
    ['POST /control/users', { user: 'nobody', role: 'admin' }, /No user is called "nobody"/],
  ])('rejects %s with the invalid body %j', async (route, body, pattern) => {
    const { status, answer } = await control(await openSlack(), route, body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(pattern) })
  })

  it('describes an invalid body in readable text rather than JSON', async () => {
    const { answer } = await control(await openSlack(), 'POST /control/faults', { method: '*', times: 0 })
    expect(() => JSON.parse(answer.error)).toThrow(SyntaxError)
  })

  it('shows and advances the clock', async () => {
    const slack = await openSlack()
    const before = Date.parse((await control(slack, 'GET /control/clock')).answer.now)
    const after = Date.parse((await control(slack, 'POST /control/clock', { seconds: 3600 })).answer.now)
    expect(after - before).toBeGreaterThanOrEqual(3_600_000)
    expect(slack.controls.now().getTime()).toBeGreaterThanOrEqual(after)
  })

  it('changes the role of a user and deactivates the user', async () => {
    const slack = await openSlack()
    const body = { user: 'noor', role: 'admin', deactivated: true }
    expect((await control(slack, 'POST /control/users', body)).answer).toEqual({ ok: true })
    const noor = slack.mara.state().users.find(({ handle }) => handle === 'noor')
    expect(noor).toMatchObject({ role: 'admin', isDeactivated: true })
  })

  it('counts and closes the Socket Mode connections', async () => {
    const slack = await openSlack()
    expect((await control(slack, 'GET /control/sockets')).answer).toEqual({ ok: true, connections: 0 })
    const { answer } = await control(slack, 'POST /control/sockets', { reason: 'cut' })
    expect(answer).toEqual({ ok: true, closed: 0 })
  })

  it.each([
    { from: 'another website', headers: { origin: 'https://evil.example' } },
    { from: 'another port of this machine', headers: { origin: 'http://127.0.0.1:1' } },
    { from: 'a file', headers: { origin: 'null' } },
    { from: 'another domain that resolves to this machine', headers: { host: 'evil.example' } },
    { from: 'the right host with another port', headers: { host: '127.0.0.1:1' } },
  ])('rejects all requests from $from', async ({ headers }) => {
    const { url } = await openSlack()
    for (const path of ['/control', '/api/api.test', '/oauth/v2/authorize', '/'])
      expect(await statusOf(url + path, headers), path).toBe(403)
  })

  it('accepts requests from its own page, under both host names', async () => {
    const { url } = await openSlack()
    for (const own of [url, url.replace('127.0.0.1', 'localhost')])
      expect(await statusOf(`${url}/control`, { origin: own, host: new URL(own).host })).toBe(200)
  })
})

/** Sends headers that `fetch` does not allow. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })

describe('an injected fault', () => {
  const fault = 'POST /control/faults'

  it('rejects as many calls of a method as requested', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', times: 2, error: 'internal_error' })
    expect(await slack.client.conversations.list()).toMatchObject({ ok: true })
    await expectApiError(slack.client.auth.test(), 'internal_error')
    await expectApiError(slack.client.auth.test(), 'internal_error')
    expect(await slack.client.auth.test()).toMatchObject({ ok: true })
  })

  it('rejects a call of any method', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: '*', error: 'fatal_error' })
    await expectApiError(slack.client.conversations.list(), 'fatal_error')
    expect(await slack.client.conversations.list()).toMatchObject({ ok: true })
  })

  it('answers a call with another HTTP status', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', status: 503 })
    const error = await errorOf(slack.client.auth.test())
    expect(error).toBeInstanceOf(WebAPIHTTPError)
    expect(error).toMatchObject({ statusCode: 503 })
  })

  it('answers a call with status 429 and the requested Retry-After', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', status: 429, retry_after: 7 })
    const error = await errorOf(slack.client.auth.test())
    expect(error).toBeInstanceOf(WebAPIRateLimitedError)
    expect(error).toMatchObject({ retryAfter: 7 })
  })

  it('does not run a rejected call', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'chat.postMessage', error: 'internal_error' })
    await expectApiError(
      slack.client.chat.postMessage({ channel: slack.launch, text: 'Lost' }),
      'internal_error',
    )
    expect(await textsIn(slack, slack.launch)).not.toContain('Lost')
  })

  it('delays the response to a call', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', delay_ms: 60_000 })
    let answered = false
    const call = slack.client.auth.test().finally(() => {
      answered = true
    })
    // After five round trips, the response to the first call would have arrived.
    for (let round = 0; round < 5; round++) await slack.client.api.test()
    expect(answered).toBe(false)
    await waitFor(() => {
      slack.controls.advanceClock({ seconds: 60 })
      expect(answered).toBe(true)
    })
    expect(await call).toMatchObject({ ok: true, user_id: slack.botUserId })
  })

  it('runs a call whose response it drops', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'chat.postMessage', drop_response: true })
    const say = () => slack.client.chat.postMessage({ channel: slack.launch, text: 'Twice' })
    expect(await errorOf(say())).toBeInstanceOf(WebAPIRequestError)
    await say()
    expect((await textsIn(slack, slack.launch)).filter((text) => text === 'Twice')).toHaveLength(2)
  })

  it('is removed by DELETE /control/faults', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: '*', times: 100, error: 'fatal_error' })
    await control(slack, 'DELETE /control/faults')
    expect(await slack.client.auth.test()).toMatchObject({ ok: true })
  })
})

describe('recorded payloads', () => {
  const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } }) as const
  const post = ({ client, launch }: OpenSlack, text: string) =>
    client.chat.postMessage({ channel: launch, text, blocks: [header(text)] })

  it('records Web API calls with their errors', async () => {
    const slack = await openSlack()
    await post(slack, 'Lamps')
    await errorOf(post(slack, 'x'.repeat(151)))
    const { answer } = await control(slack, 'GET /control/payloads?name=chat.postMessage')
    expect(answer.payloads).toMatchObject([
      {
        source: 'web-api',
        name: 'chat.postMessage',
        body: { text: 'Lamps' },
        response: { ok: true },
        problems: [],
      },
      {
        name: 'chat.postMessage',
        response: { ok: false, error: 'invalid_blocks' },
        problems: [
          'invalid_blocks',
          expect.stringMatching(/must be less than 151 characters \[json-pointer:\/blocks\/0/),
        ],
      },
    ])
    expect(answer.payloads).toEqual(JSON.parse(JSON.stringify(slack.controls.appPayloads())))
  })

  it('lists all payloads, or those with one name', async () => {
    const slack = await openSlack()
    await slack.client.auth.test()
    await post(slack, 'Lamps')
    const whats = async (route: string) =>
      (await control(slack, route)).answer.payloads.map(({ name }: { name: string }) => name)
    expect(await whats('GET /control/payloads')).toEqual(['auth.test', 'chat.postMessage'])
    expect(await whats('GET /control/payloads?name=auth.test')).toEqual(['auth.test'])
  })

  it('does not record tokens', async () => {
    const slack = await openSlack()
    const { botToken: token } = slack.secrets
    await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', body: new URLSearchParams({ token }) })
    await slack.client.auth.test()
    const { answer } = await control(slack, 'GET /control/payloads')
    expect(answer.payloads).toHaveLength(2)
    expect(JSON.stringify(answer)).not.toContain(token)
  })

  it('clears the recorded payloads', async () => {
    const slack = await openSlack()
    await slack.client.auth.test()
    await control(slack, 'DELETE /control/payloads')
    expect((await control(slack, 'GET /control/payloads')).answer).toEqual({ ok: true, payloads: [] })
  })
})
