import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

const clock = createTestClock()
let service: TestService
let project: string
let editor: { token: string; email: string }
beforeAll(async () => {
  service = await startTestService({ runtime: clock.runtime, timing: { publishIntervalMs: 5 } })
})
beforeEach(async () => {
  project = await service.addProject()
  editor = await service.addMember(project, 'EDITOR')
})
afterAll(() => service.stop())

const scheduled = {
  Content: 'Hi',
  ScheduleDate: '2026-11-27T09:00:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X'],
  Status: 'SCHEDULED',
}

const pathOf = (id: string) => `/extensions/v1/projects/${project}/posts/${id}`
const create = async (json: object = scheduled): Promise<string> => {
  const { body } = await service.request('POST', `/api/v1/projects/${project}/posts`, { ...editor, json })
  return body.data.Id
}
const get = (id: string, member = editor) => service.request('GET', pathOf(id), { token: member.token })
const etagOf = async (id: string) => (await get(id)).headers.get('etag') ?? ''
const change = (method: 'PUT' | 'DELETE', id: string, etag: string, json?: object, member = editor) =>
  service.request(method, pathOf(id), { token: member.token, json, headers: { 'if-match': etag } })
const logMessages = async (): Promise<string[]> => {
  const { body } = await service.request('GET', `/api/v1/projects/${project}/logs`, editor)
  return body.data.Items.map(({ Message }: { Message: string }) => Message)
}

describe('Get Post', () => {
  it('returns the post with its version as the ETag', async () => {
    const { status, body, headers } = await get(await create())
    expect([status, body.data, headers.get('etag')]).toMatchObject([
      200,
      { Content: 'Hi', Version: 1 },
      '"1"',
    ])
  })

  it('returns 404 for a post of another project', async () => {
    const id = await create()
    project = await service.addProject()
    editor = await service.addMember(project, 'EDITOR')
    expect((await get(id)).status).toBe(404)
  })
})

describe('Update Post', () => {
  it('replaces all fields, gives the post a new ETag, and logs it', async () => {
    const id = await create({ ...scheduled, Media: 'https://a.example/b.png' })
    const { status, body, headers } = await change('PUT', id, '"1"', {
      ...scheduled,
      Content: 'Ho',
      Platforms: ['THREADS'],
    })
    expect([status, body.data]).toMatchObject([
      200,
      {
        Content: 'Ho',
        Media: null,
        Platforms: ['THREADS'],
        ScheduleDate: '2026-11-27T09:00:00+01:00',
        Version: 2,
      },
    ])
    expect(headers.get('etag')).toBe('"2"')
    expect(await logMessages()).toContain(
      'Changed a post for Fri 27 Nov 2026, 09:00 (Europe/Berlin) on THREADS.',
    )
  })

  it('schedules a draft, and makes a scheduled post a draft again', async () => {
    const id = await create({ Content: 'Later' })
    expect((await change('PUT', id, '"1"', scheduled)).body.data.Status).toBe('SCHEDULED')
    expect((await change('PUT', id, '"2"', { Content: 'Later' })).body.data).toMatchObject({
      Status: 'DRAFT',
      ScheduleDate: null,
    })
  })

  it('has the same validation errors as Create Post', async () => {
    const id = await create()
    for (const json of [
      { Status: 'SCHEDULED' },
      { ...scheduled, ScheduleDate: '2020-01-01T09:00' },
      { ...scheduled, Platforms: ['MYSPACE'], TemplateId: 'x', Timezone: 'Mars/Base' },
      [],
    ]) {
      const created = await service.request('POST', `/api/v1/projects/${project}/posts`, { ...editor, json })
      const updated = await change('PUT', id, '"1"', json)
      expect([updated.status, updated.body]).toEqual([422, created.body])
    }
    expect((await get(id)).body.data.Version).toBe(1)
  })

  it('needs the ETag of the current version', async () => {
    const id = await create()
    const withoutTag = await service.request('PUT', pathOf(id), { ...editor, json: scheduled })
    expect([withoutTag.status, withoutTag.body.detail]).toEqual([428, "Send the post's ETag in If-Match."])
    for (const tag of ['"a1"', '"0"', '1', 'W/"1"', '*']) {
      const { status, body } = await change('PUT', id, tag, scheduled)
      const detail = `If-Match must be the post's ETag with its quotation marks, such as "1".`
      expect([status, body.detail], tag).toEqual([412, detail])
    }
    expect((await change('PUT', id, '"1"', scheduled)).status).toBe(200)
    const late = await change('PUT', id, '"1"', { ...scheduled, Content: 'Too late' })
    expect([late.status, late.body.detail]).toEqual([
      412,
      'This post has changed since you fetched it. Get it again.',
    ])
    expect((await change('PUT', id, 'W/"2"', scheduled)).status).toBe(412)
    expect((await get(id)).body.data.Content).toBe('Hi')
  })

  it('makes only one of ten simultaneous changes to the same version', async () => {
    const id = await create()
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        change('PUT', id, '"1"', { ...scheduled, Content: `No. ${index}` }),
      ),
    )
    expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
    const winner = results.find(({ status }) => status === 200)?.body.data.Content
    expect((await get(id)).body.data).toMatchObject({ Content: winner, Version: 2 })
  })

  it('rejects changes by a viewer', async () => {
    const id = await create()
    const viewer = await service.addMember(project, 'VIEWER')
    expect((await get(id, viewer)).status).toBe(200)
    expect((await change('PUT', id, '"1"', scheduled, viewer)).status).toBe(403)
    expect((await change('DELETE', id, '"1"', undefined, viewer)).status).toBe(403)
  })
})

