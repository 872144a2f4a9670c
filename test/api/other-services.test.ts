import { afterEach, describe, expect, it } from 'vitest'
import { createApi } from '../../src/api/client.ts'
import { isSamePost } from '../../src/api/compare-posts.ts'
import { posts, sources } from '../../src/api/records.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { startHttpServer, type TestServer } from '../support/servers.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

let server: TestServer | undefined
afterEach(() => server?.close())

/** A client of a service with these answers, by the path and query that they answer. */
async function openService(answers: Record<string, Answer>) {
  const opened = await startHttpServer(({ url }, response) => {
    const {
      status = 200,
      headers = {},
      body,
    } = answers[url] ?? answers[url.split('?')[0] ?? ''] ?? { status: 404 }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  server = opened
  const api = createApi({ ...systemRuntime, baseUrl: opened.url, token: 'secret-token' })
  return { api, url: opened.url, received: opened.received }
}

const POSTS = '/api/v1/projects/p1/posts'
const pageOf = (...ids: number[]) =>
  ids.map((id) => ({ id, content: `Post ${id}`, scheduled_at: '2026-11-27T09:00Z' }))

describe('paging', () => {
  it.each<[how: string, first: (url: string) => Answer]>([
    ['links.next', () => ({ body: { data: pageOf(1, 2), links: { next: `${POSTS}?cursor=b` } } })],
    [
      'an absolute URL',
      (url) => ({ body: { data: pageOf(1, 2), links: { next: `${url}${POSTS}?cursor=b` } } }),
    ],
    ['meta.next', () => ({ body: { data: pageOf(1, 2), meta: { next: '?cursor=b' } } })],
    [
      'Link',
      () => ({
        headers: { link: `<${POSTS}?cursor=a>; rel="prev", <${POSTS}?cursor=b>; rel="next"` },
        body: pageOf(1, 2),
      }),
    ],
    [
      'a URL with an internal host name',
      () => ({ body: { data: pageOf(1, 2), next: `http://internal.example${POSTS}?cursor=b` } }),
    ],
  ])('follows %s to the next page', async (_, first) => {
    const answers: Record<string, Answer> = {
      [`${POSTS}?cursor=b`]: { body: { data: pageOf(3), links: { next: null } } },
    }
    const { api, url, received } = await openService(answers)
    answers[POSTS] = first(url)
    const result = await api.posts.listAll('p1', {}, { maxPages: 5 })
    expect(result).toMatchObject({
      kind: 'ok',
      data: { hasMore: false, items: [{ Id: '1' }, { Id: '2' }, { Id: '3' }] },
    })
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret-token',
      'Bearer secret-token',
    ])
  })

  it('also works for lists other than posts', async () => {
    const { api } = await openService({
      '/api/v1/projects': {
        body: { data: [{ id: 1, name: 'Acme' }], links: { next: '/api/v1/projects?page=2' } },
      },
      '/api/v1/projects?page=2': { body: { data: [{ id: 2, name: 'Globex' }] } },
    })
    expect(await api.projects.list()).toMatchObject({
      data: { items: [{ Name: 'Acme' }, { Name: 'Globex' }] },
    })
  })

  it('ends at a page that links to itself', async () => {
    const { api, received } = await openService({
      '/api/v1/projects': { body: { data: [{ id: 1, name: 'Acme' }], links: { next: '/api/v1/projects' } } },
    })
    await api.projects.list()
    expect(received).toHaveLength(2)
  })

  it('ends with an empty page', async () => {
    const path = '/api/v1/projects'
    const { api } = await openService({
      [path]: { body: { data: [{ id: 1, name: 'Acme' }], links: { next: `${path}?page=2` } } },
      [`${path}?page=2`]: { body: { data: [], links: { next: `${path}?page=3` } } },
    })
    expect(await api.projects.list()).toMatchObject({ data: { items: [{ Id: '1' }], hasMore: false } })
  })

  it('leaves the list incomplete, not empty, if a page cannot be read', async () => {
    const { api } = await openService({
      [POSTS]: { body: { data: pageOf(1), links: { next: `${POSTS}?page=2` } } },
      [`${POSTS}?page=2`]: { status: 404 },
    })
    expect(await api.posts.listAll('p1', {}, { maxPages: 1 })).toMatchObject({ data: { hasMore: true } })
    expect((await api.posts.listAll('p1', {}, { maxPages: 5 })).kind).toBe('not-found')
  })
})

