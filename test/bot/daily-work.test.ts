import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member

beforeAll(async () => {
  upnext = await openUpnext({ relaxTimeouts: true, disableRateLimits: true })
  mara = upnext.person('mara')
})
afterEach(async () => {
  await upnext.service.pool.query('delete from service.post')
})
afterAll(() => upnext.close())

const addPost = (content: string, at: string, platform: 'X' | 'LINKEDIN' = 'X') =>
  insertPost(upnext.service.db, {
    ...{ project_id: upnext.project, content, timezone: 'UTC', platforms: [platform] },
    ...{ status: new Date(at) < upnext.now() ? 'PUBLISHED' : 'SCHEDULED', schedule_date: new Date(at) },
  })
const openForm = async (words: string) => {
  await mara.run(`/schedule-post ${words}`)
  return mara.form('Schedule a post')
}
const topView = () => JSON.stringify(mara.state().views.at(-1))

// It is Friday 20 November 2026, 13:00 in Berlin.
describe('a post for now', () => {
  it('is scheduled for the moment after the confirmation, however long that takes', async () => {
    const { id } = await openForm('The shop is open! on X')
    await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'now' }) })
    expect(topView()).toContain("This goes out immediately, so you can't cancel it.")
    upnext.wait({ minutes: 2 })
    expect(await mara.confirm('Schedule anyway')).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme/)
    const { rows } = await upnext.service.pool.query('select schedule_date from service.post')
    const waitMs = rows[0].schedule_date.getTime() - upnext.now().getTime()
    expect(waitMs).toBeGreaterThan(0)
    expect(waitMs).toBeLessThanOrEqual(30_000)
  })
})

it('asks before a post is moved to now', async () => {
  await addPost('Launch day', '2026-11-21T08:00Z')
  await mara.run('/upnext reschedule launch')
  const { id } = await mara.form('Reschedule a post')
  await mara.submitView({ view: id, values: mara.fill({ ScheduleDate: 'now' }) })
  expect(topView()).toContain('This goes out immediately')
  upnext.wait({ minutes: 1 })
  expect(await mara.confirm('Move anyway')).toEqual({ done: true })
  await mara.hears(/Rescheduled in Acme/)
})

describe('a post that is close to another one on the same platform', () => {
  const NOTE =
    /Another post is already scheduled on X within 15 minutes: "Launch \\\*day\\\*"|within 15 minutes/

  it.each([
    ['tomorrow 09:10 on X and LinkedIn', true],
    ['tomorrow 08:46 on X', true],
    ['tomorrow 09:15 on X', false],
    ['tomorrow 09:10 on LinkedIn', false],
  ])('is reported with the confirmation (%s: %s)', async (words, isReported) => {
    await addPost('Launch day', '2026-11-21T08:00Z')
    const { id } = await openForm(`Spring sale! ${words}`)
    await mara.submitAndHear({ view: id, values: {} }, /Scheduled in Acme/)
    if (isReported) expect(mara.lastText()).toMatch(NOTE)
    else expect(mara.lastText()).not.toMatch(NOTE)
  })
})

it('is also reported if the confirmation is posted in the channel', async () => {
  await addPost('Launch day', '2026-11-21T08:00Z')
  const { id } = await openForm('Spring sale! tomorrow 09:10 on X')
  const values = { notify: { notify: ['yes'] } }
  await mara.submitAndHear({ view: id, values }, /Posted in <#\w+>\.[\s\S]*within 15 minutes/)
})

describe('/upnext find', () => {
  it('finds all words wherever they are in the text, the posts to come first', async () => {
    await addPost('Our spring lamp is back', '2026-10-01T09:00Z')
    await addPost('A lamp for every SPRING evening', '2026-11-25T09:00Z')
    await addPost('Spring sale', '2026-11-24T09:00Z')
    await mara.runAndHear('/upnext find spring lamp', /Posts in Acme matching "spring lamp"/)
    expect(mara.lastText()).toMatch(/SPRING evening.*Our spring lamp/s)
    expect(mara.lastText()).not.toContain('Spring sale')
  })

  it('searches for dates and platforms as plain words', async () => {
    await addPost('See you on friday', '2026-11-25T09:00Z')
    await addPost('LinkedIn is down', '2026-11-26T09:00Z')
    await mara.runAndHear('/upnext find friday', /See you on friday/)
    await mara.runAndHear('/upnext find linkedin', /LinkedIn is down/)
  })

  it('asks for words', async () => {
    await mara.runAndHear('/upnext find', 'Add words from the post: `/upnext find spring lamp`.')
  })

  it('explains dates in the wrong order, and searches behind an open quote', async () => {
    await addPost('A new roast', '2026-11-25T09:00Z')
    await mara.runAndHear(
      '/upnext posts from 20 november 2026 to 10 november 2026',
      /wasn't understood\. .*in quotes\./,
    )
    await mara.runAndHear('/upnext posts "roast', /A new roast/)
  })

  it('works in a list with filters', async () => {
    await addPost('A lamp on LinkedIn', '2026-11-25T09:00Z', 'LINKEDIN')
    await addPost('A lamp', '2026-11-25T10:00Z')
    await mara.runAndHear('/upnext posts lamp on linkedin', /A lamp on LinkedIn/)
    expect(mara.lastText()).not.toContain('11:00')
  })
})
