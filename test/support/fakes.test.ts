import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from './clock.ts'
import { type FakePostizOptions, startFakePostiz } from './fake-postiz.ts'
import { type FakeTelegramOptions, startFakeTelegram } from './fake-telegram.ts'
import { startHttpServer } from './servers.ts'

const openServers = new Set<{ close(): Promise<void> }>()

afterEach(async () => {
  for (const server of openServers) await server.close()
  openServers.clear()
})

function closeLater<T extends { close(): Promise<void> }>(server: T): T {
  openServers.add(server)
  return server
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1')
const MP4 = Buffer.from('\0\0\0\x18ftypmp420000', 'latin1')
const MOV = Buffer.from('\0\0\0\x18ftypqt  0000', 'latin1')
const LARGE_PNG = Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)])

// biome-ignore lint/suspicious/noExplicitAny: a response can contain any JSON, and each test knows which
type Answer = { status: number; headers: Headers; body: any }

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const createForm = (field: string, bytes: Buffer, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set(field, new File([new Uint8Array(bytes)], 'launch.png', { type: 'image/png' }))
  return form
}

describe('the fake Telegram', () => {
  const TOKEN = '123:abc'
  const CHANNEL = -1001
  const clock = createTestClock()

  async function startTelegram(options: FakeTelegramOptions = {}) {
    const telegram = closeLater(await startFakeTelegram({ now: clock.now, ...options }))
    telegram.addBot({ token: TOKEN, username: 'upnext_bot' })
    telegram.addChat({
      id: CHANNEL,
      type: 'channel',
      title: 'News',
      username: 'news',
      botStatus: 'administrator',
    })
    const call = async (method: string, json: object = {}, token = TOKEN) =>
      readAnswer(
        await fetch(`${telegram.url}/bot${token}/${method}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        }),
      )
    const upload = async (method: string, field: string, bytes: Buffer, caption = '') =>
      readAnswer(
        await fetch(`${telegram.url}/bot${TOKEN}/${method}`, {
          method: 'POST',
          body: createForm(field, bytes, { chat_id: String(CHANNEL), caption }),
        }),
      )
    return { ...telegram, call, upload }
  }

  const failure = (error_code: number, description: string) => ({
    status: error_code,
    body: { ok: false, error_code, description },
  })

  it('distinguishes unknown tokens, malformed tokens and unknown methods', async () => {
    const { call } = await startTelegram()
    expect(await call('getMe')).toMatchObject({ status: 200, body: { result: { username: 'upnext_bot' } } })
    expect(await call('getMe', {}, '456:abc')).toMatchObject(failure(401, 'Unauthorized'))
    expect(await call('getMe', {}, 'abc')).toMatchObject(failure(404, 'Not Found'))
    expect(await call('sendTelepathy')).toMatchObject(failure(404, 'Not Found: method not found'))
  })

  it('accepts the id of a chat as a number, as a string and as a username, in each kind of body', async () => {
    const { call, url, sent, requests } = await startTelegram()
    for (const chat_id of [CHANNEL, String(CHANNEL), '@News']) {
      const { body } = await call('sendMessage', { chat_id, text: ' Hi & <b>bye</b>\n', parse_mode: 'HTML' })
      expect(body.result).toMatchObject({ chat: { id: CHANNEL, username: 'news' }, text: 'Hi & <b>bye</b>' })
    }
    const form = new URLSearchParams({ chat_id: '@news', text: 'form' })
    await fetch(`${url}/bot${TOKEN}/sendMessage`, { method: 'POST', body: form })
    await fetch(`${url}/bot${TOKEN}/sendMessage?chat_id=@news&text=query`)
    expect(sent.map(({ messageId }) => messageId)).toEqual([1, 2, 3, 4, 5])
    expect(sent.at(-2)).toMatchObject({ chat: CHANNEL, method: 'sendMessage', text: 'form', at: clock.now() })
    expect(requests[2]).toMatchObject({ chat: '@News', status: 200, parameters: { parse_mode: 'HTML' } })
  })

  it('rejects messages that are empty or too long', async () => {
    const { call, upload, sent } = await startTelegram()
    const send = (text: string) => call('sendMessage', { chat_id: CHANNEL, text })
    expect(await send(' \n')).toMatchObject(failure(400, 'Bad Request: message text is empty'))
    expect(await send('😀'.repeat(2049))).toMatchObject(failure(400, 'Bad Request: message is too long'))
    const captioned = await upload('sendPhoto', 'photo', PNG, 'x'.repeat(1025))
    expect(captioned).toMatchObject(failure(400, 'Bad Request: message caption is too long'))
    expect(sent).toEqual([])
    expect(await send('x'.repeat(4096))).toMatchObject({ status: 200 })
  })

  it.each([
    ['kicked', undefined, 403, 'Forbidden: bot was kicked from the channel chat'],
    ['left', undefined, 403, 'Forbidden: bot is not a member of the channel chat'],
    ['member', undefined, 400, 'Bad Request: need administrator rights in the channel chat'],
    ['administrator', false, 400, 'Bad Request: need administrator rights in the channel chat'],
  ] as const)(
    'rejects a message to a channel if the bot is %s (may post: %s)',
    async (botStatus, canPost, status, text) => {
      const { call, addChat } = await startTelegram()
      addChat({ id: -1002, type: 'channel', title: 'C', botStatus, ...(canPost === false && { canPost }) })
      expect(await call('sendMessage', { chat_id: -1002, text: 'x' })).toMatchObject(failure(status, text))
    },
  )

  it('rejects messages to unknown, forbidden and upgraded groups', async () => {
    const { call, addChat } = await startTelegram()
    addChat({ id: -1003, type: 'supergroup', title: 'G', botStatus: 'member', canPost: false })
    addChat({ id: -4, type: 'group', title: 'G', botStatus: 'member', migratedTo: -1004 })
    const send = (chat_id: number) => call('sendMessage', { chat_id, text: 'x' })
    expect(await send(-1009)).toMatchObject(failure(400, 'Bad Request: chat not found'))
    expect(await send(-1003)).toMatchObject(
      failure(400, 'Bad Request: not enough rights to send text messages to the chat'),
    )
    expect(await send(-4)).toMatchObject({
      ...failure(400, 'Bad Request: group chat was upgraded to a supergroup chat'),
      body: { parameters: { migrate_to_chat_id: -1004 } },
    })
  })

  it('shows whether the bot may post', async () => {
    const { call } = await startTelegram()
    const { body } = await call('getChatMember', { chat_id: '@news', user_id: 123 })
    expect(body.result).toMatchObject({ status: 'administrator', can_post_messages: true })
    expect((await call('getChat', { chat_id: CHANNEL })).body.result).toMatchObject({ title: 'News' })
  })

  it("sends files, and rejects photos that are too large or aren't images", async () => {
    const { upload, call, sent } = await startTelegram()
    const { body } = await upload('sendPhoto', 'photo', PNG, 'Launch')
    expect(body.result).toMatchObject({ caption: 'Launch', photo: [{ file_size: PNG.length }] })
    expect(sent[0]?.file).toEqual({ bytes: PNG, name: 'launch.png', type: 'image/png' })
    expect((await upload('sendVideo', 'video', MP4)).body.result.video).toBeDefined()
    expect((await upload('sendVideo', 'video', PNG)).body.result.document).toBeDefined()
    expect(await upload('sendPhoto', 'photo', MP4)).toMatchObject(
      failure(400, 'Bad Request: IMAGE_PROCESS_FAILED'),
    )
    expect((await upload('sendPhoto', 'photo', LARGE_PNG)).body.description).toContain('too big for a photo')
    expect((await call('sendPhoto', { chat_id: CHANNEL })).body.description).toContain('there is no photo')
    expect(sent).toHaveLength(3)
  })

  it('limits the messages per second in each chat', async () => {
    const { call } = await startTelegram({ limits: { perChatPerSecond: 1 } })
    const send = () => call('sendMessage', { chat_id: CHANNEL, text: 'x' })
    expect(await send()).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject({
      ...failure(429, 'Too Many Requests: retry after 1'),
      body: { parameters: { retry_after: 1 } },
    })
    clock.advance(1000)
    expect(await send()).toMatchObject({ status: 200 })
  })

  it('answers planned errors without sending anything', async () => {
    const { call, plan, sent, requests } = await startTelegram()
    plan(({ index }) =>
      index === 0
        ? { kind: 'status', status: 429, retryAfter: 7 }
        : { kind: 'status', status: 502, body: '<h1>Bad Gateway</h1>', contentType: 'text/html' },
    )
    const send = () => call('sendMessage', { chat_id: CHANNEL, text: 'x' })
    expect(await send()).toMatchObject({ status: 429, body: { parameters: { retry_after: 7 } } })
    expect(await send()).toMatchObject({ status: 502, body: '<h1>Bad Gateway</h1>' })
    expect(await call('getMe')).toMatchObject({ status: 200 })
    expect(sent).toEqual([])
    expect(requests.map(({ status }) => status)).toEqual([429, 502, 200])
  })

  it.each([
    ['lost', 1],
    ['dropped', 0],
  ] as const)('closes the connection when the request is %s, after %d messages', async (kind, count) => {
    const { call, plan, sent } = await startTelegram()
    plan(() => ({ kind }))
    await expect(call('sendMessage', { chat_id: CHANNEL, text: 'x' })).rejects.toThrow()
    expect(sent).toHaveLength(count)
  })

  it('sends the message of a request that hangs, and closes its connection at the end', async () => {
    const { call, plan, sent, close } = await startTelegram()
    plan(() => ({ kind: 'hang' }))
    const request = call('sendMessage', { chat_id: CHANNEL, text: 'x' })
    await expect.poll(() => sent.length).toBe(1)
    await Promise.all([expect(request).rejects.toThrow(), close()])
  })

  it('redirects to another server', async () => {
    const { call, plan, sent } = await startTelegram()
    const other = closeLater(await startHttpServer((_, response) => void response.end('elsewhere')))
    plan(() => ({ kind: 'redirect', to: other.url }))
    expect(await call('sendMessage', { chat_id: CHANNEL, text: 'x' })).toMatchObject({ body: 'elsewhere' })
    expect(sent).toEqual([])
  })
})

describe('the fake Postiz', () => {
  async function startPostiz(options: FakePostizOptions = {}) {
    const clock = createTestClock()
    const postiz = closeLater(await startFakePostiz({ now: clock.now, ...options }))
    const call = async (method: string, path: string, json?: unknown, authorization = postiz.key) =>
      readAnswer(
        await fetch(`${postiz.url}/public/v1${path}`, {
          method,
          headers: { authorization, ...(json !== undefined && { 'content-type': 'application/json' }) },
          body: json === undefined ? null : typeof json === 'string' ? json : JSON.stringify(json),
        }),
      )
    const upload = async (form: FormData) =>
      readAnswer(
        await fetch(`${postiz.url}/public/v1/upload`, {
          method: 'POST',
          headers: { authorization: postiz.key },
          body: form,
        }),
      )
    const channel = postiz.addChannel({ identifier: 'threads', name: 'Our threads' })
    const list = async (query = 'startDate=2026-01-01&endDate=2027-12-31') =>
      (await call('GET', `/posts?${query}`)).body.posts
    return Object.assign(postiz, { clock, call, upload, channel, list })
  }

  const postBody = (channel: { id: string }, value: object = {}, rest: object = {}) => ({
    type: 'schedule',
    shortLink: false,
    date: '2026-12-01T10:00:00+02:00',
    tags: [],
    posts: [
      {
        integration: { id: channel.id },
        value: [{ content: 'Hello', image: [], ...value }],
        settings: { clientRef: 'ref-1' },
      },
    ],
    ...rest,
  })

  it('answers 401 with a different body for each problem with the key', async () => {
    const { call, conditions } = await startPostiz()
    const check = async (key?: string) => (await call('GET', '/is-connected', undefined, key)).body
    expect(await check()).toEqual({ connected: true })
    expect(await check('')).toEqual({ msg: 'No API Key found' })
    expect(await check('Bearer postiz-key')).toEqual({ msg: 'Invalid API key' })
    expect(await check('pos_1')).toEqual({ msg: 'Invalid OAuth token' })
    conditions.subscribed = false
    expect(await check()).toEqual({ msg: 'No subscription found' })
  })

  it('answers 401 with an empty body when its database is down', async () => {
    const { call, conditions } = await startPostiz()
    conditions.databaseDown = true
    const { status, headers, body } = await call('GET', '/integrations')
    expect([status, headers.get('logout'), body]).toEqual([401, 'true', ''])
  })

  it('lists channels without showing that one must be reconnected', async () => {
    const { call, addChannel, channel } = await startPostiz()
    const customer = { id: 'customer-1', name: 'Team' }
    const other = addChannel({ identifier: 'x', refreshNeeded: true, customer })
    const { id, name, identifier, picture, disabled, profile } = other
    expect((await call('GET', '/integrations')).body.map(({ id }: { id: string }) => id)).toEqual([
      channel.id,
      other.id,
    ])
    expect((await call('GET', '/integrations?group=customer-1')).body).toEqual([
      { id, name, identifier, picture, disabled, profile, customer },
    ])
    expect((await call('GET', '/integrations?group=unknown')).body).toEqual([])
  })

  it('describes the settings of a channel, and runs its tools', async () => {
    const { call, addChannel } = await startPostiz()
    const { id } = addChannel({
      identifier: 'pinterest',
      tools: { boards: [{ id: '1' }], broken: new Error() },
    })
    const { body } = await call('GET', `/integration-settings/${id}`)
    expect(body.output).toMatchObject({ maxLength: 500, settings: { required: ['board'] } })
    const run = (methodName: string) => call('POST', `/integration-trigger/${id}`, { methodName, data: {} })
    expect((await run('boards')).body).toEqual({ output: [{ id: '1' }] })
    expect(await run('broken')).toMatchObject({ status: 500, body: { msg: 'Unexpected error' } })
    expect(await run('other')).toMatchObject({ status: 404, body: { msg: 'Tool not found' } })
    expect(await call('GET', '/integration-settings/none')).toMatchObject({ status: 404 })
  })

  it('creates a post, and lists it with the settings as a string', async () => {
    const { call, channel, list, posts } = await startPostiz()
    const { status, body } = await call('POST', '/posts', postBody(channel))
    expect([status, body]).toEqual([201, [{ postId: posts[0]?.id, integration: channel.id }]])
    const [listed] = await list()
    expect(listed).toMatchObject({
      state: 'QUEUE',
      publishDate: '2026-12-01T08:00:00.000Z',
      releaseURL: null,
    })
    expect(JSON.parse(listed.settings)).toEqual({ clientRef: 'ref-1', __type: 'threads' })
    await call('POST', '/posts', postBody(channel))
    expect(posts).toHaveLength(2)
  })

  it.each([
    ['no shortLink', { shortLink: undefined }, 'shortLink must'],
    ['no tags', { tags: undefined }, 'tags must be an array'],
    ['tags of strings', { tags: ['a'] }, 'tags.0 must'],
    ['hour 25', { date: '2026-12-01T25:00:00Z' }, 'date must'],
    ['an RFC 1123 date', { date: 'Tue, 01 Dec 2026 10:00:00 GMT' }, 'date must'],
    ['no date', { type: 'now', date: undefined }, 'date must'],
  ])('rejects a post with %s', async (_, rest, message) => {
    const { call, channel, posts } = await startPostiz()
    const { status, body } = await call('POST', '/posts', postBody(channel, {}, rest))
    expect([status, body.message]).toEqual([400, [expect.stringContaining(message)]])
    expect(posts).toEqual([])
  })

  it.each([
    [{ content: ' ' }, 'posts.0.value.0. If images do not exist, content must be a non-empty string.'],
    [{ content: undefined }, 'posts.0.value.0.content must be a string'],
    [{ image: undefined }, 'posts.0.value.0.image must be an array'],
    [{ image: [{ path: 'https://a.example/a.png' }] }, 'posts.0.value.0.image.0.id must be a string'],
    [{ image: [{ id: '1', path: 'https://a.example/a.PNG' }] }, 'posts.0.value.0.image.0.path must'],
  ])('rejects the value %j', async (value, message) => {
    const { call, channel } = await startPostiz()
    const { status, body } = await call('POST', '/posts', postBody(channel, value))
    expect([status, body.message]).toEqual([400, [expect.stringContaining(message)]])
  })

  it('uses a string for errors of the whole request, and another shape for rules of a platform', async () => {
    const { call, channel, addChannel } = await startPostiz()
    const missing = { status: 400, body: { message: 'All posts must have an integration id' } }
    for (const body of [{}, [], undefined]) expect(await call('POST', '/posts', body)).toMatchObject(missing)
    expect(await call('POST', '/posts', '{')).toMatchObject({ status: 400 })
    const unknown = await call('POST', '/posts', postBody({ id: 'x' }))
    expect(unknown.body.message).toBe('Integration with id x not found')
    const instagram = postBody(addChannel({ identifier: 'instagram' }), {})
    Object.assign(instagram.posts[0] ?? {}, { settings: { post_type: 'post' } })
    expect((await call('POST', '/posts', instagram)).body).toMatchObject({ provider: 'instagram' })
    expect((await call('POST', '/posts', postBody(channel, { content: '&'.repeat(101) }))).body).toEqual({
      statusCode: 400,
      provider: 'threads',
      name: 'Our threads',
      message: 'post is too long, please fix it',
    })
    const draft = postBody(channel, { content: '&'.repeat(101) }, { type: 'draft' })
    expect(await call('POST', '/posts', draft)).toMatchObject({ status: 201 })
  })

  it('requires the settings of each platform', async () => {
    const { call, addChannel } = await startPostiz()
    const create = async (identifier: string, settings: object) => {
      const body = postBody(addChannel({ identifier }), {}, { type: 'draft' })
      Object.assign(body.posts[0] ?? {}, { settings })
      const { status, body: answer } = await call('POST', '/posts', body)
      return status === 201 ? [] : answer.message.map((message: string) => message.split(' ')[0])
    }
    expect(await create('x', { who_can_reply_post: 'nobody' })).toEqual([
      'posts.0.settings.who_can_reply_post',
    ])
    expect(await create('instagram', { post_type: 'reel' })).toEqual(['posts.0.settings.post_type'])
    expect(await create('tiktok', {})).toHaveLength(8)
    expect(await create('reddit', { subreddit: [] })).toEqual(['posts.0.settings.subreddit'])
    expect(await create('youtube', { title: 'A', type: 'public' })).toEqual(['posts.0.settings.title'])
    expect(await create('pinterest', { board: '1' })).toEqual([])
    expect(await create('linkedin', {})).toEqual([])
  })

  it('schedules posts of an unknown type', async () => {
    const { call, channel, posts } = await startPostiz()
    await call('POST', '/posts', postBody(channel, {}, { type: 'later' }))
    await call('POST', '/posts', postBody(channel, {}, { type: 'draft' }))
    expect(posts.map(({ state }) => state)).toEqual(['QUEUE', 'DRAFT'])
  })

  it('reads dates without a zone as UTC, and answers 500 for some ISO formats', async () => {
    const { call, channel, posts } = await startPostiz()
    const create = (date: string) => call('POST', '/posts', postBody(channel, {}, { date }))
    for (const date of ['2026-12-01T10:00', '2026-12-01', '2026-02-30T00:00:00.5Z']) await create(date)
    expect(posts.map(({ publishDate }) => publishDate.toISOString())).toEqual([
      '2026-12-01T10:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
      '2026-03-02T00:00:00.500Z',
    ])
    for (const date of ['2026-W49-1', '20261201T100000Z']) {
      expect(await create(date)).toMatchObject({ status: 500 })
    }
  })

  it("answers 500 for text that it can't store, and keeps the entries before it", async () => {
    const { call, channel, posts } = await startPostiz()
    const body = postBody(channel)
    body.posts.push(...postBody(channel, { content: 'a\0' }).posts)
    expect(await call('POST', '/posts', body)).toMatchObject({ status: 500 })
    expect(posts).toHaveLength(1)
  })

  it('rejects bodies over 100 KiB', async () => {
    const { call, channel } = await startPostiz()
    const { status, body } = await call('POST', '/posts', postBody(channel, { content: 'x'.repeat(102_400) }))
    expect([status, body]).toEqual([413, { statusCode: 413, message: 'request entity too large' }])
  })

  it('lists the posts in a time window, including both ends', async () => {
    const { call, channel, list } = await startPostiz()
    await call('POST', '/posts', postBody(channel, {}, { date: '2026-12-01' }))
    expect(await list('startDate=2026-12-01&endDate=2026-12-01')).toHaveLength(1)
    expect(await list('startDate=2026-11-01&endDate=2026-11-30')).toHaveLength(0)
    expect(await list('startDate=2026-12-02&endDate=2026-11-01')).toHaveLength(0)
    expect(await call('GET', '/posts?display=week')).toMatchObject({ status: 400 })
    channel.deleted = true
    expect(await list()).toHaveLength(0)
  })

  it('publishes due posts only with publishPost or autoPublish', async () => {
    for (const autoPublish of [false, true]) {
      const { call, channel, clock, list, publishPost } = await startPostiz({ autoPublish })
      const { body } = await call('POST', '/posts', postBody(channel))
      expect(await list()).toMatchObject([{ state: 'QUEUE' }])
      clock.set(new Date('2026-12-01T08:00:00Z'))
      if (!autoPublish) {
        expect(await list()).toMatchObject([{ state: 'QUEUE' }])
        publishPost(body[0].postId, { releaseURL: 'https://threads.example/1' })
      }
      expect(await list()).toMatchObject([{ state: 'PUBLISHED', releaseURL: expect.any(String) }])
    }
  })

  it('accepts posts for disabled and expired channels, but fails to publish them', async () => {
    const { call, addChannel, list } = await startPostiz()
    for (const problem of [{ disabled: true }, { refreshNeeded: true }]) {
      const channel = addChannel({ identifier: 'threads', ...problem })
      const body = postBody(channel, {}, { date: '2026-01-01' })
      expect(await call('POST', '/posts', body)).toMatchObject({ status: 201 })
    }
    expect(await list()).toMatchObject([{ state: 'ERROR' }, { state: 'ERROR' }])
    const { body } = await call('GET', '/notifications')
    expect(body).toMatchObject({ total: 2, limit: 100, hasMore: false })
    expect(body.notifications[1].content).toContain("because it's disabled")
  })

  it('shows an error only in the notifications', async () => {
    const { call, channel, list, posts, failPost, notifications } = await startPostiz()
    await call('POST', '/posts', postBody(channel))
    failPost(posts[0]?.id ?? '', { error: 'Duplicate content' })
    expect(await list()).toMatchObject([{ state: 'ERROR', releaseURL: null }])
    expect(JSON.stringify(await list())).not.toContain('Duplicate')
    expect(notifications[0]?.content).toBe('An error occurred while posting on threads: Duplicate content')
  })

  it('edits a post by its id, and moves the timer unless it is an update', async () => {
    const { call, channel, posts, publishPost } = await startPostiz()
    await call('POST', '/posts', postBody(channel))
    const { id, group } = posts[0] ?? { id: '' }
    const edit = (type: string, date: string) =>
      call('POST', '/posts', postBody(channel, { id }, { type, date }))
    await edit('update', '2026-12-02')
    expect(posts[0]?.dueAt?.toISOString()).toBe('2026-12-01T08:00:00.000Z')
    await edit('schedule', '2026-12-03')
    expect(posts).toMatchObject([{ id, dueAt: new Date('2026-12-03') }])
    expect(posts[0]?.group).not.toBe(group)
    publishPost(id)
    const { status, body } = await edit('schedule', '2026-12-04')
    expect([status, body.message]).toEqual([400, expect.stringContaining('already published')])
  })

  it('answers error: true when it deletes a post, and 500 the second time', async () => {
    const { call, channel, posts, list } = await startPostiz()
    await call('POST', '/posts', postBody(channel))
    const path = `/posts/${posts[0]?.id}`
    expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { error: true } })
    expect(await list()).toEqual([])
    expect(await call('DELETE', path)).toMatchObject({ status: 500 })
    expect(await call('DELETE', '/posts/group/none')).toMatchObject({ status: 200 })
    expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: 'Not Found' } })
  })

  it('blocks requests for a full hour after too many posts', async () => {
    const { call, channel, clock, upload } = await startPostiz({ limit: 1 })
    const { headers } = await call('POST', '/posts', {})
    const names = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`)
    expect(names.map((name) => headers.get(name))).toEqual(['1', '0', '3600'])
    clock.advance(3_000_000)
    const blocked = await call('POST', '/posts', postBody(channel))
    expect(blocked.body).toEqual({ statusCode: 429, message: 'ThrottlerException: Too Many Requests' })
    expect([blocked.headers.get('retry-after'), blocked.headers.has('x-ratelimit-limit')]).toEqual([
      '3600',
      false,
    ])
    expect(await upload(createForm('file', PNG))).toMatchObject({ status: 201 })
    clock.advance(3_599_000)
    expect(await call('POST', '/posts', postBody(channel))).toMatchObject({ status: 429 })
    clock.advance(1000)
    expect(await call('POST', '/posts', postBody(channel))).toMatchObject({ status: 201 })
  })

  it('judges uploads by their bytes', async () => {
    const { upload, uploads, call, url } = await startPostiz()
    const { body } = await upload(createForm('file', MP4))
    expect(body.path).toMatch(new RegExp(`^${url}/uploads/2026/11/20/.+\\.mp4$`))
    expect(uploads[0]).toMatchObject({ bytes: MP4, name: 'launch.png', type: 'mp4' })
    expect(Buffer.from(await (await fetch(body.path)).arrayBuffer())).toEqual(MP4)
    const reject = async (form: FormData) => (await upload(form)).body.message
    expect(await reject(createForm('file', MOV))).toBe('Unsupported file type.')
    expect(await reject(createForm('file', LARGE_PNG))).toContain('maximum allowed size of 10485760 bytes')
    expect(await reject(createForm('media', PNG))).toBe('Unexpected field - media')
    expect((await call('POST', '/upload', {})).body).toEqual({ msg: 'No file provided' })
  })

  it.each([
    ['threads', 'a & b\n&copy=1', 'a & b\n&copy=1'],
    ['threads', 'I <3 you & me', 'I &lt;3 you &amp; me'],
    ['threads', '<p>one</p><p>two</p><p></p><p>x</p>', 'one\ntwo\n\nx'],
    ['threads', '<p>one</p>\n<p>two</p>', 'one\n\ntwo'],
    ['threads', '<p>one<br>two</p>', 'onetwo'],
    ['threads', '<p>a\nb &lt;c&gt; &amp;amp;</p>', 'a\nb <c> &amp;'],
    ['threads', '<p class="x">one</p>', '<p class="x">one</p>'],
    ['threads', '<p>see <a href="https://a.example">this</a></p>', 'see https://a.example'],
    ['x', '<p>if a &lt;b and c&gt;</p>', 'if a '],
    ['x', '<p>a &amp;lt;b&amp;gt; &amp; ?a=1&amp;amp;copy=2</p>', 'a <b> & ?a=1&copy=2'],
    ['x', '<p>?a=1&amp;copy=2</p>', '?a=1©=2'],
    ['telegram', '<p>if a &lt;b and c&gt;</p>', 'if a '],
    ['telegram', 'a &lt;b&gt;\n&amp;lt; &copy=1', 'a <b>\n&lt; &copy=1'],
    ['telegram', '<p>a\nb</p>', '<p>a\nb</p>'],
  ])('publishes on %s the text %j as %j', async (identifier, content, published) => {
    const { call, addChannel, posts } = await startPostiz()
    const body = postBody(addChannel({ identifier }), { content })
    Object.assign(body.posts[0] ?? {}, { settings: { who_can_reply_post: 'everyone' } })
    expect(await call('POST', '/posts', body)).toMatchObject({ status: 201 })
    expect(posts).toMatchObject([{ content, published }])
  })

  it('plans faults for writes and for other requests separately', async () => {
    const { call, channel, plan, planOthers, posts, list } = await startPostiz()
    plan(({ index }) =>
      index === 0
        ? { kind: 'status', status: 401, body: '' }
        : { kind: 'status', status: 200, body: '<html>', contentType: 'text/html' },
    )
    expect(await call('POST', '/posts', postBody(channel))).toMatchObject({ status: 401, body: '' })
    expect(await call('POST', '/posts', postBody(channel))).toMatchObject({ status: 200, body: '<html>' })
    expect(await list()).toEqual([])
    planOthers(({ route }) => ({ kind: 'status', status: 503, description: route }))
    expect((await call('GET', '/posts')).body).toEqual({ statusCode: 503, message: 'GET /posts' })
    expect(posts).toEqual([])
  })

  it('creates the post if the response is lost, but not if the request is dropped', async () => {
    const { call, channel, plan, posts } = await startPostiz()
    plan(({ index }) => ({ kind: index === 0 ? 'dropped' : 'lost' }))
    await expect(call('POST', '/posts', postBody(channel))).rejects.toThrow()
    expect(posts).toHaveLength(0)
    await expect(call('POST', '/posts', postBody(channel))).rejects.toThrow()
    expect(posts).toHaveLength(1)
  })

  it('creates the post once a hanging request is released, even if the client has gone', async () => {
    const { url, key, channel, plan, posts, release, requests } = await startPostiz()
    plan(() => ({ kind: 'hang' }))
    const controller = new AbortController()
    const request = fetch(`${url}/public/v1/posts`, {
      method: 'POST',
      headers: { authorization: key, 'content-type': 'application/json' },
      body: JSON.stringify(postBody(channel)),
      signal: controller.signal,
    })
    await expect.poll(() => requests.length).toBe(1)
    controller.abort()
    await expect(request).rejects.toThrow()
    expect([requests.length, posts.length]).toEqual([1, 0])
    await release()
    expect(posts).toHaveLength(1)
  })
})