describe('a new post', () => {
  const BODY = { Content: 'Hello', Platforms: ['X' as const] }

  it('is read at the address that the service gives', async () => {
    const { api, received } = await openService({
      [POSTS]: { status: 201, headers: { location: `${POSTS}/77` } },
      [`${POSTS}/77`]: { body: { data: { id: 77, content: 'Hello', status: 'QUEUED' } } },
    })
    expect(await api.posts.create('p1', BODY)).toMatchObject({
      kind: 'ok',
      data: { Id: '77', Status: 'SCHEDULED' },
    })
    expect(received.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('has the id from its address if it cannot be read there', async () => {
    const { api } = await openService({ [POSTS]: { status: 201, headers: { location: `${POSTS}/77` } } })
    expect(await api.posts.create('p1', BODY)).toMatchObject({
      kind: 'ok',
      data: { Id: '77', Content: 'Hello' },
    })
  })

  it('has no id if its address has no readable one', async () => {
    const { api } = await openService({ [POSTS]: { status: 201, headers: { location: `${POSTS}/%zz7` } } })
    const result = await api.posts.create('p1', BODY)
    expect(result).toMatchObject({ kind: 'ok', data: { Content: 'Hello' } })
    expect(result.kind === 'ok' && result.data.Id).toBeUndefined()
  })

  it('is not looked up on another host', async () => {
    const { api, received } = await openService({
      [POSTS]: { status: 201, headers: { location: 'http://elsewhere.example/77' } },
    })
    expect(await api.posts.create('p1', BODY)).toMatchObject({ kind: 'ok', data: { Content: 'Hello' } })
    expect(received).toHaveLength(1)
  })

  it('does not get the id of the job that creates it', async () => {
    const { api } = await openService({
      [POSTS]: {
        status: 202,
        headers: { location: '/jobs/5' },
        body: { id: 'job-5', status: 'queued', message: 'On its way' },
      },
    })
    const result = await api.posts.create('p1', BODY)
    expect(result).toMatchObject({ kind: 'ok', data: { Content: 'Hello' } })
    expect(result.kind === 'ok' && result.data.Id).toBeUndefined()
  })

  it('may be in the response of a service that only accepted it', async () => {
    const { api } = await openService({
      [POSTS]: { status: 202, body: { id: 8, content: 'Hello', status: 'pending' } },
    })
    expect(await api.posts.create('p1', BODY)).toMatchObject({ data: { Id: '8' } })
  })
})

describe('JSON:API', () => {
  const resource = { type: 'posts', id: '31', attributes: { slug: 'spring', key: 'k', content: 'Hello' } }

  it('has the id outside the attributes, even if they have a slug', () => {
    expect(posts.read({ data: resource })).toMatchObject({ Id: '31', Content: 'Hello' })
    expect(posts.readList({ data: [resource] }).items).toMatchObject([{ Id: '31', Content: 'Hello' }])
  })

  it('has records with one known attribute', () => {
    const source = { type: 'sources', id: '4', attributes: { url: 'https://a.example', colour: 'red' } }
    expect(sources.read({ data: source })).toMatchObject({ Id: '4', Source: 'https://a.example' })
  })

  it('explains errors with a pointer to their field', async () => {
    const { api } = await openService({
      [POSTS]: {
        status: 422,
        body: {
          errors: [
            { status: '422', detail: 'is too long', source: { pointer: '/data/attributes/Content' } },
            { title: 'Unknown platform', source: { parameter: 'Platforms' } },
            { code: 'quota_exceeded' },
          ],
        },
      },
    })
    expect(await api.posts.create('p1', {})).toMatchObject({
      kind: 'invalid',
      details: [
        { loc: ['Content'], msg: 'is too long' },
        { loc: ['Platforms'], msg: 'Unknown platform' },
        { loc: [], msg: 'quota_exceeded' },
      ],
    })
  })
})

describe('the message of an error', () => {
  it.each([
    [{ data: { reason: 'The plan ended.' } }, 'The plan ended.'],
    [{ success: false, data: { message: 'The plan ended.' } }, 'The plan ended.'],
    [{ detail: { code: 'plan_ended' } }, 'plan_ended'],
    [{ detail: [{ code: 'plan_ended' }] }, 'plan_ended'],
    [{ errors: [{ detail: 'The plan ended.' }] }, 'The plan ended.'],
  ])('is found in %j', async (body, message) => {
    const { api } = await openService({ [POSTS]: { status: 403, body } })
    expect(await api.posts.create('p1', {})).toEqual({ kind: 'forbidden', message })
  })
})

it('considers two drafts without a date equal if everything else is equal', () => {
  const draft = { Content: 'Some day', Status: 'DRAFT' }
  const listed = posts.read({ id: 1, content: 'Some day', status: 'DRAFT' })
  expect(isSamePost(draft, listed)).toBe(true)
  expect(isSamePost({ ...draft, ScheduleDate: '2026-11-27T09:00Z' }, listed)).toBe(false)
})

describe('a post of another service', () => {
  it.each([
    [{ scheduled_at: { date: '2026-11-22', time: '09:00' } }, { ScheduleDate: '2026-11-22T09:00' }],
    [
      { scheduled_at: { date: '2026-11-22', time: '09:00:00', tz: 'Europe/Berlin' } },
      { ScheduleDate: '2026-11-22T09:00:00+01:00', Timezone: 'Europe/Berlin' },
    ],
    [{ scheduled_at: '2026-11-22', timezone: 'Europe/Berlin' }, { ScheduleDate: '2026-11-22' }],
    [{ state: 'QUEUE' }, { Status: 'SCHEDULED' }],
    [{ status: 'queued' }, { Status: 'SCHEDULED' }],
    [{ status: 'pending' }, { Status: 'SCHEDULED' }],
    [{ provider: 'linkedin' }, { Platforms: ['LINKEDIN'] }],
    [
      { integration: { id: 'a1', name: 'Our page', providerIdentifier: 'facebook' } },
      { Platforms: ['FACEBOOK'] },
    ],
    [{ integrations: [{ id: 'a1', provider: 'x', name: 'Us' }] }, { Platforms: ['X'] }],
    [{ channels: [{ id: 3, key: 'threads', name: 'Our account' }] }, { Platforms: ['THREADS'] }],
    [
      { channels: [{ id: 3, key: 'fediverse', provider: 'mastodon', name: 'Us' }] },
      { Platforms: ['mastodon'] },
    ],
  ])('is read from %j', (fields, expected) => {
    expect(posts.read({ id: 1, content: 'Hello', ...fields })).toMatchObject(expected)
  })

  it.each([
    ['<p>Fish &amp; chips</p>', 'Fish & chips'],
    ['<p>One</p><p>Two<br>Three</p>', 'One\n\nTwo\nThree'],
    ['<div>Hi <b>you</b> &#x1F389;</div>', 'Hi you 🎉'],
    ['<ul><li>One</li><li>Two</li></ul>', '• One\n• Two'],
    ['1 < 2 and <b> stays', '1 < 2 and <b> stays'],
    ['<p>Only the start', '<p>Only the start'],
  ])('is shown as text: %s', async (content, expected) => {
    const { api } = await openService({
      [POSTS]: { body: [{ id: 1, content, status: 'SCHEDULED' }] },
      '/api/v1/projects/p1/dashboard/upnext-post': { body: { id: 1, content, status: 'SCHEDULED' } },
    })
    expect(await api.posts.list('p1', {})).toMatchObject({ data: { items: [{ Content: expected }] } })
    expect(await api.posts.getNext('p1')).toMatchObject({ data: { Content: expected } })
    await server?.close()
    const other = await openService({ [POSTS]: { status: 201, body: { id: 1, content } } })
    expect(await other.api.posts.create('p1', {})).toMatchObject({ data: { Content: expected } })
  })
})
