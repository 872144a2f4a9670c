import { request } from 'node:http'
import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { waitFor } from '../fixed-runtime.ts'
import { expectRefusal } from './connect.ts'
import { type OpenSlack, openSlack, textsIn } from './open-slack.ts'

/** One of the requests that GET /control lists. */
async function control({ url }: OpenSlack, asked: string, body?: unknown) {
  const [method = '', path] = asked.split(' ')
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(url + path, { method, ...given })
  return { status: response.status, answer: Object(await response.json()) }
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the control', () => {
  it('lists all that it can do', async () => {
    const slack = await openSlack()
    const { answer } = await control(slack, 'GET /control')
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining(['POST /control/faults', 'GET /control/payloads']),
    )
    for (const asked of Object.keys(answer)) expect((await control(slack, asked)).status, asked).not.toBe(404)
  })

  it.each([
    ['POST /control/faults', 'no JSON', /JSON/],
    ['POST /control/faults', {}, /method/],
    ['POST /control/faults', { method: 'views.open', times: 0 }, /times/],
    ['POST /control/faults', { method: 'views.open', status: 99 }, /status/],
    ['POST /control/faults', { method: 'views.open', eror: 'x' }, /eror/],
    ['POST /control/clock', { seconds: -1 }, /seconds/],
    ['POST /control/sockets', { reason: 'gently' }, /reason/],
  ])('says what is wrong: %s with %j', async (asked, body, words) => {
    const { status, answer } = await control(await openSlack(), asked, body)
    expect(status).toBe(400)
    expect(answer).toMatchObject({ ok: false, error: expect.stringMatching(words) })
  })

  it('says what is wrong in words for a person, not for a program', async () => {
    const { answer } = await control(await openSlack(), 'POST /control/faults', { method: '*', times: 0 })
    expect(() => JSON.parse(answer.error)).toThrow(SyntaxError)
  })

  it('tells the time, and moves the clock', async () => {
    const slack = await openSlack()
    const before = Date.parse((await control(slack, 'GET /control/clock')).answer.now)
    const after = Date.parse((await control(slack, 'POST /control/clock', { seconds: 3600 })).answer.now)
    expect(after - before).toBeGreaterThanOrEqual(3_600_000)
    expect(slack.controls.now().getTime()).toBeGreaterThanOrEqual(after)
  })

  it('counts the connections, and drops those that there are', async () => {
    const slack = await openSlack()
    expect((await control(slack, 'GET /control/sockets')).answer).toEqual({ ok: true, connections: 0 })
    const { answer } = await control(slack, 'POST /control/sockets', { reason: 'cut' })
    expect(answer).toEqual({ ok: true, closed: 0 })
  })

  it.each([
    { from: 'another website', headers: { origin: 'https://evil.example' } },
    { from: 'another port of this machine', headers: { origin: 'http://127.0.0.1:1' } },
    { from: 'a file', headers: { origin: 'null' } },
    { from: 'a name that only leads here', headers: { host: 'evil.example' } },
    { from: 'this name with another port', headers: { host: '127.0.0.1:1' } },
  ])('and all the rest is closed to $from', async ({ headers }) => {
    const { url } = await openSlack()
    for (const path of ['/control', '/api/api.test', '/oauth/v2/authorize', '/'])
      expect(await statusOf(url + path, headers), path).toBe(403)
  })

  it('is open to the page of this Slack, under both its names', async () => {
    const { url } = await openSlack()
    for (const own of [url, url.replace('127.0.0.1', 'localhost')])
      expect(await statusOf(`${url}/control`, { origin: own, host: new URL(own).host })).toBe(200)
  })
})

/** With headers that `fetch` keeps to itself. */
const statusOf = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { headers }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })

