import { describe, expect, it } from 'vitest'
import { deleteAccount } from '../../src/service/stores/accounts-store.ts'
import { drawNoise, filmVideo, takePhoto } from '../bot/media/sample-files.ts'
import { waitUntil } from '../support/clock.ts'
import type { Fault } from '../support/fake-network.ts'
import type { PostizPost } from '../support/fake-postiz.ts'
import { startHttpServer, unreachableUrl } from '../support/servers.ts'
import {
  DELICATE_TEXT,
  HOUR_MS,
  MINUTE_MS,
  type PublishingProject,
  SECOND_MS,
  startPublishingProject,
} from './publishing-project.ts'

const PROXY_PAGE = { contentType: 'text/html', body: '<h1>Not Postiz</h1>' }

type Options = Parameters<typeof startPublishingProject>[0]

/** A project that publishes on a Postiz channel only. */
const startProject = ({ identifier = 'threads', ...options }: Options & { identifier?: string } = {}) =>
  startPublishingProject({ hasTelegram: false, channels: [{ identifier }], ...options })

const countRequests = ({ postiz }: PublishingProject, route: string) =>
  postiz.requests.filter(({ method, path }) => `${method} ${path}`.startsWith(route)).length

const countPostRequests = (project: PublishingProject) => countRequests(project, 'POST /posts')

/** Waits until Postiz has the post of a request. */
async function findSent(project: PublishingProject): Promise<PostizPost> {
  await waitUntil(() => project.postiz.posts.length > 0)
  return project.postiz.posts[0] as PostizPost
}

const findResult = async (project: PublishingProject, id: string) => (await project.getPost(id)).Results[0]

