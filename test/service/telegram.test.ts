import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { drawNoise, filmVideo, takePhoto } from '../bot/media/sample-files.ts'
import { waitUntil } from '../support/clock.ts'
import type { Fault } from '../support/fake-network.ts'
import { startHttpServer, startTcpServer, unreachableUrl } from '../support/servers.ts'
import { cert, key } from '../support/tls-certificate.ts'
import { CHAT, createChat } from './publishing-networks.ts'
import {
  DELICATE_TEXT,
  MINUTE_MS,
  type PublishingProject,
  SECOND_MS,
  startPublishingProject,
} from './publishing-project.ts'

const PROXY_PAGE = { contentType: 'text/html', body: '<h1>Not Telegram</h1>' }
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n')
const PHOTOSHOP_FILE = Buffer.from('8BPS\0\x01\0\0\0\0\0\0\0\x03\0\0\0\x01\0\0\0\x01\0\x08\0\x03', 'latin1')

/** Expects that no job is left that could repeat a request. */
async function expectNoRepetition({ service, telegram }: PublishingProject) {
  const requests = telegram.requests.length
  await waitUntil(async () => (await service.pool.query('select from service.job')).rowCount === 0)
  expect(telegram.requests).toHaveLength(requests)
}

/** A server whose certificate nothing trusts. */
async function startUntrustedServer() {
  const server = createServer({ key, cert }, (_request, response) => response.end())
  const { url, close } = await startTcpServer((socket: Socket) => void server.emit('connection', socket))
  return { url: url.replace('http:', 'https:'), close }
}

describe('publishing on Telegram', () => {
  it('publishes the text as it is, and records the link', async () => {
    const project = await startPublishingProject()
    const post = await project.publish({ Content: DELICATE_TEXT })
    expect(project.telegram.sent.map(({ text }) => text)).toEqual([DELICATE_TEXT])
    // With another parameter, such as a parse mode, Telegram would show something else.
    const parameters = { chat_id: String(CHAT), text: DELICATE_TEXT }
    expect(project.telegram.requests.map((request) => request.parameters)).toEqual([parameters])
    expect(post).toMatchObject({
      Status: 'PUBLISHED',
      Results: [
        {
          Platform: 'TELEGRAM',
          Account: 'Acme',
          State: 'PUBLISHED',
          Error: null,
          Link: `https://t.me/acme/${project.telegram.sent[0]?.messageId}`,
        },
      ],
    })
  })

  it('links to the post in a private channel for its members', async () => {
    const project = await startPublishingProject()
    const { username: _, ...chat } = createChat()
    project.telegram.addChat(chat)
    const post = await project.publish({ Content: 'Launch day' })
    expect(post.Results[0].Link).toBe('https://t.me/c/1234567890/1')
  })

  it('publishes the text of the template if the post has none', async () => {
    const project = await startPublishingProject()
    const { rows } = await project.service.pool.query(
      `insert into service.template (project_id, title, content) values ($1, 'Launch', 'We launch!') returning id`,
      [project.project_id],
    )
    await project.publish({ TemplateId: rows[0].id })
    expect(project.telegram.sent).toMatchObject([{ text: 'We launch!' }])
  })

  it('fails a post with neither text nor media', async () => {
    const project = await startPublishingProject()
    const { rows } = await project.service.pool.query(
      `insert into service.prompt (project_id, title, prompt_text) values ($1, 'Launch', 'Write!') returning id`,
      [project.project_id],
    )
    const post = await project.publish({ PromptId: rows[0].id })
    expect(post).toMatchObject({ Status: 'FAILED', Results: [{ Error: expect.stringContaining('neither') }] })
  })

  it('publishes the posts of a channel in the order of their dates', async () => {
    const project = await startPublishingProject()
    const date = (seconds: number) =>
      new Date(project.clock.now().getTime() + seconds * SECOND_MS).toISOString()
    for (const seconds of [3, 1, 2])
      await project.createPost({ Content: `Second ${seconds}`, ScheduleDate: date(seconds) })
    project.clock.advance(3 * SECOND_MS)
    await waitUntil(() => project.telegram.sent.length === 3)
    expect(project.telegram.sent.map(({ text }) => text)).toEqual(['Second 1', 'Second 2', 'Second 3'])
  })

  it.each([
    [4096, 'x'.repeat(4096)],
    [4096, '🚀'.repeat(2048)],
  ])('publishes %d UTF-16 units', async (_length, Content) => {
    const project = await startPublishingProject()
    await project.publish({ Content })
    expect(project.telegram.sent).toMatchObject([{ text: Content }])
  })

  it.each(['x'.repeat(4097), `${'🚀'.repeat(2048)}!`])(
    'fails a text of more than 4,096 units',
    async (Content) => {
      const project = await startPublishingProject()
      const post = await project.publish({ Content })
      const error = 'the text has 4097 characters, but Telegram allows up to 4096'
      expect(post).toMatchObject({ Status: 'FAILED', Results: [{ State: 'FAILED', Error: error }] })
      expect(project.telegram.requests).toEqual([])
      expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED' })
    },
  )
})