describe('fault', () => {
  const fault = 'POST /control/faults'

  it('refuses the next calls of a method, and no more', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', times: 2, error: 'internal_error' })
    expect(await slack.client.conversations.list()).toMatchObject({ ok: true })
    await expectRefusal(slack.client.auth.test(), 'internal_error')
    await expectRefusal(slack.client.auth.test(), 'internal_error')
    expect(await slack.client.auth.test()).toMatchObject({ ok: true })
  })

  it('refuses any method where it is asked to', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: '*', error: 'fatal_error' })
    await expectRefusal(slack.client.conversations.list(), 'fatal_error')
    expect(await slack.client.conversations.list()).toMatchObject({ ok: true })
  })

  it('answers with another status', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', status: 503 })
    const error = await errorOf(slack.client.auth.test())
    expect(error).toBeInstanceOf(WebAPIHTTPError)
    expect(error).toMatchObject({ statusCode: 503 })
  })

  it('lets the app wait for as long as it is told', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', status: 429, retry_after: 7 })
    const error = await errorOf(slack.client.auth.test())
    expect(error).toBeInstanceOf(WebAPIRateLimitedError)
    expect(error).toMatchObject({ retryAfter: 7 })
  })

  it('leaves undone what it refuses', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'chat.postMessage', error: 'internal_error' })
    await expectRefusal(
      slack.client.chat.postMessage({ channel: slack.launch, text: 'Lost' }),
      'internal_error',
    )
    expect(await textsIn(slack, slack.launch)).not.toContain('Lost')
  })

  it('answers late', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'auth.test', delay_ms: 60_000 })
    let answered = false
    const call = slack.client.auth.test().finally(() => {
      answered = true
    })
    // By then the other call has long come in, and its answer would be here.
    for (let round = 0; round < 5; round++) await slack.client.api.test()
    expect(answered).toBe(false)
    await waitFor(() => {
      slack.controls.advanceClock({ seconds: 60 })
      expect(answered).toBe(true)
    })
    expect(await call).toMatchObject({ ok: true, user_id: slack.botUserId })
  })

  it('loses the answer to what was done', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: 'chat.postMessage', drop_response: true })
    const say = () => slack.client.chat.postMessage({ channel: slack.launch, text: 'Twice' })
    expect(await errorOf(say())).toBeInstanceOf(WebAPIRequestError)
    await say()
    expect((await textsIn(slack, slack.launch)).filter((text) => text === 'Twice')).toHaveLength(2)
  })

  it('ends when it is called off', async () => {
    const slack = await openSlack()
    await control(slack, fault, { method: '*', times: 100, error: 'fatal_error' })
    await control(slack, 'DELETE /control/faults')
    expect(await slack.client.auth.test()).toMatchObject({ ok: true })
  })
})

describe('what the app sent', () => {
  const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } }) as const
  const post = ({ client, launch }: OpenSlack, text: string) =>
    client.chat.postMessage({ channel: launch, text, blocks: [header(text)] })

  it('is kept, with what is wrong with it', async () => {
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

  it('is kept in full, one kind or all', async () => {
    const slack = await openSlack()
    await slack.client.auth.test()
    await post(slack, 'Lamps')
    const whats = async (asked: string) =>
      (await control(slack, asked)).answer.payloads.map(({ name }: { name: string }) => name)
    expect(await whats('GET /control/payloads')).toEqual(['auth.test', 'chat.postMessage'])
    expect(await whats('GET /control/payloads?name=auth.test')).toEqual(['auth.test'])
  })

  it('is kept without the token', async () => {
    const slack = await openSlack()
    const { botToken: token } = slack.secrets
    await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', body: new URLSearchParams({ token }) })
    await slack.client.auth.test()
    const { answer } = await control(slack, 'GET /control/payloads')
    expect(answer.payloads).toHaveLength(2)
    expect(JSON.stringify(answer)).not.toContain(token)
  })

  it('is forgotten when asked to', async () => {
    const slack = await openSlack()
    await slack.client.auth.test()
    await control(slack, 'DELETE /control/payloads')
    expect((await control(slack, 'GET /control/payloads')).answer).toEqual({ ok: true, payloads: [] })
  })
})