describe('publishing through Postiz', () => {
  const channels: [string, ('photo.jpg' | 'film.mp4')?][] = [
    ['x'],
    ['linkedin'],
    ['linkedin-page'],
    ['facebook'],
    ['threads'],
    ['telegram'],
    ['reddit'],
    ['instagram', 'photo.jpg'],
    ['instagram-standalone', 'photo.jpg'],
    ['pinterest', 'photo.jpg'],
    ['tiktok', 'photo.jpg'],
    ['tiktok-business', 'photo.jpg'],
    ['youtube', 'film.mp4'],
  ]

  it.each(channels)('publishes the text as it is on %s, and records the link', async (identifier, file) => {
    const project = await startProject({ identifier, postiz: { autoPublish: true } })
    const Media = file
      ? project.files.add(file, file === 'film.mp4' ? await filmVideo(1) : await takePhoto())
      : ''
    const id = await project.schedule({ Content: DELICATE_TEXT, Media })
    await project.skipPauses(id)
    const [sent] = project.postiz.posts
    expect(project.postiz.posts.map(({ published }) => published)).toEqual([DELICATE_TEXT])
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'PUBLISHED', Account: `Our ${identifier}`, Error: null, Link: sent?.releaseURL }],
    })
  })

  it.each(['threads', 'x', 'telegram'])('keeps empty lines and spaces on %s', async (identifier) => {
    const project = await startProject({ identifier })
    const Content = 'Launch\n\n\n  indented & <i>\n&lt\n& x && y&z &#38;\n<3 \n.'
    await project.schedule({ Content })
    expect((await findSent(project)).published).toBe(Content)
  })

  it('uploads the bytes of the file, with its description', async () => {
    const project = await startProject({ identifier: 'facebook' })
    const bytes = await takePhoto()
    const Media = project.files.add('photo.jpg', bytes)
    await project.schedule({ Content: 'Launch day', Media, MediaDescription: 'Ada waves "hello" & smiles' })
    const { image } = await findSent(project)
    expect(project.postiz.uploads).toMatchObject([{ bytes, name: 'photo.jpg' }])
    expect(image).toMatchObject([
      { path: project.postiz.uploads[0]?.path, alt: 'Ada waves "hello" & smiles' },
    ])
  })

  it.each(['png', 'webp', 'gif'] as const)('uploads a file of the type %s', async (type) => {
    const project = await startProject()
    const bytes = await drawNoise(20, 20, type)
    await project.schedule({ Media: project.files.add(`image.${type}`, bytes) })
    await findSent(project)
    expect(project.postiz.uploads).toMatchObject([{ bytes, type }])
  })

  it('does not fetch a file at a private address', async () => {
    const project = await startProject()
    const post = await project.publish({ Media: project.files.add('photo.jpg', await takePhoto(), 'other') })
    expect(post.Results).toMatchObject([{ State: 'FAILED', Error: 'the media file is at a private address' }])
    expect(project.files.received).toEqual([])
  })

  it('sends the date as UTC, and the reference of the publication', async () => {
    const project = await startProject()
    const id = await project.schedule({ Content: 'Launch day', Timezone: 'Asia/Kolkata' })
    const { publishDate, settings } = await findSent(project)
    expect(publishDate).toEqual(project.clock.now())
    expect(settings.clientRef).toContain(id)
  })

  it('shortens the first line to the title that the platform takes', async () => {
    const project = await startProject({ identifier: 'youtube' })
    const Media = project.files.add('film.mp4', await filmVideo(1))
    await project.schedule({ Content: `${'word '.repeat(40)}\nSecond line`, Media })
    const { settings } = await findSent(project)
    expect(settings).toMatchObject({ type: 'public', title: `${'word '.repeat(20).slice(0, 99).trimEnd()}…` })
  })

  it.each([
    ['youtube', 'YOUTUBE', 'Lamps for spring', 'Lamps for spring'],
    ['youtube', 'YOUTUBE', ' ', 'Launch day'],
    ['pinterest', 'YOUTUBE', 'Lamps for spring', 'Launch day'],
  ])('sends on %s, with %s titled "%s", the title "%s"', async (identifier, platform, title, expected) => {
    const project = await startProject({ identifier })
    const isVideo = identifier === 'youtube'
    const Media = isVideo
      ? project.files.add('film.mp4', await filmVideo(1))
      : project.files.add('photo.jpg', await takePhoto())
    await project.schedule({ Content: 'Launch day\nToday!', Media, Titles: { [platform]: title } })
    expect((await findSent(project)).settings).toMatchObject({ title: expected })
  })

  it.each([
    ['youtube', {}, 422],
    ['youtube', { Titles: { YOUTUBE: ' ' } }, 422],
    ['youtube', { Titles: { YOUTUBE: 'Launch day' } }, 201],
    ['youtube', { Status: 'DRAFT' }, 201],
    ['pinterest', {}, 201],
  ])('takes a post without text on %s with %j: %i', async (identifier, fields, expected) => {
    const project = await startProject({ identifier })
    const Media = project.files.add('film.mp4', await filmVideo(1))
    const { status, body } = await project.createPost({ Content: '', Media, ...fields })
    expect([status, body.detail?.[0]?.loc]).toEqual([
      expected,
      expected === 422 ? ['body', 'Titles', 'YOUTUBE'] : undefined,
    ])
  })

  it('reports no missing title if the text is invalid', async () => {
    const project = await startProject({ identifier: 'youtube' })
    const Media = project.files.add('film.mp4', await filmVideo(1))
    const { body } = await project.createPost({ Content: 'x'.repeat(70_001), Media })
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([['body', 'Content']])
  })

  it('stores only the titles that are used', async () => {
    const project = await startProject({ identifier: 'pinterest' })
    const Titles = { PINTEREST: ' Lamps ', YOUTUBE: 'Lamps', REDDIT: ' ' }
    const { body } = await project.createPost({ Content: 'Launch day', Titles })
    expect(body.data.Titles).toEqual({ PINTEREST: 'Lamps' })
  })

  it('rejects a title that is too long for its platform', async () => {
    const project = await startProject({ identifier: 'youtube' })
    const Media = project.files.add('film.mp4', await filmVideo(1))
    const { status, body } = await project.createPost({ Media, Titles: { YOUTUBE: 'x'.repeat(101) } })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ type: 'string_too_long', loc: ['body', 'Titles', 'YOUTUBE'], ctx: { max_length: 100 } }],
    ])
  })

  it('shortens a title without cutting an emoji', async () => {
    const project = await startProject({ identifier: 'youtube' })
    const Media = project.files.add('film.mp4', await filmVideo(1))
    await project.schedule({ Content: `${'x'.repeat(98)}🚀🚀🚀`, Media })
    const { settings } = await findSent(project)
    expect(String(settings.title).isWellFormed()).toBe(true)
  })

  it.each([
    ['self', undefined],
    ['media', 'photo.jpg'],
  ])('publishes on Reddit as a post of the type %s', async (type, name) => {
    const project = await startProject({ identifier: 'reddit' })
    const Media = name ? project.files.add(name, await takePhoto()) : ''
    await project.schedule({ Content: 'Launch day\nToday!', Media })
    expect((await findSent(project)).settings.subreddit).toMatchObject([
      { value: { subreddit: '/r/acme', title: 'Launch day', type } },
    ])
  })
})

