import { describe, expect, it } from 'vitest'
import { saveWebhook } from '../../src/service/stores/projects-store.ts'
import { waitUntil } from '../support/clock.ts'
import { startHttpServer } from '../support/servers.ts'
import { MINUTE_MS, type PublishingProject, SECOND_MS, startPublishingProject } from './publishing-project.ts'

const SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`
const THREADS = [{ identifier: 'threads' }]

const rejectOnTelegram = ({ telegram }: PublishingProject) =>
  telegram.plan(() => ({ kind: 'status', status: 400, description: 'Bad Request: no' }))

const loseOnTelegram = ({ telegram }: PublishingProject) => telegram.plan(() => ({ kind: 'lost' }))

const listIds = async (project: PublishingProject, status: string): Promise<string[]> => {
  const { body } = await project.request(
    'GET',
    `/api/v1/projects/${project.project_id}/posts?status=${status}`,
  )
  return body.data.Items.map(({ Id }: { Id: string }) => Id)
}

describe('the status of a post', () => {
  it('stays SCHEDULED until all platforms have settled', async () => {
    const project = await startPublishingProject({ channels: THREADS })
    const id = await project.schedule({ Content: 'Launch day' })
    await waitUntil(async () => (await project.getPost(id)).Results?.some(hasState('PUBLISHED')))
    await project.findPause()
    expect(await project.getPost(id)).toMatchObject({ Status: 'SCHEDULED', PublishedAt: null })
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await project.skipPauses(id)
    const post = await project.getPost(id)
    expect(post).toMatchObject({ Status: 'PUBLISHED', PublishedAt: project.clock.now().toISOString() })
    expect(post.Results.every(hasState('PUBLISHED'))).toBe(true)
  })

  it.each([
    ['is out somewhere', 'PUBLISHED', rejectOnTelegram, 'FAILED'],
    ['may be out somewhere', 'FAILED', loseOnTelegram, 'UNKNOWN'],
  ])('is PUBLISHED if the post %s', async (_case, onThreads, breakTelegram, onTelegram) => {
    const project = await startPublishingProject({ channels: THREADS, postiz: { autoPublish: true } })
    breakTelegram(project)
    if (onThreads === 'FAILED') Object.assign(project.postiz.channels[0] ?? {}, { disabled: true })
    const id = await project.schedule({ Content: 'Launch day' })
    if (onThreads === 'PUBLISHED') await project.skipPause()
    const post = await project.settle(id)
    expect(post).toMatchObject({ Status: 'PUBLISHED', PublishedAt: expect.any(String) })
    const states = Object.fromEntries(
      post.Results.map(({ Platform, State }: Record<string, string>) => [Platform, State]),
    )
    expect(states).toEqual({ TELEGRAM: onTelegram, THREADS: onThreads })
  })

  it('is FAILED if the post is out nowhere, and counts no platform without an account', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const post = await project.publish({ Content: 'Launch day', Platforms: ['TELEGRAM', 'X'] })
    expect(post).toMatchObject({
      Status: 'FAILED',
      PublishedAt: null,
      Results: [
        { Platform: 'TELEGRAM', State: 'FAILED' },
        { Platform: 'X', State: 'NOT_CONNECTED', Account: null, Error: null },
      ],
    })
    expect([await listIds(project, 'FAILED'), await listIds(project, 'PUBLISHED')]).toEqual([[post.Id], []])
  })

  it('is PUBLISHED if no platform has an account', async () => {
    const project = await startPublishingProject({ hasTelegram: false })
    const post = await project.publish({ Content: 'Launch day', Platforms: ['TELEGRAM', 'X'] })
    expect(post).toMatchObject({
      Status: 'PUBLISHED',
      PublishedAt: project.clock.now().toISOString(),
      Results: [{ State: 'NOT_CONNECTED' }, { State: 'NOT_CONNECTED' }],
    })
    // Ids may be written in capitals.
    const path = `/extensions/v1/projects/${project.project_id.toUpperCase()}/posts/${post.Id.toUpperCase()}/results`
    const retried = await project.request('PUT', path, { Platforms: ['TELEGRAM'], State: 'PUBLISHING' })
    expect([retried.status, retried.body.detail]).toEqual([
      409,
      'This project has no account for TELEGRAM. Connect one, and retry.',
    ])
  })
})

const hasState =
  (state: string) =>
  ({ State }: { State: string }) =>
    State === state

describe('changing a post', () => {
  it('returns 409 while the post is being published, and afterwards', async () => {
    const project = await startPublishingProject({ hasTelegram: false, channels: THREADS })
    const id = await project.schedule({ Content: 'Launch day' })
    await project.findPause()
    const changes = async () => {
      const responses = [await project.updatePost(id, { Content: 'Another' }), await project.deletePost(id)]
      return responses.map(({ status, body }) => [status, body.detail])
    }
    expect(await changes()).toEqual([
      [409, "This post is being published, so it can't be changed or cancelled."],
      [409, "This post is being published, so it can't be changed or cancelled."],
    ])
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await project.skipPauses(id)
    expect(await changes()).toEqual([
      [409, 'This post is already published.'],
      [409, 'This post is already published.'],
    ])
  })

  it('publishes a failed post at its new date', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Lost' })
    project.telegram.plan(() => undefined)
    const date = new Date(project.clock.now().getTime() + MINUTE_MS)
    const updated = await project.updatePost(Id, { Content: 'Launch day', ScheduleDate: date.toISOString() })
    expect(updated.body.data).toMatchObject({ Status: 'SCHEDULED', Results: null, PublishedAt: null })
    project.clock.set(date)
    expect(await project.settle(Id)).toMatchObject({ Status: 'PUBLISHED', Results: [{ State: 'PUBLISHED' }] })
    expect(project.telegram.sent).toMatchObject([{ text: 'Launch day' }])
  })

  it('deletes a post that had failed', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Lost' })
    expect((await project.deletePost(Id)).status).toBe(200)
    expect(await listIds(project, 'FAILED')).toEqual([])
  })
})

describe('Set Results', () => {
  it('publishes a post again only where it failed', async () => {
    const project = await startPublishingProject({ channels: THREADS, postiz: { autoPublish: true } })
    rejectOnTelegram(project)
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    const both = await project.setResults(id, { Platforms: ['TELEGRAM', 'THREADS'], State: 'PUBLISHING' })
    expect([both.status, both.body.detail]).toEqual([
      409,
      "This post's state on THREADS is PUBLISHED and can't be changed to PUBLISHING.",
    ])

    project.telegram.plan(() => undefined)
    const again = await project.setResults(id, { Platforms: ['TELEGRAM'], State: 'PUBLISHING' })
    expect([again.status, again.body.data.Status]).toEqual([200, 'SCHEDULED'])
    const post = await project.settle(id)
    expect(post.Results.every(hasState('PUBLISHED'))).toBe(true)
    expect([project.telegram.sent.length, project.postiz.posts.length]).toEqual([1, 1])
  })

  it('publishes a post again on a platform whose result is unknown', async () => {
    const project = await startPublishingProject()
    project.telegram.plan(({ index }) => (index === 0 ? { kind: 'dropped' } : undefined))
    const { Id } = await project.publish({ Content: 'Launch day' })
    await project.setResults(Id, { Platforms: ['TELEGRAM'], State: 'PUBLISHING' })
    expect(await project.settle(Id)).toMatchObject({ Results: [{ State: 'PUBLISHED', Error: null }] })
    expect(project.telegram.sent).toHaveLength(1)
  })

  it('publishes a post again hours after its date', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    project.telegram.plan(() => undefined)
    project.clock.advance(300 * MINUTE_MS)
    await project.setResults(Id, { Platforms: ['TELEGRAM'], State: 'PUBLISHING' })
    expect(await project.settle(Id)).toMatchObject({ Status: 'PUBLISHED' })
  })

  it('looks for the post of the new request on Postiz', async () => {
    const project = await startPublishingProject({ hasTelegram: false, channels: THREADS })
    project.postiz.plan(({ index }) => (index === 0 ? { kind: 'dropped' } : undefined))
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    project.clock.advance(48 * 60 * MINUTE_MS)
    await project.setResults(id, { Platforms: ['THREADS'], State: 'PUBLISHING' })
    await project.findPause()
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '', { releaseURL: 'https://threads.example/1' })
    await project.skipPauses(id)
    expect((await project.getPost(id)).Results).toMatchObject([
      { State: 'PUBLISHED', Link: 'https://threads.example/1' },
    ])
  })

  it.each([
    ['PUBLISHED', { Link: 'https://t.me/acme/7' }, 'PUBLISHED'],
    ['FAILED', { Error: 'Not there' }, 'FAILED'],
  ])('decides that an unknown post is %s', async (State, fields, status) => {
    const project = await startPublishingProject()
    loseOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    const { body } = await project.setResults(Id, { Platforms: ['TELEGRAM'], State, ...fields })
    expect(body.data).toMatchObject({ Status: status, Results: [{ State, ...fields }] })
    expect(project.telegram.requests).toHaveLength(1)
    const again = await project.setResults(Id, { Platforms: ['TELEGRAM'], State: 'PUBLISHED' })
    expect(again.status).toBe(409)
  })

  it('shortens a long error without cutting a character in half', async () => {
    const project = await startPublishingProject()
    loseOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    const fields = { Platforms: ['TELEGRAM'], State: 'FAILED', Error: `${'x'.repeat(299)}🎉 and more` }
    const { status, body } = await project.setResults(Id, fields)
    expect(status).toBe(200)
    expect(body.data.Results).toMatchObject([{ Error: `${'x'.repeat(299)}…` }])
  })

  it('removes the error when a person marks the post as published', async () => {
    const project = await startPublishingProject()
    loseOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    const { body } = await project.setResults(Id, { Platforms: ['TELEGRAM'], State: 'PUBLISHED' })
    expect(body.data.Results).toMatchObject([{ State: 'PUBLISHED', Error: null }])
  })

  it('returns 409 for a platform without an account, and for a disconnected one', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day', Platforms: ['TELEGRAM', 'X'] })
    expect((await project.setResults(Id, { Platforms: ['X'], State: 'PUBLISHING' })).status).toBe(409)
    await project.service.pool.query('update service.account set is_connected = false')
    const { status, body } = await project.setResults(Id, { Platforms: ['TELEGRAM'], State: 'PUBLISHING' })
    expect([status, body.detail]).toEqual([
      409,
      'This project has no account for TELEGRAM. Connect one, and retry.',
    ])
  })

  it('returns 404 for a post of another project', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    const other = await project.service.addProject()
    const admin = await project.service.addMember(other, 'ADMIN')
    const path = `/extensions/v1/projects/${other}/posts/${Id}/results`
    const json = { Platforms: ['TELEGRAM'], State: 'PUBLISHING' }
    expect((await project.service.request('PUT', path, { ...admin, json })).status).toBe(404)
  })

  it.each([
    ['a scheduled post', 'SCHEDULED'],
    ['a draft', 'DRAFT'],
  ])('leaves %s alone whose publishing has not begun', async (_case, Status) => {
    const project = await startPublishingProject()
    const ScheduleDate = new Date(project.clock.now().getTime() + 60 * MINUTE_MS).toISOString()
    const { body } = await project.createPost({ Content: 'Later', ScheduleDate, Status })
    const { status } = await project.setResults(body.data.Id, {
      Platforms: ['TELEGRAM'],
      State: 'PUBLISHING',
    })
    expect([status, (await project.getPost(body.data.Id)).Status]).toEqual([409, Status])
  })

  it('returns 422 for a platform that the post does not have', async () => {
    const project = await startPublishingProject()
    rejectOnTelegram(project)
    const { Id } = await project.publish({ Content: 'Launch day' })
    const { status } = await project.setResults(Id, { Platforms: ['X'], State: 'PUBLISHING' })
    expect(status).toBe(422)
  })
})

describe('the events of a post', () => {
  it.each([
    ['post.published', () => {}, { State: 'PUBLISHED', Link: 'https://t.me/acme/1', Error: null }, 'INFO'],
    ['post.failed', rejectOnTelegram, { State: 'FAILED', Link: null, Error: 'no' }, 'ERROR'],
  ])('sends %s to the webhook with the results, and logs it', async (type, plan, result, Level) => {
    const project = await startPublishingProject()
    const receiver = await startHttpServer((_request, response) => void response.end())
    await saveWebhook(project.service.db, {
      project_id: project.project_id,
      url: receiver.url,
      secret: SECRET,
    })
    plan(project)
    const post = await project.publish({ Content: 'Launch day' })
    await waitUntil(() => receiver.received.length > 0)
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
      { type, timestamp: post.Results[0].At, data: post },
    ])
    expect(post.Results).toMatchObject([{ Platform: 'TELEGRAM', Account: 'Acme', ...result }])
    const logs = await project.request('GET', `/api/v1/projects/${project.project_id}/logs`)
    expect(logs.body.data.Items[0]).toMatchObject({ Action: type, Level, TargetId: post.Id })
    await receiver.close()
  })

  it('names the platforms in the log on which the post failed', async () => {
    const project = await startPublishingProject({ channels: THREADS, postiz: { autoPublish: true } })
    rejectOnTelegram(project)
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPauses(id)
    const logs = await project.request('GET', `/api/v1/projects/${project.project_id}/logs`)
    expect(logs.body.data.Items[0]).toMatchObject({
      Action: 'post.published',
      Level: 'ERROR',
      Message: 'Published a post on THREADS, but not on TELEGRAM (no).',
    })
  })

  it('sends the event only once all platforms have settled', async () => {
    const project = await startPublishingProject({ channels: THREADS })
    const receiver = await startHttpServer((_request, response) => void response.end())
    await saveWebhook(project.service.db, {
      project_id: project.project_id,
      url: receiver.url,
      secret: SECRET,
    })
    const id = await project.schedule({ Content: 'Launch day' })
    await project.skipPause(10 * SECOND_MS)
    expect(receiver.received).toEqual([])
    project.postiz.publishPost(project.postiz.posts[0]?.id ?? '')
    await project.skipPauses(id)
    await waitUntil(() => receiver.received.length > 0)
    expect(receiver.received).toHaveLength(1)
    await receiver.close()
  })
})
