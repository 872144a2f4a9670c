import { createHmac } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type LocalSlack, openLocalSlack } from '../index.ts'
import { FIXED_NOW, fixedRuntime, waitFor } from './fixed-runtime.ts'
import { findFreePort, type ReceivedRequest, startHttpServer } from './http-server.ts'
import { MANIFEST } from './sample-bot/bot.ts'

let closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers) await close()
  closers = []
})

type Reply = { status?: number; body?: string; headers?: Record<string, string> }

/** Starts a bare HTTP server in place of an app, which shows the requests themselves. */
const openWith = async (reply: (request: ReceivedRequest) => Reply, options: { manifest?: string } = {}) => {
  const bot = await startHttpServer((request, response) => {
    const challenge = request.body.includes('url_verification') && JSON.parse(request.body).challenge
    const { status = 200, body = challenge || '', headers = {} } = reply(request)
    response.writeHead(status, headers).end(body)
  })
  const slack = await openLocalSlack({
    manifest: MANIFEST,
    runtime: fixedRuntime,
    ...(options.manifest ? options : { requestUrl: bot.url }),
  })
  closers.push(slack.close, bot.close)
  return {
    slack,
    bot,
    requests: () =>
      bot.requests.filter(({ url, body }) => url !== PROBE_PATH && !body.includes('url_verification')),
  }
}

const PROBE_PATH = '/probe'

/** Sends the bot requests of the test's own: requests that were already on their way arrive before them. */
async function finishRequests({ url }: { url: string }) {
  for (let round = 0; round < 3; round++) await (await fetch(url + PROBE_PATH, { method: 'POST' })).text()
}

const launch = (slack: LocalSlack) => {
  const mara = slack.openSession('mara')
  const channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
  return { mara, channel }
}