describe('a post that Postiz has accepted', () => {
  /** Schedules a post, and waits until Postiz has accepted it. */
  async function startAccepted(options: Parameters<typeof startProject>[0] = {}) {
    const project = await startProject(options)
    const id = await project.schedule({ Content: 'Launch day' })
    const sent = await findSent(project)
    expect(await project.findPause()).toBe(30)
    return { project, id, sent }
  }

  it('is being published until Postiz has a link', async () => {
    const { project, id, sent } = await startAccepted()
    await project.skipPause()
    expect(await project.getPost(id)).toMatchObject({
      Status: 'SCHEDULED',
      PublishedAt: null,
      Results: [{ State: 'PUBLISHING', Link: null, Error: null }],
    })
    project.postiz.publishPost(sent.id, { releaseURL: 'https://threads.example/1' })
    await project.skipPause()
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      PublishedAt: project.clock.now().toISOString(),
      Results: [{ State: 'PUBLISHED', Link: 'https://threads.example/1' }],
    })
  })

  it('is looked up every 30 seconds for 15 minutes, and every 10 minutes for a day, then left to a person', async () => {
    const { project, id } = await startAccepted()
    expect(await project.skipPause()).toBe(30)
    expect(await project.skipPause(14 * MINUTE_MS)).toBe(30)
    expect(await project.skipPause()).toBe(30)
    expect(await project.skipPause()).toBe(600)
    expect(await project.skipPause(23 * HOUR_MS)).toBe(600)
    const lookups = countRequests(project, 'GET /posts')
    expect(await project.skipPauses(id)).toEqual([600, 600, 600, 600])
    expect(countRequests(project, 'GET /posts')).toBe(lookups + 4)
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'UNKNOWN', Error: "it wasn't confirmed within a day" }],
    })
    expect(countPostRequests(project)).toBe(1)
  })

  it('is published if Postiz reports an error and a link', async () => {
    const { project, id, sent } = await startAccepted()
    project.postiz.failPost(sent.id, { error: 'Comment failed', releaseURL: 'https://threads.example/1' })
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({
      State: 'PUBLISHED',
      Link: 'https://threads.example/1',
      Error: null,
    })
  })

  it('is published if Postiz succeeds after an error', async () => {
    const { project, id, sent } = await startAccepted()
    sent.state = 'ERROR'
    await project.skipPause()
    await project.skipPause(5 * MINUTE_MS)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
    project.postiz.publishPost(sent.id)
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHED', Error: null })
  })

  it('is left to a person after 10 minutes with an error that Postiz does not explain', async () => {
    const { project, id, sent } = await startAccepted()
    sent.state = 'ERROR'
    await project.skipPause()
    await project.skipPause(10 * MINUTE_MS - SECOND_MS)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
    await project.skipPause()
    expect(await findResult(project, id)).toMatchObject({
      State: 'UNKNOWN',
      Error: expect.stringContaining('Postiz reported an error'),
    })
  })

  it('counts the 10 minutes from the last error', async () => {
    const { project, id, sent } = await startAccepted()
    sent.state = 'ERROR'
    await project.skipPause()
    sent.state = 'QUEUE'
    await project.skipPause(9 * MINUTE_MS)
    sent.state = 'ERROR'
    await project.skipPause(9 * MINUTE_MS)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
  })

  it('fails with the words of the platform if Postiz reports a rejection', async () => {
    const { project, id, sent } = await startAccepted()
    project.postiz.failPost(sent.id, { error: 'Duplicate content' })
    await project.skipPause()
    // Postiz may still try again.
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
    await project.skipPause(10 * MINUTE_MS)
    expect(await project.getPost(id)).toMatchObject({
      Status: 'FAILED',
      Results: [{ Error: 'An error occurred while posting on threads: Duplicate content' }],
    })
  })

  it('is left to a person if Postiz could not confirm it', async () => {
    const { project, id, sent } = await startAccepted()
    sent.state = 'ERROR'
    project.postiz.notifications.unshift({
      id: '1',
      content: "Your post was sent to Threads, but we couldn't confirm it was published.",
      link: null,
      createdAt: project.clock.now().toISOString(),
    })
    await project.skipPause()
    await project.skipPause(10 * MINUTE_MS)
    expect(await findResult(project, id)).toMatchObject({ State: 'UNKNOWN' })
  })

  it.each([
    ['another platform', 'An error occurred while posting on x: Duplicate content', 0],
    ['an earlier time', 'An error occurred while posting on threads: Duplicate content', MINUTE_MS],
  ])('is not failed by a notification of %s', async (_case, content, age) => {
    const { project, id, sent } = await startAccepted()
    sent.state = 'ERROR'
    const createdAt = new Date(project.clock.now().getTime() - age).toISOString()
    project.postiz.notifications.unshift({ id: '1', content, link: null, createdAt })
    await project.skipPause()
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
  })

  it('is not failed by the rejection of another post', async () => {
    const { project, id, sent } = await startAccepted()
    await project.schedule({ Content: 'Another' })
    await waitUntil(() => project.postiz.posts.length === 2)
    sent.state = 'ERROR'
    project.postiz.failPost(project.postiz.posts[1]?.id ?? '', { error: 'Duplicate content' })
    await project.skipPause()
    // This may skip the pause of the other post. The first one is also due then.
    await project.skipPause(10 * MINUTE_MS)
    await waitUntil(async () => (await findResult(project, id))?.State !== 'PUBLISHING')
    expect(await findResult(project, id)).toMatchObject({ State: 'UNKNOWN' })
  })

  it.each([
    ['must be reconnected', { refreshNeeded: true }, 'because you need to reconnect it'],
    ['was disabled a moment ago', { disabled: true }, "because it's disabled"],
  ])('fails on a channel that %s', async (_case, change, words) => {
    const project = await startProject()
    const [channel] = project.postiz.channels
    project.postiz.plan(() => void Object.assign(channel ?? {}, change))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({
      State: 'FAILED',
      Error: expect.stringContaining(words),
    })
  })

  it('flags the account of a channel that must be reconnected', async () => {
    const project = await startProject({ channels: [{ identifier: 'threads', refreshNeeded: true }] })
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    expect(await project.getAccount()).toMatchObject({ State: 'NEEDS_ATTENTION' })
  })

  it('is left to a person if it was deleted in Postiz', async () => {
    const { project, id, sent } = await startAccepted()
    sent.deleted = true
    await project.skipPause(10 * MINUTE_MS)
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({ State: 'UNKNOWN' })
  })

  it('is found again after Postiz was down', async () => {
    const { project, id, sent } = await startAccepted()
    project.postiz.planOthers(() => ({ kind: 'status', status: 503 }))
    await project.skipPause(HOUR_MS)
    project.postiz.planOthers(() => undefined)
    project.postiz.publishPost(sent.id)
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHED' })
  })
})