describe('publishing a file on Telegram', () => {
  it.each([
    ['photo.jpg', 'sendPhoto', () => takePhoto()],
    ['image.png', 'sendPhoto', () => drawNoise(20, 20, 'png')],
    ['loop.gif', 'sendAnimation', () => drawNoise(20, 20, 'gif')],
    ['film.mp4', 'sendVideo', () => filmVideo(1)],
    ['paper.pdf', 'sendDocument', () => PDF],
  ])('sends the bytes of %s with %s', async (name, method, create) => {
    const project = await startPublishingProject()
    const bytes = await create()
    const post = await project.publish({ Content: DELICATE_TEXT, Media: project.files.add(name, bytes) })
    expect(post.Results).toMatchObject([{ State: 'PUBLISHED', Error: null }])
    expect(project.telegram.sent).toMatchObject([{ method, text: DELICATE_TEXT, file: { name, bytes } }])
    const [request] = project.telegram.requests
    expect(Object.keys(request?.parameters ?? {})).toEqual(['chat_id', 'caption'])
  })

  it('sends an image that Telegram cannot show as a document', async () => {
    const project = await startPublishingProject()
    await project.publish({ Media: project.files.add('draft.psd', PHOTOSHOP_FILE) })
    expect(project.telegram.sent).toMatchObject([{ method: 'sendDocument' }])
  })

  it('sends an image that is too large for a photo as a document', async () => {
    const project = await startPublishingProject()
    const image = Buffer.concat([await drawNoise(20, 20, 'png'), Buffer.alloc(10e6)])
    await project.publish({ Media: project.files.add('large.png', image) })
    expect(project.telegram.sent).toMatchObject([{ method: 'sendDocument' }])
  })

  it('sends a photo whose width and height are too large for Telegram as a document', async () => {
    const project = await startPublishingProject()
    const description = 'Bad Request: PHOTO_INVALID_DIMENSIONS'
    project.telegram.plan(({ index }) =>
      index === 0 ? { kind: 'status', status: 400, description } : undefined,
    )
    const Media = project.files.add('photo.jpg', await takePhoto())
    expect(await project.publish({ Content: 'Our lamp', Media })).toMatchObject({ Status: 'PUBLISHED' })
    expect(project.telegram.requests.map(({ method }) => method)).toEqual(['sendPhoto', 'sendDocument'])
    expect(project.telegram.sent).toMatchObject([{ method: 'sendDocument', text: 'Our lamp' }])
  })

  it('publishes a file without a text', async () => {
    const project = await startPublishingProject()
    await project.publish({ Media: project.files.add('photo.jpg', await takePhoto()) })
    expect(project.telegram.sent).toMatchObject([{ method: 'sendPhoto', text: '' }])
  })

  it('publishes a caption of 1,024 UTF-16 units, and fails one of 1,025', async () => {
    const project = await startPublishingProject()
    const Media = project.files.add('photo.jpg', await takePhoto())
    const longest = '🚀'.repeat(512)
    expect(await project.publish({ Content: longest, Media })).toMatchObject({ Status: 'PUBLISHED' })
    const failed = await project.publish({ Content: `${longest}!`, Media })
    const error = 'the text has 1025 characters, but Telegram allows up to 1024 with a media file'
    expect(failed).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
    expect(project.telegram.sent).toMatchObject([{ text: longest }])
  })

  it('fails a file of more than 50 MB', async () => {
    const project = await startPublishingProject()
    const large = Buffer.concat([PDF, Buffer.alloc(50e6)])
    const post = await project.publish({ Media: project.files.add('large.pdf', large) })
    expect(post.Results).toMatchObject([
      { State: 'FAILED', Error: 'the file is 51 MB, but Telegram allows up to 50 MB' },
    ])
  })

  it.each([
    ['a web page', '<!doctype html><p>This link has expired.</p>'],
    ['XHTML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>'],
    ['JSON', '{"error":"This link has expired"}'],
    ['text', 'This link has expired'],
  ])('fails %s in place of the file', async (_name, body) => {
    const project = await startPublishingProject()
    const Media = project.files.add('lamp.jpg', Buffer.from(body))
    const post = await project.publish({ Content: 'Launch', Media })
    const error = 'the media link leads to a web page or to a file of an unknown type'
    expect(post).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
    expect(project.telegram.requests).toEqual([])
  })

  it('is not published if its account was disconnected while the file was fetched', async () => {
    const photo = await takePhoto()
    let send = () => {}
    const server = await startHttpServer((_request, response) => {
      send = () => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo)
    })
    onTestFinished(() => server.close())
    const project = await startPublishingProject({
      publishing: { ownMediaPrefixes: [`${server.url}/media/`] },
    })
    const id = await project.schedule({ Content: 'Launch', Media: `${server.url}/media/lamp.jpg` })
    await waitUntil(() => server.received.length > 0)
    await project.service.pool.query('update service.account set is_connected = false')
    send()
    const error = 'the account was disconnected'
    expect(await project.settle(id)).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
    expect(project.telegram.sent).toEqual([])
  })

  it('fails a file that is gone', async () => {
    const project = await startPublishingProject()
    const post = await project.publish({
      Content: 'Launch day',
      Media: `${project.files.url}/media/gone.png`,
    })
    const error = "the media file's server responded with 404"
    expect(post).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
    expect(project.telegram.requests).toEqual([])
  })

  it.each([500, 503, 429, 408])(
    'tries again while the server of the file responds with %d',
    async (status) => {
      const project = await startPublishingProject()
      const Media = project.files.add('photo.jpg', await takePhoto())
      project.files.fail({ status })
      const id = await project.schedule({ Media })
      await project.waitForError(id, `responded with ${status}`)
      project.files.fail(undefined)
      expect(await project.skipPauses(id)).toEqual([5])
      expect(await project.getPost(id)).toMatchObject({ Status: 'PUBLISHED', Results: [{ Error: null }] })
    },
  )

  it('fails after an hour if the server of the file stays down', async () => {
    const project = await startPublishingProject()
    project.files.fail({ status: 503 })
    const id = await project.schedule({ Media: `${project.files.url}/media/photo.jpg` })
    await project.skipPauses(id)
    const error = "gave up: the media file's server responded with 503"
    expect(await project.getPost(id)).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
  })

  it.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1'])(
    'does not fetch a file at the private address %s',
    async (hostname) => {
      const project = await startPublishingProject()
      const link = project.files.add('secret.png', await drawNoise(20, 20, 'png'), 'other')
      const post = await project.publish({ Content: 'Launch', Media: link.replace('127.0.0.1', hostname) })
      const error = 'the media file is at a private address'
      expect(post).toMatchObject({ Status: 'FAILED', Results: [{ Error: error }] })
      expect(project.files.received).toEqual([])
    },
  )

  it("does not fetch a private file through a path of Upnext's own files", async () => {
    const project = await startPublishingProject()
    project.files.add('secret.png', await drawNoise(20, 20, 'png'), 'other')
    const Media = `${project.files.url}/media/../other/secret.png`
    expect(await project.publish({ Media })).toMatchObject({ Status: 'FAILED' })
    expect(project.files.received).toEqual([])
  })

  it("follows no redirect of Upnext's own files", async () => {
    const project = await startPublishingProject()
    const location = project.files.add('secret.png', await drawNoise(20, 20, 'png'), 'other')
    project.files.fail({ status: 302, location })
    const id = await project.schedule({ Media: `${project.files.url}/media/photo.jpg` })
    await project.waitForError(id, "couldn't be downloaded")
    expect(project.files.received.map(({ url }) => url)).toEqual(['/media/photo.jpg'])
  })
})