describe('HTTP mode', () => {
  it("signs every HTTP request like Slack, with the body that Slack's SDKs expect", async () => {
    const { slack, requests } = await openWith(() => ({}))
    const { mara, channel } = launch(slack)
    await mara.runCommand({ channel, text: '/book ä' })
    await mara.runShortcut({ callback_id: 'book_anywhere' })
    await mara.sendMessage({ channel, text: 'Hello' })
    await waitFor(() => expect(requests()).toHaveLength(3))
    const [command, shortcut, event] = requests() as [ReceivedRequest, ReceivedRequest, ReceivedRequest]
    for (const { headers, body } of requests()) {
      const timestamp = headers['x-slack-request-timestamp']
      const hash = createHmac('sha256', slack.secrets.signingSecret)
        .update(`v0:${timestamp}:${body}`)
        .digest('hex')
      expect(headers['x-slack-signature']).toBe(`v0=${hash}`)
      expect(Number(timestamp)).toBe(FIXED_NOW.getTime() / 1000)
      expect(headers['user-agent']).toContain('Slackbot')
    }
    expect(command.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(command.body))).toMatchObject({
      command: '/book',
      text: 'ä',
    })
    expect(shortcut.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(JSON.parse(new URLSearchParams(shortcut.body).get('payload') ?? '')).toMatchObject({
      type: 'shortcut',
    })
    expect(event.headers['content-type']).toBe('application/json')
    expect(JSON.parse(event.body)).toMatchObject({ type: 'event_callback', event: { text: 'Hello' } })
  })

  it.each([
    [404, 'http_client_error', 'This app responded with Status Code 404'],
    [500, 'http_service_error', 'This app responded with Status Code 500'],
  ])("shows Slack's error message when the app answers with status %i", async (status, word, said) => {
    const { slack } = await openWith(() => ({ status }))
    const { mara, channel } = launch(slack)
    expect(await mara.runCommand({ channel, text: '/book' })).toEqual({
      error: `/book failed with the error "${word}"`,
    })
    expect(await mara.runShortcut({ callback_id: 'book_anywhere' })).toEqual({ error: said })
  })

  it.each(['/bolt/requests', '/bolt/requests/'])(
    'sends everything to a URL with the path %s as it is',
    async (path) => {
      const bot = await startHttpServer((_request, response) => response.end())
      const slack = await openLocalSlack({
        manifest: MANIFEST,
        runtime: fixedRuntime,
        requestUrl: bot.url + path,
      })
      closers.push(slack.close, bot.close)
      const { mara, channel } = launch(slack)
      await mara.runCommand({ channel, text: '/book' })
      await slack.controls.verifyUrl()
      expect(bot.requests.map(({ url }) => url)).toEqual([path, path])
    },
  )

  it('shows the user that the app cannot be reached', async () => {
    const requestsTo = `http://127.0.0.1:${await findFreePort()}`
    const slack = await openLocalSlack({ manifest: MANIFEST, runtime: fixedRuntime, requestUrl: requestsTo })
    closers.push(slack.close)
    const { mara, channel } = launch(slack)
    expect(await mara.runCommand({ channel, text: '/book' })).toEqual({
      error: '/book failed with the error "dispatch_failed"',
    })
    expect(await slack.controls.verifyUrl()).toContain('did not answer the challenge')
  })

  it('retries an event with retry headers until the app sends x-slack-no-retry', async () => {
    const { slack, bot, requests } = await openWith(({ body, headers }) => {
      if (body.includes('url_verification')) return {}
      const last = headers['x-slack-retry-num'] === '2'
      return { status: 503, headers: last ? { 'x-slack-no-retry': '1' } : {} }
    })
    const { mara, channel } = launch(slack)
    await mara.sendMessage({ channel, text: 'Hello' })
    const retries = () =>
      requests().map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']])
    await expect.poll(retries).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
    ])
    await finishRequests(bot)
    slack.controls.advanceClock({ seconds: 60 })
    await waitFor(() => expect(retries()).toHaveLength(3))
    expect(retries()[2]).toEqual(['2', 'http_error'])
    await finishRequests(bot)
    slack.controls.advanceClock({ seconds: 600 })
    await finishRequests(bot)
    expect(requests()).toHaveLength(3)
    expect(new Set(requests().map(({ body }) => JSON.parse(body).event_id)).size).toBe(1)
  })

  it('never retries a command', async () => {
    const { slack, bot, requests } = await openWith(() => ({ status: 503 }))
    const { mara, channel } = launch(slack)
    await mara.runCommand({ channel, text: '/book' })
    slack.controls.advanceClock({ seconds: 3600 })
    await finishRequests(bot)
    expect(requests()).toHaveLength(1)
  })

  it.each([
    ['as text', (challenge: string) => ({ body: challenge }), undefined],
    [
      'as JSON',
      (challenge: string) => ({
        body: JSON.stringify({ challenge }),
        headers: { 'content-type': 'application/json' },
      }),
      undefined,
    ],
    ['with another text', () => ({ body: 'something else' }), "did not answer with the challenge's value"],
    ['with an error', () => ({ status: 403 }), 'with status 403'],
  ])('verifies the events URL with a challenge that the app answers %s', async (_how, answer, problem) => {
    const { slack, bot, requests } = await openWith(({ body }) =>
      body.includes('url_verification') ? answer(JSON.parse(body).challenge) : {},
    )
    const found = await slack.controls.verifyUrl()
    if (!problem) return expect(found).toBeUndefined()
    expect(found).toContain(problem)
    const { mara, channel } = launch(slack)
    await mara.sendMessage({ channel, text: 'Not for strangers' })
    await finishRequests(bot)
    expect(requests()).toEqual([])
  })

  it("sends requests to the manifest's URLs by default", async () => {
    const bots = await Promise.all(
      [1, 2, 3].map(() => startHttpServer((_request, response) => response.end())),
    )
    const [commands, interactivity, options] = bots.map(({ url }) => url) as [string, string, string]
    closers.push(...bots.map(({ close }) => close))
    const manifest = join(await mkdtemp(join(tmpdir(), 'manifest-')), 'manifest.yml')
    const text = (await readFile(MANIFEST, 'utf8'))
      .replace('socket_mode_enabled: true', 'socket_mode_enabled: false')
      .replaceAll(
        'url: https://bot.example/slack/events\n      description',
        `url: ${commands}/commands\n      description`,
      )
      .replace(
        'is_enabled: true\n    request_url: https://bot.example/slack/events',
        `is_enabled: true\n    request_url: ${interactivity}/actions\n    message_menu_options_url: ${options}/options`,
      )
    await writeFile(manifest, text)
    const { slack } = await openWith(() => ({}), { manifest })
    const { mara, channel } = launch(slack)
    expect(await mara.runCommand({ channel, text: '/book' })).toEqual({ done: true })
    expect(await mara.runShortcut({ callback_id: 'book_anywhere' })).toEqual({ done: true })
    expect(bots.map(({ requests }) => requests.map(({ url }) => url))).toEqual([
      ['/commands'],
      ['/actions'],
      [],
    ])
  })
})