describe('a request to Postiz without a clear response', () => {
  const unclear: [string, Fault][] = [
    ['a connection that closes', { kind: 'dropped' }],
    ['an internal error', { kind: 'status', status: 500 }],
    ['the page of a proxy with 502', { kind: 'status', status: 502, ...PROXY_PAGE }],
    ['a page with 200', { kind: 'status', status: 200, ...PROXY_PAGE }],
  ]

  it.each(unclear)('is looked up after %s, and left to a person if it is not found', async (_case, fault) => {
    const project = await startProject()
    project.postiz.plan(() => fault)
    const id = await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPause()).toBe(60)
    expect(await project.skipPause(8 * MINUTE_MS)).toBe(30)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
    await project.skipPauses(id)
    expect(await project.getPost(id)).toMatchObject({
      Status: 'PUBLISHED',
      Results: [{ State: 'UNKNOWN', Error: "the network doesn't list the post" }],
    })
    expect([countPostRequests(project), project.postiz.posts]).toEqual([1, []])
  })

  it('is published once if only the response was lost', async () => {
    const project = await startProject({ postiz: { autoPublish: true } })
    project.postiz.plan(() => ({ kind: 'lost' }))
    const id = await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPauses(id)).toEqual([60])
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHED', Error: null })
    expect([countPostRequests(project), project.postiz.posts.length]).toEqual([1, 1])
  })

  it('is found if Postiz creates the post only after the run was killed', async () => {
    const project = await startProject({ postiz: { autoPublish: true } })
    project.postiz.plan(() => ({ kind: 'hang' }))
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(() => countPostRequests(project) === 1)
    await project.startInstance()
    // The first run loses its lease, as if its process had ended.
    project.clock.advance(MINUTE_MS)
    await project.waitForError(id, 'interrupted')
    expect(await project.skipPause()).toBe(60)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
    await project.postiz.release()
    await project.skipPauses(id)
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHED', Error: null })
    expect([countPostRequests(project), project.postiz.posts.length]).toEqual([1, 1])
  })

  it('is looked up if a killed run stored it before sending', async () => {
    const project = await startProject()
    await project.pauseAccounts()
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, "waiting for the network's rate limit")
    await project.leaveRequestBehind(id)
    await project.skipPause()
    expect(await project.findPause()).toBe(60)
    await project.skipPause(11 * MINUTE_MS)
    expect(await findResult(project, id)).toMatchObject({ State: 'UNKNOWN' })
    expect(countPostRequests(project)).toBe(0)
  })

  it('finds only its own post', async () => {
    const project = await startProject({ postiz: { autoPublish: true } })
    await project.skipPauses(await project.schedule({ Content: 'Launch day' }))
    project.postiz.plan(() => ({ kind: 'dropped' }))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPause()
    expect(await findResult(project, id)).toMatchObject({ State: 'PUBLISHING' })
  })
})

