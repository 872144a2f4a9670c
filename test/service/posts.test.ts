import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertLogEntries } from '../../src/service/stores/logs-store.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { insertTemplate } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { createTestClock } from '../support/clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

const clock = createTestClock()
let service: TestService
let project: string
let editor: { token: string; email: string }
beforeAll(async () => {
  service = await startTestService({ runtime: clock.runtime })
})
beforeEach(async () => {
  project = await service.addProject()
  editor = await service.addMember(project, 'EDITOR')
})
afterAll(() => service.stop())

const create = (json: object) =>
  service.request('POST', `/api/v1/projects/${project}/posts`, { ...editor, json })
const list = async (query = '') =>
  (await service.request('GET', `/api/v1/projects/${project}/posts?${query}`, editor)).body.data
const contents = (data: { Items: { Content: string }[] }) => data.Items.map(({ Content }) => Content)

const scheduled = {
  Content: 'Hi',
  ScheduleDate: '2026-11-27T09:00:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X'],
  Status: 'SCHEDULED',
}

describe('Create Post', () => {
  it('takes a date without an offset in the Timezone of the post', async () => {
    const { status, body } = await create(scheduled)
    expect([status, body.data]).toMatchObject([
      201,
      { ...scheduled, ScheduleDate: '2026-11-27T09:00:00+01:00' },
    ])
  })

  it('keeps the point in time of a date with an offset, and shows it in the Timezone', async () => {
    const { body } = await create({ ...scheduled, ScheduleDate: '2026-11-27T09:00:00-05:00' })
    expect(body.data.ScheduleDate).toBe('2026-11-27T15:00:00+01:00')
  })

  it('rejects a time that the clocks skip, and takes the first of a repeated time', async () => {
    const skipped = await create({ ...scheduled, ScheduleDate: '2027-03-28T02:30' })
    expect(skipped.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'ScheduleDate'] }])
    const twice = await create({ ...scheduled, ScheduleDate: '2027-10-31T02:30' })
    expect(twice.body.data.ScheduleDate).toBe('2027-10-31T02:30:00+02:00')
  })

  it('requires a date in the future for a scheduled post, but not for a draft', async () => {
    const past = { ...scheduled, ScheduleDate: '2026-11-20T13:00:00' } // now, in Berlin
    expect((await create(past)).body.detail).toMatchObject([
      { type: 'value_error', loc: ['body', 'ScheduleDate'] },
    ])
    expect((await create({ ...past, Status: 'DRAFT' })).status).toBe(201)
    expect((await create({ ...past, ScheduleDate: '2026-11-20T13:00:01' })).status).toBe(201)
  })

  it('names every field that a scheduled post is missing', async () => {
    const { body } = await create({ Status: 'SCHEDULED' })
    expect(body.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'Content',
      'ScheduleDate',
      'Timezone',
      'Platforms',
    ])
    const empty = await create({ ...scheduled, Content: '  ', Platforms: [] })
    expect(empty.body.detail).toMatchObject([
      { loc: ['body', 'Content'] },
      { loc: ['body', 'Platforms'], type: 'too_short' },
    ])
  })

  it('requires no fields for a draft', async () => {
    const { status, body } = await create({})
    expect([status, body.data]).toMatchObject([
      201,
      { Content: null, ScheduleDate: null, Platforms: [], Status: 'DRAFT' },
    ])
  })

  it('schedules a post without a Status if it has a date, and makes it a draft otherwise', async () => {
    const { Status: _status, ...rest } = scheduled
    expect((await create(rest)).body.data.Status).toBe('SCHEDULED')
    expect((await create({ Content: 'x' })).body.data.Status).toBe('DRAFT')
  })

  it('rejects a post with the Status PUBLISHED', async () => {
    expect((await create({ ...scheduled, Status: 'PUBLISHED' })).body.detail).toMatchObject([
      { type: 'enum' },
    ])
  })

  it('accepts media, a template or a prompt of the project in place of the Content', async () => {
    const { Content: _content, ...rest } = scheduled
    const { id } = await insertTemplate(service.db, {
      project_id: project,
      title: 'T',
      content: 'C',
      description: null,
    })
    const foreignTemplate = await insertTemplate(service.db, {
      project_id: await service.addProject(),
      title: 'T',
      content: 'C',
      description: null,
    })
    const prompt = await service.request('POST', `/api/v1/projects/${project}/prompts`, {
      ...editor,
      json: { Title: 'P', PromptText: 'P' },
    })
    for (const content of [
      { Media: 'https://a.example/a.png' },
      { TemplateId: id },
      { PromptId: prompt.body.data.Id },
    ])
      expect((await create({ ...rest, ...content })).body.data).toMatchObject(content)
    for (const id of ['', 'x', foreignTemplate.id])
      expect((await create({ ...scheduled, PromptId: id })).body.detail).toMatchObject([
        { loc: ['body', 'PromptId'] },
      ])
    expect((await create({ ...rest, TemplateId: foreignTemplate.id })).body.detail).toMatchObject([
      { loc: ['body', 'TemplateId'] },
    ])
  })

  it.each([
    'lamp.png',
    '//a.example/lamp.png',
    'ftp://a.example/lamp.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'https://',
    ' https://a.example/lamp.png',
    'https://a.example/a lamp.png',
  ])('rejects Media of "%s", because it is no absolute link', async (Media) => {
    expect((await create({ ...scheduled, Media })).body.detail).toMatchObject([
      { type: 'value_error', loc: ['body', 'Media'], input: Media },
    ])
  })

  it('accepts Media of 2,048 characters', async () => {
    const Media = 'https://a.example/'.padEnd(2048, 'x')
    expect((await create({ ...scheduled, Media })).body.data.Media).toBe(Media)
    expect((await create({ ...scheduled, Media: `${Media}x` })).body.detail).toMatchObject([
      { type: 'string_too_long', loc: ['body', 'Media'], ctx: { max_length: 2048 } },
    ])
  })

  it('stores a platform that is listed twice only once', async () => {
    expect((await create({ ...scheduled, Platforms: ['X', 'REDDIT', 'X'] })).body.data.Platforms).toEqual([
      'X',
      'REDDIT',
    ])
  })

  it('rejects a date whose offset moves it beyond the year 9999', async () => {
    const { body } = await create({ ...scheduled, ScheduleDate: '9999-12-31T23:59:59-12:00' })
    expect(body.detail).toMatchObject([{ loc: ['body', 'ScheduleDate'] }])
  })

  it('rejects an unknown timezone', async () => {
    expect((await create({ ...scheduled, Timezone: 'Europe/Atlantis' })).body.detail).toMatchObject([
      { loc: ['body', 'Timezone'], type: 'value_error' },
    ])
  })

  it('logs a new post with its author and time', async () => {
    const { body } = await create(scheduled)
    const logs = await service.request('GET', `/api/v1/projects/${project}/logs`, editor)
    expect(logs.body.data.Items[0]).toMatchObject({
      Action: 'post.created',
      Actor: editor.email,
      TargetId: body.data.Id,
      CreatedAt: clock.now().toISOString(),
      Level: 'INFO',
    })
  })

  it('stores neither a post nor a log entry for a rejected post', async () => {
    await create({ ...scheduled, Platforms: ['MYSPACE'] })
    expect((await list()).Total).toBe(0)
    expect(
      (await service.request('GET', `/api/v1/projects/${project}/logs`, editor)).body.data.Items,
    ).toEqual([])
  })
})