describe('a temporary failure of Telegram', () => {
  const temporary: [string, Fault][] = [
    ['429 with Retry-After', { kind: 'status', status: 429, retryAfter: 7 }],
    ['429 without Retry-After', { kind: 'status', status: 429 }],
    ['the page of a proxy with 403', { kind: 'status', status: 403, ...PROXY_PAGE }],
    ['the page of a proxy with 404', { kind: 'status', status: 404, ...PROXY_PAGE }],
    ['the page of a proxy with 429', { kind: 'status', status: 429, ...PROXY_PAGE }],
  ]

  it.each(temporary)('publishes once after %s', async (_case, fault) => {
    const project = await startPublishingProject()
    project.telegram.plan(({ index }) => (index === 0 ? fault : undefined))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'PUBLISHED', Error: null }],
    })
    expect(project.telegram.sent).toHaveLength(1)
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED' })
  })

  it('waits as long as Retry-After says, and 30 seconds without one', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(({ index }) =>
      index < 2 ? { kind: 'status', status: 429, ...(index === 0 && { retryAfter: 700 }) } : undefined,
    )
    const id = await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPauses(id)).toEqual([700, 30])
  })

  it('keeps the other posts of the account waiting for the limit', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(({ index }) =>
      index === 0 ? { kind: 'status', status: 429, retryAfter: 700 } : undefined,
    )
    const first = await project.schedule({ Content: 'First' })
    await project.waitForError(first, 'Too Many Requests')
    const second = await project.schedule({ Content: 'Second' })
    await project.waitForError(second, "waiting for the network's rate limit")
    expect(project.telegram.requests).toHaveLength(1)
    await project.skipPause()
    await Promise.all([first, second].map(project.settle))
    expect(project.telegram.sent.map(({ text }) => text)).toEqual(['First', 'Second'])
  })

  it('keeps a post for two hours while Telegram limits the bot, then fails it', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(() => ({ kind: 'status', status: 429, retryAfter: 1800 }))
    const id = await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPauses(id)).toEqual([1800, 1800, 1800, 1800])
    expect(await project.getPost(id)).toMatchObject({
      Status: 'FAILED',
      Results: [{ Error: 'gave up: Too Many Requests: retry after 1800' }],
    })
  })

  it.each(['without', 'with'])(
    'tries for an hour with growing pauses to reach Telegram, for a post %s a file',
    async (withFile) => {
      const telegramApiUrl = await unreachableUrl()
      const project = await startPublishingProject({ publishing: { telegramApiUrl } })
      const Media = withFile === 'with' ? project.files.add('photo.jpg', await takePhoto()) : ''
      const id = await project.schedule({ Content: 'Launch day', Media })
      expect(await project.skipPauses(id)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
      expect(await project.getPost(id)).toMatchObject({
        Status: 'FAILED',
        PublishedAt: null,
        Results: [{ State: 'FAILED', Error: "gave up: Telegram couldn't be reached" }],
      })
    },
  )

  it('tries again if the certificate of Telegram is invalid', async () => {
    const server = await startUntrustedServer()
    onTestFinished(server.close)
    const project = await startPublishingProject({ publishing: { telegramApiUrl: server.url } })
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, "couldn't be reached")
    expect(await project.getPost(id)).toMatchObject({ Status: 'SCHEDULED' })
  })

  it('tries again with a file if the certificate of Telegram is invalid', async () => {
    const server = await startUntrustedServer()
    onTestFinished(server.close)
    const project = await startPublishingProject({ publishing: { telegramApiUrl: server.url } })
    const id = await project.schedule({ Media: project.files.add('photo.jpg', await takePhoto()) })
    await waitUntil(async () => Boolean((await project.getPost(id)).Results?.[0].Error))
    expect(await project.getPost(id)).toMatchObject({ Status: 'SCHEDULED' })
  })

  it('follows a group to the supergroup that replaced it', async () => {
    const project = await startPublishingProject()
    const newId = -1009876543210
    project.telegram.addChat(createChat({ migratedTo: newId }))
    project.telegram.addChat(createChat({ id: newId, type: 'supergroup', username: 'acme_group' }))
    await project.publish({ Content: 'First' })
    await project.publish({ Content: 'Second' })
    expect(project.telegram.sent).toMatchObject([
      { chat: newId, text: 'First' },
      { chat: newId, text: 'Second' },
    ])
    expect(project.telegram.requests.map(({ chat }) => chat)).toEqual(
      [String(CHAT), newId, newId].map(String),
    )
  })

  it('follows no redirect', async () => {
    const project = await startPublishingProject()
    const other = await startHttpServer((_request, response) => void response.end('{"ok":true}'))
    project.telegram.plan(() => ({ kind: 'redirect', to: other.url }))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, 'responded with 307')
    expect(other.received).toEqual([])
    await other.close()
  })
})