describe('Delete Post', () => {
  it('removes the post, so that it is not published, and logs it', async () => {
    const id = await create()
    expect(await change('DELETE', id, '"1"')).toMatchObject({
      status: 200,
      body: { data: null, success: true },
    })
    expect((await get(id)).status).toBe(404)
    expect((await change('DELETE', id, '"1"')).status).toBe(404)
    expect(await logMessages()).toContain('Cancelled a post for Fri 27 Nov 2026, 09:00 (Europe/Berlin) on X.')
  })

  it('keeps a post that has changed since it was fetched', async () => {
    const id = await create()
    await change('PUT', id, '"1"', { ...scheduled, Content: 'Ho' })
    expect((await change('DELETE', id, '"1"')).status).toBe(412)
    expect((await get(id)).body.data.Content).toBe('Ho')
  })
})

describe('publishing and changing', () => {
  const dueIn = (seconds: number) => ({
    ...scheduled,
    Timezone: 'UTC',
    ScheduleDate: new Date(clock.now().getTime() + seconds * 1000).toISOString(),
  })

  it('rejects the change and deletion of a published post', async () => {
    const id = await create(dueIn(1))
    const etag = await etagOf(id)
    clock.advance(2000)
    await expect.poll(async () => (await get(id)).body.data.Status).toBe('PUBLISHED')
    for (const result of [await change('PUT', id, etag, dueIn(60)), await change('DELETE', id, etag)])
      expect([result.status, result.body.detail]).toEqual([409, 'This post is already published.'])
  })

  it('either cancels or publishes each post that is cancelled as it becomes due, never both', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => create(dueIn(1))))
    const cancellations = ids.map(async (id, index) => {
      if (index === 20) clock.advance(2000)
      return (await change('DELETE', id, '"1"')).status
    })
    const statuses = await Promise.all(cancellations)
    await expect
      .poll(async () =>
        (await Promise.all(ids.map((id) => get(id)))).every(({ body }) => body.data?.Status !== 'SCHEDULED'),
      )
      .toBe(true)
    const published = (await logMessages()).filter((message) => message.startsWith('Marked')).length
    const cancelled = statuses.filter((status) => status === 200).length
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(published + cancelled).toBe(ids.length)
  })
})