describe('List Logs', () => {
  it('lists the 500 newest entries, and says whether there are more', async () => {
    const listLogs = async () =>
      (await service.request('GET', `/api/v1/projects/${project}/logs`, editor)).body.data
    const entry = { project_id: project, action: 'test', actor: editor.email, created_at: clock.now() }
    const entries = Array.from({ length: 500 }, (_, index) => ({ ...entry, message: `Entry ${index}` }))
    await insertLogEntries(service.db, entries)
    expect(await listLogs()).toMatchObject({ Total: 500, TotalIsMore: false })
    await insertLogEntries(service.db, [{ ...entry, message: 'The newest entry' }])
    const { Items, ...totals } = await listLogs()
    expect(totals).toEqual({ Total: 500, TotalIsMore: true })
    expect(Items).toHaveLength(500)
    expect(Items[0].Message).toBe('The newest entry')
    expect(Items[499].Message).toBe('Entry 1')
  })
})

describe('List Posts and Get Upnext Post', () => {
  const addPost = (content: string, details: Partial<Parameters<typeof insertPost>[1]>) =>
    insertPost(service.db, {
      project_id: project,
      content,
      media: null,
      template_id: null,
      prompt_id: null,
      schedule_date: null,
      timezone: 'UTC',
      platforms: ['X'],
      status: 'SCHEDULED',
      ...details,
    })
  const on = (day: number) => new Date(Date.UTC(2027, 0, day, 9))

  it('sorts posts by date, then id, with drafts without a date last', async () => {
    await addPost('none', { status: 'DRAFT' })
    await addPost('third', { schedule_date: on(3), status: 'PUBLISHED' })
    await addPost('first', { schedule_date: on(1) })
    await addPost('second', { schedule_date: on(2), status: 'DRAFT' })
    expect(contents(await list())).toEqual(['first', 'second', 'third', 'none'])
  })

  it('includes both bounds of the date range, and leaves out posts without a date', async () => {
    for (const day of [1, 2, 3, 4]) await addPost(`${day}`, { schedule_date: on(day) })
    await addPost('none', { status: 'DRAFT' })
    expect(
      contents(
        await list('schedule_date_from=2027-01-02T09:00:00Z&schedule_date_to=2027-01-03T10:00:00%2B01:00'),
      ),
    ).toEqual(['2', '3'])
    expect(contents(await list('schedule_date_to=2027-01-02'))).toEqual(['1'])
  })

  it('combines several platforms and statuses, and lists a post on two platforms once', async () => {
    await addPost('both', { schedule_date: on(1), platforms: ['X', 'REDDIT'] })
    await addPost('reddit', { schedule_date: on(2), platforms: ['REDDIT'], status: 'DRAFT' })
    await addPost('tiktok', { schedule_date: on(3), platforms: ['TIKTOK'] })
    expect(await list('platforms=X&platforms=REDDIT')).toMatchObject({
      Total: 2,
      Items: [{ Content: 'both' }, { Content: 'reddit' }],
    })
    expect(contents(await list('platforms=REDDIT&status=SCHEDULED'))).toEqual(['both'])
    expect(contents(await list('status=DRAFT&status=SCHEDULED&platforms=TIKTOK&platforms=REDDIT'))).toEqual([
      'both',
      'reddit',
      'tiktok',
    ])
  })

  it('neither repeats nor skips posts between pages, even if several have the same date', async () => {
    for (let count = 0; count < 25; count++)
      await addPost(`${count}`, { schedule_date: on(1 + (count % 2)), platforms: ['X', 'THREADS'] })
    const listed: string[] = []
    for (let skip = 0; skip < 30; skip += 7)
      listed.push(...contents(await list(`skip=${skip}&limit=7&platforms=X&platforms=THREADS`)))
    expect(listed).toHaveLength(25)
    expect(new Set(listed).size).toBe(25)
  })

  it('counts the total up to 1,000, and sets TotalIsMore beyond', async () => {
    const addMany = (count: number) =>
      service.pool.query(
        `insert into service.post (project_id, content, platforms, status, schedule_date)
         select $1, 'x', array['X','REDDIT'], 'SCHEDULED', timestamptz '2027-01-01' + n * interval '1 minute' from generate_series(1, $2::int) n`,
        [project, count],
      )
    await addMany(1000)
    expect(await list('limit=1&platforms=X&platforms=REDDIT')).toMatchObject({
      Total: 1000,
      TotalIsMore: false,
    })
    await addMany(1)
    expect(await list('limit=1&platforms=X&platforms=REDDIT')).toMatchObject({
      Total: 1000,
      TotalIsMore: true,
    })
    expect(await list('limit=1')).toMatchObject({ Total: 1000, TotalIsMore: true })
  })

  it('does not list posts of other projects', async () => {
    await addPost('elsewhere', { project_id: await service.addProject(), schedule_date: on(1) })
    expect(await list()).toMatchObject({ Items: [], Total: 0 })
  })

  it('returns the next scheduled post, or null if there is none', async () => {
    const upnext = async () =>
      (await service.request('GET', `/api/v1/projects/${project}/dashboard/upnext-post`, editor)).body
    expect(await upnext()).toEqual({ data: null, success: true })
    await addPost('draft', { schedule_date: on(1), status: 'DRAFT' })
    await addPost('later', { schedule_date: on(3) })
    await addPost('next', { schedule_date: on(2) })
    expect((await upnext()).data.Content).toBe('next')
  })
})