describe('a temporary failure of Postiz', () => {
  const temporary: [string, Fault][] = [
    ['the page of a proxy with 403', { kind: 'status', status: 403, ...PROXY_PAGE }],
    ['the page of a proxy with 404', { kind: 'status', status: 404, ...PROXY_PAGE }],
    ['the page of a proxy with 413', { kind: 'status', status: 413, ...PROXY_PAGE }],
    ['an empty 401', { kind: 'status', status: 401, body: '' }],
  ]

  it.each(temporary)('publishes once after %s', async (_case, fault) => {
    const project = await startProject()
    project.postiz.plan(({ index }) => (index === 0 ? fault : undefined))
    await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPause()).toBe(5)
    await findSent(project)
    expect([countPostRequests(project), project.postiz.posts.length]).toEqual([2, 1])
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED' })
  })

  it.each([
    ['the channels', 'GET /integrations'],
    ['an upload', 'POST /upload'],
  ])('publishes once after a failure of %s', async (_case, failing) => {
    const project = await startProject()
    let failures = 2
    const fail = ({ route }: { route: string }): Fault | undefined =>
      route === failing && failures-- > 0 ? { kind: 'status', status: 500 } : undefined
    project.postiz.plan(fail)
    project.postiz.planOthers(fail)
    await project.schedule({ Media: project.files.add('photo.jpg', await takePhoto()) })
    expect([await project.skipPause(), await project.skipPause()]).toEqual([5, 10])
    await findSent(project)
    expect(countPostRequests(project)).toBe(1)
  })

  it('does not mistake an outage of its database for a wrong key', async () => {
    const project = await startProject()
    project.postiz.conditions.databaseDown = true
    const id = await project.schedule({ Content: 'Launch day' })
    await project.waitForError(id, 'Postiz responded with 401')
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED' })
    project.postiz.conditions.databaseDown = false
    await project.skipPause()
    await findSent(project)
  })

  it.each(['without', 'with'])(
    'tries for an hour with growing pauses to reach Postiz, for a post %s a file',
    async (withFile) => {
      const postiz = { url: await unreachableUrl(), apiKey: 'postiz-key' }
      const project = await startProject({ publishing: { postiz } })
      const Media = withFile === 'with' ? project.files.add('photo.jpg', await takePhoto()) : ''
      const id = await project.schedule({ Content: 'Launch day', Media })
      expect(await project.skipPauses(id)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
      expect(await project.getPost(id)).toMatchObject({
        Status: 'FAILED',
        Results: [{ Error: "gave up: Postiz couldn't be reached" }],
      })
    },
  )

  it.each([
    ['as long as Retry-After says', 1200, 1200],
    ['an hour without Retry-After', undefined, 3600],
  ])('waits %s, with all accounts of Postiz', async (_case, retryAfter, seconds) => {
    const channels = [{ identifier: 'threads' }, { identifier: 'facebook' }]
    const project = await startProject({ channels })
    project.postiz.plan(({ index }) =>
      index === 0 ? { kind: 'status', status: 429, ...(retryAfter && { retryAfter }) } : undefined,
    )
    const first = await project.schedule({ Content: 'First', Platforms: ['THREADS'] })
    await project.waitForError(first, 'Postiz accepts no more posts this hour')
    const second = await project.schedule({ Content: 'Second', Platforms: ['FACEBOOK'] })
    await project.waitForError(second, "waiting for the network's rate limit")
    expect(countPostRequests(project)).toBe(1)
    expect(await project.findPause()).toBe(seconds - 1)
    project.clock.advance(seconds * SECOND_MS)
    await waitUntil(() => project.postiz.posts.length === 2)
    expect(project.postiz.posts.map(({ published }) => published)).toEqual(['First', 'Second'])
  })

  it('keeps a post for two hours while Postiz accepts none, then fails it', async () => {
    const project = await startProject()
    project.postiz.plan(() => ({ kind: 'status', status: 429, retryAfter: 3600 }))
    const id = await project.schedule({ Content: 'Launch day' })
    expect(await project.skipPauses(id)).toEqual([3600, 3600])
    expect(await findResult(project, id)).toMatchObject({
      State: 'FAILED',
      Error: 'gave up: Postiz accepts no more posts this hour',
    })
  })

  it('pauses all accounts when no request remains, before Postiz blocks the key', async () => {
    const channels = [{ identifier: 'threads' }, { identifier: 'facebook' }]
    const project = await startProject({ channels, postiz: { limit: 1 } })
    await project.schedule({ Content: 'First', Platforms: ['THREADS'] })
    await findSent(project)
    await project.findPause()
    const second = await project.schedule({ Content: 'Second', Platforms: ['FACEBOOK'] })
    await project.waitForError(second, "waiting for the network's rate limit")
    expect(countPostRequests(project)).toBe(1)
    project.clock.advance(HOUR_MS)
    await waitUntil(() => project.postiz.posts.length === 2)
    expect(project.postiz.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  it('follows no redirect', async () => {
    const project = await startProject()
    const other = await startHttpServer((_request, response) => void response.end('[]'))
    project.postiz.plan(() => ({ kind: 'redirect', to: other.url }))
    const id = await project.schedule({ Media: project.files.add('photo.jpg', await takePhoto()) })
    await project.waitForError(id, 'responded with 307')
    expect(other.received).toEqual([])
    await other.close()
  })
})

describe('a permanent failure of Postiz', () => {
  const permanent: [string, (project: PublishingProject) => void, string][] = [
    [
      'a wrong key',
      ({ postiz }) =>
        postiz.planOthers(() => ({ kind: 'status', status: 401, body: '{"msg":"Invalid API key"}' })),
      'set POSTIZ_API_KEY',
    ],
    [
      'a removed channel',
      ({ postiz }) => void Object.assign(postiz.channels[0] ?? {}, { deleted: true }),
      'Connect it there again',
    ],
    [
      'a disabled channel',
      ({ postiz }) => void Object.assign(postiz.channels[0] ?? {}, { disabled: true }),
      'Enable it there',
    ],
  ]

  it.each(permanent)(
    'fails immediately after %s, and flags the account until a post succeeds',
    async (_case, breakAccount, advice) => {
      const project = await startProject()
      breakAccount(project)
      const failed = await project.publish({ Content: 'Lost' })
      expect(failed).toMatchObject({ Status: 'FAILED', Results: [{ State: 'FAILED' }] })
      await waitUntil(async () => (await project.getAccount()).State === 'NEEDS_ATTENTION')
      expect((await project.getAccount()).Problem).toContain(advice)
      expect(countPostRequests(project)).toBe(0)

      project.postiz.planOthers(() => undefined)
      Object.assign(project.postiz.channels[0] ?? {}, { disabled: false, deleted: false })
      await project.schedule({ Content: 'Launch day' })
      await waitUntil(async () => (await project.getAccount()).State === 'CONNECTED')
      expect(project.postiz.posts).toMatchObject([{ published: 'Launch day' }])
    },
  )

  it.each([
    ['a text that is too long', 'threads', { Content: 'x'.repeat(501) }, 'post is too long'],
    ['a platform that needs media', 'instagram', { Content: 'Launch day' }, 'at least one media'],
    ['a body over 100 KiB', 'facebook', { Content: '🚀'.repeat(30_000) }, 'request entity too large'],
    ['a title that is too short', 'youtube', { Content: 'x' }, 'posts.0.settings.title must be'],
  ])('fails %s with the reason', async (_case, identifier, fields, reason) => {
    const project = await startProject({ identifier })
    const post = await project.publish(fields)
    expect(post).toMatchObject({ Status: 'FAILED', Results: [{ Error: expect.stringContaining(reason) }] })
    expect(countPostRequests(project)).toBe(1)
    expect(await project.getAccount()).toMatchObject({ State: 'CONNECTED', Problem: null })
  })

  it('fails a file that Postiz does not take', async () => {
    const project = await startProject()
    const post = await project.publish({ Media: project.files.add('paper.pdf', Buffer.from('%PDF-1.7\n')) })
    expect(post.Results).toMatchObject([{ State: 'FAILED', Error: 'Unsupported file type.' }])
    expect(countPostRequests(project)).toBe(0)
  })

  it('names the settings that are missing', async () => {
    const project = await startProject({ publishing: { postiz: undefined } })
    const post = await project.publish({ Content: 'Launch day' })
    expect(post.Results).toMatchObject([
      { State: 'FAILED', Error: "Postiz isn't set up: POSTIZ_URL or POSTIZ_API_KEY is missing" },
    ])
  })
})

it('publishes a post whose account was removed after Postiz accepted it', async () => {
  const project = await startProject()
  const id = await project.schedule({ Content: 'Launch day' })
  const sent = await findSent(project)
  expect(await project.findPause()).toBe(30)
  const account = await project.getAccount()
  await deleteAccount(project.service.db, { project_id: project.project_id, id: account?.Id ?? '' })
  project.postiz.publishPost(sent.id, { releaseURL: 'https://threads.example/1' })
  await project.skipPause()
  await waitUntil(async () => (await project.getPost(id)).Status === 'PUBLISHED')
})