describe('a permanent failure of Telegram', () => {
  const permanent: [string, (project: PublishingProject) => void, string][] = [
    [
      'a revoked token',
      ({ telegram }) => telegram.plan(() => ({ kind: 'status', status: 401, description: 'Unauthorized' })),
      'Unauthorized',
    ],
    [
      'a malformed token',
      ({ telegram }) => telegram.plan(() => ({ kind: 'status', status: 404, description: 'Not Found' })),
      'Not Found',
    ],
    [
      'a chat that is gone',
      ({ telegram }) =>
        telegram.plan(() => ({ kind: 'status', status: 400, description: 'Bad Request: chat not found' })),
      'chat not found',
    ],
    [
      'a bot that was removed',
      ({ telegram }) => telegram.addChat(createChat({ botStatus: 'kicked' })),
      'bot was kicked from the channel chat',
    ],
    [
      'a bot that may not post',
      ({ telegram }) => telegram.addChat(createChat({ botStatus: 'member' })),
      'need administrator rights in the channel chat',
    ],
  ]

  it.each(permanent)(
    'fails immediately after %s, and flags the account until a post succeeds',
    async (_case, breakAccount, error) => {
      const project = await startPublishingProject()
      breakAccount(project)
      const failed = await project.publish({ Content: 'Lost' })
      expect(failed).toMatchObject({
        Status: 'FAILED',
        PublishedAt: null,
        Results: [{ State: 'FAILED', Error: error }],
      })
      await waitUntil(async () => (await project.getAccount()).State === 'NEEDS_ATTENTION')
      expect((await project.getAccount()).Problem).toMatch(/\.$/)
      await expectNoRepetition(project)

      project.telegram.addChat(createChat())
      project.telegram.plan(() => undefined)
      await project.publish({ Content: 'Launch day' })
      await waitUntil(async () => (await project.getAccount()).State === 'CONNECTED')
      expect(project.telegram.sent).toMatchObject([{ text: 'Launch day' }])
    },
  )

  it('says what to do when the bot was removed', async () => {
    const project = await startPublishingProject()
    project.telegram.addChat(createChat({ botStatus: 'kicked' }))
    await project.publish({ Content: 'Lost' })
    await waitUntil(async () => (await project.getAccount()).State === 'NEEDS_ATTENTION')
    expect((await project.getAccount()).Problem).toMatch(/\b(add|make|connect|ask)\b/i)
  })

  it('fails a rejected post without blaming the account', async () => {
    const project = await startPublishingProject()
    const description = 'Bad Request: message text is empty'
    project.telegram.plan(() => ({ kind: 'status', status: 400, description }))
    const post = await project.publish({ Content: 'Launch day' })
    expect(post.Results).toMatchObject([{ State: 'FAILED', Error: 'message text is empty' }])
    await expectNoRepetition(project)
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED', Problem: null })
  })
})

