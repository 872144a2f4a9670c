import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Respond, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
let mara: Member
let respond: Respond = () => undefined

beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    respond: (request) => respond(request),
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  respond = () => undefined
  for (const { id } of mara.state().views) await mara.closeView({ view: id })
  await upnext.service.pool.query('delete from service.post')
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const addPost = (content: string, day?: string) =>
  insertPost(upnext.service.db, {
    project_id: upnext.project,
    content,
    media: 'https://acme.example/lamp.png',
    timezone: 'America/New_York',
    platforms: ['X', 'LINKEDIN'],
    ...(day ? { status: 'SCHEDULED', schedule_date: new Date(`${day}T14:00Z`) } : { status: 'DRAFT' }),
  })

const openEdit = async (words: string) => {
  await mara.run(`/upnext edit ${words}`)
  return mara.form('Edit a post')
}
const initialValues = (blocks: { block_id: string; element?: object }[]) => {
  const elementOf = (name: string) => Object(blocks.find(({ block_id }) => block_id === name)?.element)
  return {
    Content: elementOf('Content').initial_value,
    ScheduleDate: elementOf('ScheduleDate').initial_value,
    Media: elementOf('Media').initial_value,
    Platforms: elementOf('Platforms').initial_options?.map(({ value }: { value: string }) => value),
    Status: elementOf('Status').initial_option?.value,
  }
}
const storedPost = async () => (await upnext.service.pool.query('select * from service.post')).rows[0]

