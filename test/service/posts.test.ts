import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insertPost, type NewPost } from '../../src/service/stores/posts-store.ts'
import { insertTemplate } from '../../src/service/stores/prompts-and-templates-store.ts'
import { startTestService, type TestService } from '../support/service.ts'

const now = new Date('2026-11-20T12:00:00Z')

let service: TestService
let project: string
let editor: { token: string; email: string }
beforeAll(async () => {
  service = await startTestService({ runtime: { now: () => now } })
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

describe('creating a post', () => {
  it('places a date without an offset in its timezone, and shows it there', async () => {
    const { status, body } = await create(scheduled)
    expect([status, body.data]).toMatchObject([
      201,
      { ...scheduled, ScheduleDate: '2026-11-27T09:00:00+01:00' },
    ])
  })

  it('takes a date with an offset for that moment, whatever the timezone', async () => {
    const { body } = await create({ ...scheduled, ScheduleDate: '2026-11-27T09:00:00-05:00' })
    expect(body.data.ScheduleDate).toBe('2026-11-27T15:00:00+01:00')
  })

  it('refuses a time that the clocks skip, and takes the first of one that comes twice', async () => {
    const skipped = await create({ ...scheduled, ScheduleDate: '2027-03-28T02:30' })
    expect(skipped.body.detail).toMatchObject([{ type: 'value_error', loc: ['body', 'ScheduleDate'] }])
    const twice = await create({ ...scheduled, ScheduleDate: '2027-10-31T02:30' })
    expect(twice.body.data.ScheduleDate).toBe('2027-10-31T02:30:00+02:00')
  })

  it('schedules nothing for a moment that has passed, but keeps a draft of it', async () => {
    const past = { ...scheduled, ScheduleDate: '2026-11-20T13:00:00' } // now, in Berlin
    expect((await create(past)).body.detail).toMatchObject([
      { type: 'value_error', loc: ['body', 'ScheduleDate'] },
    ])
    expect((await create({ ...past, Status: 'DRAFT' })).status).toBe(201)
    expect((await create({ ...past, ScheduleDate: '2026-11-20T13:00:01' })).status).toBe(201)
  })

  it('asks for everything that a scheduled post lacks', async () => {
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

  it('lets a draft lack all of it', async () => {
    const { status, body } = await create({})
    expect([status, body.data]).toMatchObject([
      201,
      { Content: null, ScheduleDate: null, Platforms: [], Status: 'DRAFT' },
    ])
  })

  it('schedules where a date is given and no status, and makes a draft where neither is', async () => {
    const { Status: _status, ...rest } = scheduled
    expect((await create(rest)).body.data.Status).toBe('SCHEDULED')
    expect((await create({ Content: 'x' })).body.data.Status).toBe('DRAFT')
  })

  it('does not let anybody publish by hand', async () => {
    expect((await create({ ...scheduled, Status: 'PUBLISHED' })).body.detail).toMatchObject([
      { type: 'enum' },
    ])
  })

  it('takes media, a template or a prompt of the project for content', async () => {
    const { Content: _content, ...rest } = scheduled
    const { id } = await insertTemplate(service.db, {
      project_id: project,
      title: 'T',
      content: 'C',
      description: null,
    })
    const stranger = await insertTemplate(service.db, {
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
    for (const id of ['', 'x', stranger.id])
      expect((await create({ ...scheduled, PromptId: id })).body.detail).toMatchObject([
        { loc: ['body', 'PromptId'] },
      ])
    expect((await create({ ...rest, TemplateId: stranger.id })).body.detail).toMatchObject([
      { loc: ['body', 'TemplateId'] },
    ])
  })

  it('names a platform once, however often it was given', async () => {
    expect((await create({ ...scheduled, Platforms: ['X', 'REDDIT', 'X'] })).body.data.Platforms).toEqual([
      'X',
      'REDDIT',
    ])
  })

  it('refuses a date that lies outside the years of the calendar once it is placed', async () => {
    const { body } = await create({ ...scheduled, ScheduleDate: '9999-12-31T23:59:59-12:00' })
    expect(body.detail).toMatchObject([{ loc: ['body', 'ScheduleDate'] }])
  })

  it('refuses a timezone that there is not', async () => {
    expect((await create({ ...scheduled, Timezone: 'Europe/Atlantis' })).body.detail).toMatchObject([
      { loc: ['body', 'Timezone'], type: 'value_error' },
    ])
  })

  it('is in the log: who, what and when', async () => {
    const { body } = await create(scheduled)
    const logs = await service.request('GET', `/api/v1/projects/${project}/logs`, editor)
    expect(logs.body.data.Items[0]).toMatchObject({
      Action: 'post.created',
      Actor: editor.email,
      TargetId: body.data.Id,
      CreatedAt: now.toISOString(),
      Level: 'INFO',
    })
  })

  it('leaves nothing behind where it was refused', async () => {
    await create({ ...scheduled, Platforms: ['MYSPACE'] })
    expect((await list()).Total).toBe(0)
    expect(
      (await service.request('GET', `/api/v1/projects/${project}/logs`, editor)).body.data.Items,
    ).toEqual([])
  })
})

describe('listing posts', () => {
  const add = (content: string, more: Partial<NewPost>) =>
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
      ...more,
    })
  const on = (day: number) => new Date(Date.UTC(2027, 0, day, 9))

  it('goes by date, then id, with drafts without a date last', async () => {
    await add('none', { status: 'DRAFT' })
    await add('third', { schedule_date: on(3), status: 'PUBLISHED' })
    await add('first', { schedule_date: on(1) })
    await add('second', { schedule_date: on(2), status: 'DRAFT' })
    expect(contents(await list())).toEqual(['first', 'second', 'third', 'none'])
  })

  it('counts both bounds in, and leaves out what has no date', async () => {
    for (const day of [1, 2, 3, 4]) await add(`${day}`, { schedule_date: on(day) })
    await add('none', { status: 'DRAFT' })
    expect(
      contents(
        await list('schedule_date_from=2027-01-02T09:00:00Z&schedule_date_to=2027-01-03T10:00:00%2B01:00'),
      ),
    ).toEqual(['2', '3'])
    expect(contents(await list('schedule_date_to=2027-01-02'))).toEqual(['1'])
  })

  it('takes any of several platforms and statuses, and shows a post on two of them once', async () => {
    await add('both', { schedule_date: on(1), platforms: ['X', 'REDDIT'] })
    await add('reddit', { schedule_date: on(2), platforms: ['REDDIT'], status: 'DRAFT' })
    await add('tiktok', { schedule_date: on(3), platforms: ['TIKTOK'] })
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

  it('comes in pages that neither repeat nor leave out, also among posts of the same moment', async () => {
    for (let count = 0; count < 25; count++)
      await add(`${count}`, { schedule_date: on(1 + (count % 2)), platforms: ['X', 'THREADS'] })
    const seen: string[] = []
    for (let skip = 0; skip < 30; skip += 7)
      seen.push(...contents(await list(`skip=${skip}&limit=7&platforms=X&platforms=THREADS`)))
    expect(seen).toHaveLength(25)
    expect(new Set(seen).size).toBe(25)
  })

  it('counts to a thousand, and then says that there are more', async () => {
    const more = (count: number) =>
      service.pool.query(
        `insert into service.post (project_id, content, platforms, status, schedule_date)
         select $1, 'x', array['X','REDDIT'], 'SCHEDULED', now() + n * interval '1 minute' from generate_series(1, $2::int) n`,
        [project, count],
      )
    await more(1000)
    expect(await list('limit=1&platforms=X&platforms=REDDIT')).toMatchObject({
      Total: 1000,
      TotalIsMore: false,
    })
    await more(1)
    expect(await list('limit=1&platforms=X&platforms=REDDIT')).toMatchObject({
      Total: 1000,
      TotalIsMore: true,
    })
    expect(await list('limit=1')).toMatchObject({ Total: 1000, TotalIsMore: true })
  })

  it('shows nothing of another project', async () => {
    await add('elsewhere', { project_id: await service.addProject(), schedule_date: on(1) })
    expect(await list()).toMatchObject({ Items: [], Total: 0 })
  })

  it('knows the next post to go out, and that there is none', async () => {
    const upnext = async () =>
      (await service.request('GET', `/api/v1/projects/${project}/dashboard/upnext-post`, editor)).body
    expect(await upnext()).toEqual({ data: null, success: true })
    await add('draft', { schedule_date: on(1), status: 'DRAFT' })
    await add('later', { schedule_date: on(3) })
    await add('next', { schedule_date: on(2) })
    expect((await upnext()).data.Content).toBe('next')
  })
})
