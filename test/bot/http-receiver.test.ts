import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { WebClient } from '@slack/web-api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startHttpServer } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
beforeAll(async () => {
  upnext = await openUpnext({ overHttp: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterAll(() => upnext.close())

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

type SignedRequest = { body: string; type?: string; secondsFromNow?: number; secret?: string }

/** Headers and body as Slack sends them. */
function sign({ body, type = JSON_TYPE, secondsFromNow = 0, secret }: SignedRequest) {
  const timestamp = Math.floor(Date.now() / 1000) + secondsFromNow
  const hmac = createHmac('sha256', secret ?? upnext.slack.secrets.signingSecret)
  const signature = `v0=${hmac.update(`v0:${timestamp}:${body}`).digest('hex')}`
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': type,
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signature,
    },
  }
}

const send = (request: ReturnType<typeof sign>) => fetch(`${upnext.requestUrl}/slack/events`, request)
/** Different each time, because a repeated request has no effect. */
const verification = () => JSON.stringify({ type: 'url_verification', challenge: randomUUID() })
const expectAlive = async () => {
  const body = verification()
  const response = await send(sign({ body }))
  expect(body).toContain(((await response.json()) as { challenge: string }).challenge)
}

it.each(['null', '5', '"text"', '', '{', 'true'])(
  'returns 400 for a signed body %j, and keeps running',
  async (body) => {
    expect((await send(sign({ body }))).status).toBe(400)
    expect((await send(sign({ body: `payload=${encodeURIComponent(body)}`, type: FORM_TYPE }))).status).toBe(
      400,
    )
    await expectAlive()
  },
)

const DEEP = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
const LONG = JSON.stringify(Array(50_000).fill(null))
it.each([
  ['a challenge', (value: string) => `{"type":"url_verification","challenge":${value}}`],
  ["a user's id", (value: string) => `{"type":"block_actions","user":{"id":${value}},"actions":[]}`],
  ['a trigger id', (value: string) => `{"type":"shortcut","user":{"id":"U1"},"trigger_id":${value}}`],
  ["a view's id", (value: string) => `{"type":"view_submission","user":{"id":"U1"},"view":{"id":${value}}}`],
])('returns 400 for large or deep JSON in place of %s', async (_name, createBody) => {
  for (const value of ['5', DEEP, LONG])
    expect((await send(sign({ body: createBody(value) }))).status).toBe(400)
  await expectAlive()
})

const block_actions = { type: 'block_actions', user: { id: 'U1' }, team: { id: 'T1' }, trigger_id: '1.2.3' }
it.each([
  ['an event that is text', { type: 'event_callback', event: 'LINKEDIN' }],
  ['an event without a readable user', { type: 'event_callback', event: { type: 'x', user: null } }],
  ['a team whose id is a method', { ...block_actions, team: { id: 'toString' }, actions: [] }],
  ['an event with a list as its type', { type: 'event_callback', event: { type: ['mon'] } }],
  ['a submission without a view', { type: 'view_submission', user: { id: 'U1' }, team: { id: 'T1' } }],
  ['actions that are a number', { ...block_actions, actions: 9 }],
  ['an action whose id is a number', { ...block_actions, actions: [{ action_id: 1, block_id: 'b' }] }],
  ['an action whose channel is null', { ...block_actions, channel: null, actions: [] }],
  ['a channel whose id has a null character', { ...block_actions, channel: { id: 'C1\0' }, actions: [] }],
  ['an action without a user', { ...block_actions, user: null, actions: [] }],
  ['a menu whose team is a number', { ...block_actions, type: 'block_suggestion', team: 1e9 }],
  ['an object as its type', { ...block_actions, type: { X: true } }],
])('survives a signed request with %s', async (_what, payload) => {
  const json = JSON.stringify(payload)
  const requests = [
    sign({ body: json }),
    sign({ body: `payload=${encodeURIComponent(json)}`, type: FORM_TYPE }),
  ]
  for (const { status } of await Promise.all(requests.map(send))) expect(status).toBeLessThan(500)
  await expectAlive()
})

it.each([
  ['team is the name of a method', { team_id: 'toString' }],
  ['user has a null character', { user_id: 'U1\0' }],
  ['channel has a null character', { channel_id: 'C1\0' }],
])('survives a command whose %s', async (_what, ids) => {
  const command = { command: '/upnext', team_id: 'T1', user_id: 'U1', channel_id: 'C1', trigger_id: '1.2.3' }
  const body = new URLSearchParams({ ...command, ...ids }).toString()
  expect((await send(sign({ body, type: FORM_TYPE }))).status).toBeLessThan(500)
  await expectAlive()
})

it('returns 401 for a request that was signed with another secret', async () => {
  const { status } = await send(sign({ body: verification(), secret: 'not the secret' }))
  expect(status).toBe(401)
})

it('returns 401 for a request from more than a minute in the future', async () => {
  expect((await send(sign({ body: verification(), secondsFromNow: 120 }))).status).toBe(401)
  expect((await send(sign({ body: verification(), secondsFromNow: 30 }))).status).toBe(200)
})

it('returns 401 for a request that is more than five minutes old', async () => {
  expect((await send(sign({ body: verification(), secondsFromNow: -301 }))).status).toBe(401)
})

it("returns 401 for an unsigned request, unless it is Slack's check of the certificate", async () => {
  const post = async (body: string) =>
    (
      await fetch(`${upnext.requestUrl}/slack/events`, {
        method: 'POST',
        body,
        headers: { 'content-type': FORM_TYPE },
      })
    ).status
  expect(await post('ssl_check=1&token=t')).toBe(200)
  expect(await post('ssl_check=1&payload=null')).toBe(200)
  expect(await post('command=/upnext')).toBe(401)
  await expectAlive()
})

it('returns 413 for a body of more than a megabyte', async () => {
  const { status } = await send(sign({ body: JSON.stringify({ text: 'x'.repeat(1024 ** 2) }) }))
  expect(status).toBe(413)
})

it('closes a connection with an unread body after the response', async () => {
  const socket = connect(Number(new URL(upnext.requestUrl ?? '').port), '127.0.0.1')
  const received: string[] = []
  socket.on('data', (data) => received.push(data.toString()))
  const closed = once(socket, 'close')
  socket.on('error', () => {})
  const head = ['POST /slack/events HTTP/1.1', 'Host: a', 'Content-Length: 9000000', '', ''].join('\r\n')
  socket.write(`${head}${'x'.repeat(1024 ** 2 + 1000)}`)
  await closed
  expect(received.join('')).toMatch(/^HTTP\/1\.1 413 /)
  expect(received.join('')).toMatch(/connection: close/i)
  await expectAlive()
}, 4000)

it('returns 404 for an unknown path, and keeps running', async () => {
  const { status } = await fetch(`${upnext.requestUrl}/nowhere`, sign({ body: verification() }))
  expect(status).toBe(404)
  await expectAlive()
})

it('forbids caching responses and guessing their type', async () => {
  const requests = [
    sign({ body: verification() }),
    sign({ body: '5' }),
    sign({ body: verification(), secondsFromNow: 120 }),
  ]
  const responses = await Promise.all([...requests.map(send), fetch(`${upnext.requestUrl}/nowhere`)])
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 401, 404])
  for (const { headers } of responses) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

it.each([
  [
    'search in a menu',
    { type: 'block_suggestion', action_id: 'options:schedule:project', block_id: 'project' },
  ],
  [
    'submission',
    {
      type: 'view_submission',
      view: {
        id: 'V1',
        callback_id: 'form:schedule',
        private_metadata: '{}',
        state: { values: {} },
        blocks: [],
      },
    },
  ],
])('returns an empty response to a repeated %s', async (_what, payload) => {
  const user = { id: mara.state().userId }
  const body = `payload=${encodeURIComponent(JSON.stringify({ ...payload, user, team: { id: 'T1' } }))}`
  const request = sign({ body, type: FORM_TYPE })
  const first = await send(request)
  const second = await send(request)
  expect([first.status, second.status]).toEqual([200, 200])
  expect(await first.text()).not.toBe('')
  expect(await second.text()).toBe('')
})

it('handles a repeated request once', async () => {
  const slack = await startHttpServer((_, response) => void response.end())
  const repliesWith = (text: string) => slack.received.filter(({ body }) => body.includes(text))
  const { secrets, apiUrl } = upnext.slack
  const { team_id = '' } = await new WebClient(secrets.botToken, { slackApiUrl: apiUrl }).auth.test()
  const command = new URLSearchParams({
    command: '/upnext',
    text: 'help',
    team_id,
    user_id: mara.state().userId,
    channel_id: mara.channel,
    trigger_id: '1.2.3',
    response_url: slack.url,
  })
  const request = sign({ body: command.toString(), type: FORM_TYPE })
  expect((await send(request)).status).toBe(200)
  expect((await send(request)).status).toBe(200)
  // Bolt would accept this signature, too.
  const signature = `${request.headers['x-slack-signature']}=1`
  const variant = { ...request, headers: { ...request.headers, 'x-slack-signature': signature } }
  expect((await send(variant)).status).toBe(401)
  // A reply to the second request would arrive before the reply to this one.
  command.set('text', 'zone')
  await send(sign({ body: command.toString(), type: FORM_TYPE }))
  await vi.waitFor(() => expect(repliesWith('Your time zone')).toHaveLength(1), MAX_WAIT)
  expect(repliesWith('/invite-user')).toHaveLength(1)
  await slack.close()
})

describe('a signed request with any of its values changed', () => {
  const VIEW = {
    id: 'V1',
    type: 'modal',
    callback_id: 'form:prompt',
    hash: '1.a',
    private_metadata: '{}',
    title: { type: 'plain_text', text: 'A' },
    blocks: [
      {
        type: 'input',
        block_id: 'Title',
        label: { type: 'plain_text', text: 'T' },
        element: { type: 'plain_text_input', action_id: 'a' },
      },
    ],
    state: { values: { Title: { a: { type: 'plain_text_input', value: 'A' } } } },
  }
  const createPayloads = () => {
    const common = {
      user: { id: mara.userId, team_id: 'T000000001' },
      team: { id: 'T000000001', domain: 'a' },
      channel: { id: mara.channel, name: 'launch' },
      token: 't',
      trigger_id: '1.2.3',
    }
    const action = {
      type: 'button',
      action_id: 'posts:list',
      block_id: 'b',
      action_ts: '1.2',
      value: '{"text":"","page":0,"project_id":"p"}',
    }
    const menu = {
      type: 'static_select',
      action_id: 'record:menu',
      block_id: 'b',
      action_ts: '1.2',
      selected_option: { value: 'a b', text: { type: 'plain_text', text: 'A' } },
    }
    const key = {
      type: 'plain_text_input',
      action_id: 'change:prompt',
      block_id: 'Title',
      action_ts: '1.2',
      value: 'A',
    }
    const container = { type: 'message', message_ts: '1.2', channel_id: mara.channel, is_ephemeral: true }
    return [
      {
        ...common,
        type: 'block_actions',
        actions: [action],
        container,
        response_url: `${upnext.slack.url}/nowhere`,
      },
      { ...common, type: 'block_actions', actions: [menu], container },
      { ...common, type: 'block_actions', actions: [key], view: VIEW },
      {
        ...common,
        type: 'block_suggestion',
        action_id: 'options:user:record',
        block_id: 'b',
        value: 'a',
        view: VIEW,
      },
      { ...common, type: 'view_submission', view: VIEW },
      { ...common, type: 'view_submission', view: { ...VIEW, callback_id: 'confirm:prompt' } },
      { ...common, type: 'view_closed', view: VIEW, is_cleared: false },
      { ...common, type: 'shortcut', callback_id: 'schedule_post' },
      {
        ...common,
        type: 'message_action',
        callback_id: 'schedule_as_post',
        message: { type: 'message', text: 'Hi', ts: '1.2', user: 'U1', files: [{ id: 'F1' }] },
      },
      {
        type: 'event_callback',
        team_id: 'T000000001',
        api_app_id: 'A1',
        event: { type: 'app_home_opened', user: mara.userId, channel: 'D1', tab: 'home' },
        authorizations: [{ team_id: 'T000000001' }],
      },
    ]
  }
  const VALUES = [null, 5, 'x', '', [], {}, true, [null], undefined]

  /** Each payload with each of its values replaced in turn. */
  function* mutate(value: unknown): Generator<unknown> {
    yield* VALUES
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      for (const changed of mutate(inner))
        yield Array.isArray(value)
          ? value.map((item, index) => (String(index) === name ? changed : item))
          : { ...value, [name]: changed }
  }

  /** A command with each field missing, repeated or replaced. */
  function createCommands(): string[] {
    const command = {
      command: '/upnext',
      text: 'help',
      team_id: 'T000000001',
      user_id: mara.userId,
      channel_id: mara.channel,
      response_url: `${upnext.slack.url}/nowhere`,
      trigger_id: '1.2.3',
      api_app_id: 'A1',
    }
    return Object.keys(command).flatMap((name) =>
      [undefined, [''], ['x'], ['\0'], ['null'], ['{}'], ['x'.repeat(9000)], ['a', 'b']].map((values) => {
        const { [name]: _, ...others } = command as Record<string, string>
        const entries = [...Object.entries(others), ...(values ?? []).map((value) => [name, value])]
        return new URLSearchParams([...entries, ['unique', randomUUID()]] as [string, string][]).toString()
      }),
    )
  }

  it('never gets status 500', async () => {
    const bodies = createPayloads().flatMap((payload) =>
      [...mutate(payload)].map((changed) => JSON.stringify({ ...Object(changed), unique: randomUUID() })),
    )
    expect(bodies.length).toBeGreaterThan(1500)
    const requests = bodies.map((body) =>
      body.includes('event_callback')
        ? { body }
        : { body: `payload=${encodeURIComponent(body)}`, type: FORM_TYPE },
    )
    const failed: string[] = []
    const queue = [...requests, ...createCommands().map((body) => ({ body, type: FORM_TYPE }))]
    const work = async () => {
      for (let request = queue.pop(); request; request = queue.pop()) {
        let { status } = await send(sign(request))
        // A busy bot refuses what it could only answer late.
        while (status === 503) {
          await setTimeout(100)
          status = (await send(sign(request))).status
        }
        if (status >= 500) failed.push(decodeURIComponent(request.body))
      }
    }
    // Bolt answers a request of an unknown type after three seconds.
    await Promise.all(Array.from({ length: 50 }, work))
    expect(failed).toEqual([])
  }, 300_000)
})