describe('editing a post', () => {
  it('finds a post by words in quotes', async () => {
    await addPost('Stollen is here', '2026-11-23')
    await addPost('Stollen was here', '2026-11-24')
    expect(JSON.stringify((await openEdit('“Stollen is”')).blocks)).toContain('Stollen is here')
    await mara.runAndHear('/upnext edit "', /Which post do you want to edit/)
  })

  it('opens the form with the post as it is, in its own time zone', async () => {
    await addPost('Launch day!', '2026-11-27')
    const { blocks } = await openEdit('launch')
    expect(initialValues(blocks as never)).toEqual({
      Content: 'Launch day!',
      ScheduleDate: 'Fri 27 Nov 2026, 09:00 America/New_York',
      Media: 'https://acme.example/lamp.png',
      Platforms: ['LINKEDIN', 'X'],
      Status: 'SCHEDULED',
    })
  })

  it('saves the changed fields, and leaves the rest as it is', async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch week!' }) },
      /Saved the changes in Acme.*(LinkedIn, X|X, LinkedIn).*Launch week!/s,
    )
    expect(await storedPost()).toMatchObject({
      content: 'Launch week!',
      media: 'https://acme.example/lamp.png',
      schedule_date: new Date('2026-11-27T14:00Z'),
      timezone: 'America/New_York',
      version: 2,
    })
  })

  it('reschedules a post with a date in plain words', async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('27 nov')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ ScheduleDate: '1 december 10am Berlin' }) },
      'Saved the changes in Acme',
    )
    expect(await storedPost()).toMatchObject({
      schedule_date: new Date('2026-12-01T09:00Z'),
      timezone: 'Europe/Berlin',
    })
  })

  it.each([
    ['the first of two times at 02:30', '2027-10-31T00:30:00Z', 'Europe/Berlin', 'SCHEDULED'],
    ['the second of two times at 02:30', '2027-10-31T01:30:00Z', 'Europe/Berlin', 'SCHEDULED'],
    ['a time with seconds', '2026-12-01T08:00:30Z', 'Europe/Berlin', 'SCHEDULED'],
    ['a zone whose name has a Spanish weekday', '2026-12-01T08:00:00Z', 'America/Santo_Domingo', 'SCHEDULED'],
    ['the past time of a draft', '2026-11-16T08:00:00Z', 'Europe/Berlin', 'DRAFT'],
  ] as const)('keeps %s if only the text is changed', async (_name, time, timezone, status) => {
    const schedule_date = new Date(time)
    await insertPost(upnext.service.db, {
      ...{ project_id: upnext.project, content: 'Launch day!', platforms: ['X'], media: null },
      ...{ schedule_date, timezone, status },
    })
    const { id } = await openEdit('launch')
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch night!' }) },
      /Saved the changes/,
    )
    expect(mara.lastText()).not.toContain('Moved')
    expect(await storedPost()).toMatchObject({ content: 'Launch night!', schedule_date, timezone, status })
  })

  it('is not moved without a time, and the form asks for one', async () => {
    await addPost('Launch day!', '2026-11-27')
    await mara.run('/upnext reschedule 27 nov')
    const { id } = await mara.form('Reschedule a post')
    expect(await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: ' ' }) })).toEqual({
      errors: { ScheduleDate: 'Enter a time.' },
    })
  })

  it('schedules a draft', async () => {
    await addPost('Half a thought')
    const { id } = await openEdit('half')
    const values = mara.fill({ ScheduleDate: 'tomorrow 9am', Status: 'SCHEDULED' })
    await mara.submitAndHear({ view: id, values }, 'Saved the changes in Acme')
    expect(await storedPost()).toMatchObject({ status: 'SCHEDULED' })
  })

  it("shows the service's errors under the fields they concern", async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    respond = ({ method }) =>
      method === 'PUT'
        ? Response.json(
            { detail: [{ loc: ['body', 'Content'], msg: 'Too dull', type: 'x' }] },
            { status: 422 },
          )
        : undefined
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ errors: { Content: 'Too dull' } })
  })

  it("shows someone else's changes, keeps what was typed, and saves after a confirmation", async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    await upnext.service.pool.query("update service.post set content = 'Lunch <day>!', version = version + 1")
    expect(await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch week!' }) })).toEqual({
      done: true,
    })
    const shown = JSON.stringify(mara.state().views.at(-1)?.blocks)
    expect(shown).toMatch(
      /Someone else changed this post\. It is now: .*Lunch &lt;day&gt;!.* You're about to replace it with:.*Launch week!.*When/,
    )
    expect((await storedPost()).content).toBe('Lunch <day>!')
    expect(await mara.confirm('Replace this text')).toEqual({ done: true })
    await mara.hears(/Saved the changes.*Launch week!.*Someone else had changed this post/s)
    expect((await storedPost()).content).toBe('Launch week!')
  })

  it('asks before it replaces a version that differs only in its line breaks', async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    await upnext.service.pool.query("update service.post set content = 'Launch week!', version = version + 1")
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Launch\nweek!' }) })
    expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain("You're about to replace it with:")
    expect(await mara.confirm('Replace this text')).toEqual({ done: true })
    await mara.hears('Saved the changes')
    expect((await storedPost()).content).toBe('Launch\nweek!')
  })

  it('says if the post was published or cancelled after the form was opened', async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    await upnext.service.pool.query("update service.post set status = 'PUBLISHED', version = version + 1")
    await mara.submitView({ view: id, values: mara.fill({ Content: 'Too late' }) })
    expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain(
      "This post is already published, so it can't be changed or cancelled.",
    )
    await upnext.service.pool.query('delete from service.post')
    await mara.submitView({ view: id, values: {} })
    expect(JSON.stringify(mara.state().views.at(-1)?.blocks)).toContain('This post no longer exists.')
  })

  it("doesn't mistake the bot's own change for someone else's if the response was lost", async () => {
    await addPost('Launch day!', '2026-11-27')
    const { id } = await openEdit('launch')
    let attempts = 0
    respond = async (request) => {
      if (request.method !== 'PUT' || attempts++) return undefined
      await fetch(request.clone())
      return new Response(null, { status: 502 })
    }
    await mara.submitAndHear(
      { view: id, values: mara.fill({ Content: 'Launch week!' }) },
      'Saved the changes in Acme',
    )
    expect(attempts).toBe(2)
    expect(await storedPost()).toMatchObject({ content: 'Launch week!', version: 2 })
  })

  it("doesn't open a post that is longer than Slack's inputs, because saving would truncate it", async () => {
    await addPost(`Long ${'story '.repeat(600)}`, '2026-11-27')
    await mara.runAndHear('/upnext edit long', '*Text* is too long to edit in Slack.')
  })

  it('starts from the menu of the post, and is recorded in the audit trail with the id of the post', async () => {
    const { id: post_id } = await addPost('Launch day!', '2026-11-27')
    await mara.runAndHear('/upnext', /Launch day!.*Edit.*Cancel post/s)
    await mara.pickLast('Edit')
    const { id } = await mara.form('Edit a post')
    await mara.submitAndHear({ view: id, values: mara.fill({ Content: 'Hi' }) }, 'Saved the changes')
    await vi.waitFor(async () => {
      const { rows } = await upnext.service.pool.query(
        "select target from upnext.audit_entry where action = 'edit' and outcome = 'done' order by id desc limit 1",
      )
      expect(rows).toEqual([{ target: post_id }])
    }, MAX_WAIT)
  })
})