describe('a response of Telegram that leaves the result unknown', () => {
  const unclear: [string, Fault, number][] = [
    ['a connection that closes after the request', { kind: 'lost' }, 1],
    ['a connection that closes before the request is processed', { kind: 'dropped' }, 0],
    ['an internal error', { kind: 'status', status: 500 }, 0],
    ['the page of a proxy with 502', { kind: 'status', status: 502, ...PROXY_PAGE }, 0],
    ['a page with 200', { kind: 'status', status: 200, ...PROXY_PAGE }, 0],
    ['an empty response with 200', { kind: 'status', status: 200, body: '' }, 0],
  ]

  const cases = unclear.flatMap(([name, fault, sent]) => [
    { name, fault, sent, file: undefined },
    ...(sent || fault.kind === 'dropped' ? [{ name, fault, sent, file: 'photo.jpg' }] : []),
  ])

  it.each(cases)(
    'leaves the decision to a person after $name (with a file: $file)',
    async ({ fault, sent, file }) => {
      const project = await startPublishingProject()
      project.telegram.plan(() => fault)
      const Media = file ? project.files.add(file, await takePhoto()) : ''
      const post = await project.publish({ Content: 'Launch day', Media })
      expect(post).toMatchObject({
        Status: 'PUBLISHED',
        Results: [{ State: 'UNKNOWN', Error: expect.stringMatching(/^Telegram /) }],
      })
      await expectNoRepetition(project)
      expect(project.telegram.sent).toHaveLength(sent)
    },
  )

  it('stores a request before it is sent', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(() => ({ kind: 'hang' }))
    await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => project.telegram.sent.length === 1)
    const { rows } = await project.service.pool.query(
      "select results->0->>'sent_at' as sent_at from service.post",
    )
    expect(rows).toEqual([{ sent_at: project.clock.now().toISOString() }])
  })

  it('does not repeat a request of a killed run', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(({ index }) => (index === 0 ? { kind: 'hang' } : undefined))
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => project.telegram.sent.length === 1)
    await project.startInstance()
    // The first run loses its lease, as if its process had ended.
    project.clock.advance(MINUTE_MS)
    expect(await project.settle(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'UNKNOWN', Error: 'Upnext was interrupted while it was publishing' }],
    })
    expect(project.telegram.sent).toHaveLength(1)

    await project.telegram.release()
    await waitUntil(async () => (await project.getPost(id)).Results[0].State === 'PUBLISHED')
    expect(project.telegram.requests).toHaveLength(1)
  })

  it('does not repeat a stored request', async () => {
    const project = await startPublishingProject()
    await project.pauseAccounts()
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.leaveRequestBehind(id)
    await project.skipPauses(id)
    expect((await project.getPost(id)).Results).toMatchObject([{ State: 'UNKNOWN' }])
    await expectNoRepetition(project)
    expect(project.telegram.requests).toEqual([])
  })

  it('leaves a stored request to a person even if the account was disconnected', async () => {
    const project = await startPublishingProject()
    await project.pauseAccounts()
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.leaveRequestBehind(id)
    await project.service.pool.query('update service.account set is_connected = false')
    await project.skipPauses(id)
    expect((await project.getPost(id)).Results).toMatchObject([{ State: 'UNKNOWN' }])
  })
})
