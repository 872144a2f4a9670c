import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
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
  await upnext.service.pool.query('delete from upnext.uploaded_picture')
  upnext.slack.controls.clearFaults()
})
afterAll(() => upnext.close())

const MAX_WAIT = { timeout: 60_000, interval: 20 }

type NewPost = {
  content: string
  at: string
  platforms?: ('X' | 'LINKEDIN')[]
  status?: 'SCHEDULED' | 'PUBLISHED'
}

const addPost = ({ content, at, platforms = ['X'], status = 'SCHEDULED' }: NewPost) =>
  insertPost(upnext.service.db, {
    project_id: upnext.project,
    content,
    timezone: 'UTC',
    platforms,
    status,
    schedule_date: new Date(at),
  })

const image = () =>
  mara.lastMessage()?.blocks?.find(({ type }) => type === 'image') as
    | { alt_text: string; slack_file: { id: string } }
    | undefined
const pickDay = (date: string) => {
  const { blocks = [], ts = '' } = mara.lastMessage() ?? {}
  const block = blocks.find((candidate) => JSON.stringify(candidate).includes('calendar:day'))
  const { options } = Object(Object(block).accessory)
  const { value } = options.find((option: { value: string }) => option.value.includes(date))
  return mara.dispatchAction({
    container: { channel: mara.channel, ts },
    block_id: block?.block_id ?? '',
    action_id: 'calendar:day',
    value,
  })
}
const countUploads = () =>
  upnext.slack.controls.appPayloads().filter(({ name }) => name === 'files.completeUploadExternal').length

// It is Friday 20 November 2026, and Mara's time zone is Berlin.
describe('/upnext week', () => {
  it('lists the posts of the week by day, each with its menu', async () => {
    await addPost({ content: 'Coffee in the sun', at: '2026-11-18T09:00Z', status: 'PUBLISHED' })
    await addPost({ content: 'Launch *day*!', at: '2026-11-20T16:00Z', platforms: ['LINKEDIN', 'X'] })
    await mara.runAndHear('/upnext week', /Acme: Mon 16 Nov – Sun 22 Nov 2026 \(Berlin time\)/)
    expect(mara.lastText()).toMatch(
      /\*Wednesday 18 November\*\n\*10:00\* {2}Coffee in the sun · X · published\n.*\*Friday 20 November\* · today\n\*17:00\* {2}Launch .*day.*! · LinkedIn, X\n.*Nothing on Sat 21 Nov, Sun 22 Nov\./s,
    )
    expect(mara.lastText()).not.toContain('Launch *day*!')
    expect(image()).toBeUndefined()
    await mara.pickLast('Duplicate')
    const { id } = await mara.form('Schedule a post')
    await mara.closeView({ view: id })
    await mara.pickLast('Cancel post')
    await mara.hears(/Cancel this post\?.*Launch/s)
  })

  it('moves to other weeks in the same message', async () => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    await mara.runAndHear('/upnext week', /Nothing is scheduled in these seven days\./)
    const { ts } = mara.lastMessage() ?? {}
    expect(mara.lastText()).not.toMatch(/Earlier posts|Later posts/)
    await mara.pressLast('calendar:next')
    await mara.hears(/Mon 23 Nov – Sun 29 Nov 2026.*17:00.*Launch day!/s)
    await mara.pressLast('calendar:today')
    await mara.hears(/Mon 16 Nov – Sun 22 Nov 2026.*Nothing is scheduled/s)
    expect(mara.lastMessage()?.ts).toBe(ts)
  })

  it('understands a date, and says so if it does not', async () => {
    await mara.runAndHear('/upnext week next week', /Mon 23 Nov – Sun 29 Nov 2026/)
    await mara.runAndHear('/upnext week 24 december', /Mon 21 Dec – Sun 27 Dec 2026/)
    await mara.runAndHear('/upnext week 49', /Mon 30 Nov – Sun 6 Dec 2026/)
    await mara.runAndHear('/upnext week banana', /"banana" wasn't understood/)
  })

  it('marks posts that go out on the same platform at nearly the same time', async () => {
    await addPost({ content: 'One', at: '2026-11-20T16:00Z', platforms: ['LINKEDIN', 'X'] })
    await addPost({ content: 'Two', at: '2026-11-20T16:10Z' })
    await addPost({ content: 'Three', at: '2026-11-20T16:12Z', platforms: ['LINKEDIN'] })
    await addPost({ content: 'Four', at: '2026-11-20T17:00Z' })
    await mara.runAndHear('/upnext week', /Four/)
    const NOTE = 'within 15 minutes of another post'
    const marked = mara
      .lastText()
      ?.split('\n')
      .flatMap((line) => (line.includes(NOTE) ? line.match(/One|Two|Three|Four/) : []))
    expect(marked?.map(String)).toEqual(['One', 'Two', 'Three'])
  })

  it('has pages, and begins with the chosen day', async () => {
    for (let hour = 0; hour < 22; hour++)
      for (const day of [16, 18])
        await addPost({
          content: `Post ${day}-${hour}.`,
          at: `2026-11-${day}T${String(hour).padStart(2, '0')}:00Z`,
        })
    await mara.runAndHear('/upnext week monday this week', /Post 16-0\./)
    expect(mara.lastText()?.match(/Post /g)).toHaveLength(15)
    const { ts } = mara.lastMessage() ?? {}
    await mara.pressLast('calendar:more')
    await mara.hears(/Post 16-21\..*\*Wednesday 18 November\*.*Post 18-0\./s)
    await mara.pressLast('calendar:back')
    await mara.hears(/Post 16-0\./)
    expect(mara.lastMessage()?.ts).toBe(ts)
    await mara.runAndHear('/upnext week', /Post 18-21\./)
  })

  it('shows the last day of a week that begins with more than 1,000 posts', async () => {
    await upnext.service.addPosts(upnext.project, { count: 1100, from: '2026-11-16T09:00Z' })
    await addPost({ content: 'Launch day!', at: '2026-11-22T16:00Z' })
    await mara.runAndHear('/upnext week', /Launch day!/)
  })
})

describe('/upnext month', () => {
  it('shows whole weeks as an image that says how many posts each day has', async () => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    await addPost({ content: 'Launch!', at: '2026-11-24T16:05Z' })
    await mara.runAndHear('/upnext month', /Acme: November 2026 \(Berlin time\).*Launch day!/s)
    expect(image()).toMatchObject({
      slack_file: { id: expect.stringMatching(/^F/) },
      alt_text: 'November 2026 (Berlin time). 24 Nov: 2 (2 too close together).',
    })
    for (let day = 1; day <= 30; day++)
      await addPost({ content: 'Post', at: `2026-11-${String(day).padStart(2, '0')}T09:00Z` })
    await mara.runAndHear('/upnext month', /November 2026/)
    expect(image()?.alt_text).toMatch(/\. 1 Nov: 1, 2: 1, .* 24: 3 \(2 too close together\), .* 30: 1\.$/)
    expect(image()?.alt_text.length).toBeLessThanOrEqual(300)
  })

  it('lists the posts of another day', async () => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    await mara.runAndHear('/upnext month', /Launch day!/)
    await pickDay('2026-11-23')
    await mara.hears(/No posts on Monday 23 November/)
  })

  it('uploads the same image once', async () => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    const before = countUploads()
    await mara.runAndHear('/upnext month', /Launch day!/)
    const first = image()?.slack_file.id
    upnext.wait({ minutes: 1 })
    await mara.runAndHear('/upnext month', /Launch day!/)
    expect(image()?.slack_file.id).toBe(first)
    expect(countUploads() - before).toBe(1)
  })

  it.each([
    ['takes no upload', 'files.getUploadURLExternal', 'internal_error'],
    ['lost the file', 'files.completeUploadExternal', 'internal_error'],
  ])('lists the posts without the image if Slack %s', async (_reason, method, error) => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    upnext.slack.controls.injectFault({ method, error, times: 5 })
    await mara.runAndHear('/upnext month', /The calendar image couldn't be shown.*Launch day!/s)
  })

  it.each([
    ['week', 'Mon 16 Nov – Sun 22 Nov 2026'],
    ['month', 'November 2026'],
  ])('says that a %s with more posts than were loaded is incomplete', async (kind, period) => {
    await upnext.service.addPosts(upnext.project, { count: 2100, from: '2026-11-16T09:00Z' })
    await mara.runAndHear(`/upnext ${kind}`, /Some posts may be missing here\./)
    expect(mara.lastText()).toContain(`${period} (Berlin time), incomplete`)
    expect(mara.lastText()).not.toContain('Nothing on')
  })

  it('lists a day with more than 15 posts, and opens any of them from a menu', async () => {
    for (let hour = 0; hour < 18; hour++)
      await addPost({ content: `Post ${hour}.`, at: `2026-11-20T${String(hour).padStart(2, '0')}:00Z` })
    await mara.runAndHear('/upnext month', /Post 0\..*Post 17\..*Open a post/s)
    const { blocks = [], ts = '' } = mara.lastMessage() ?? {}
    const select = blocks.find((block) => JSON.stringify(block).includes('post:open'))
    const { options } = Object(Object(select).accessory)
    expect(options).toHaveLength(18)
    await mara.dispatchAction({
      container: { channel: mara.channel, ts },
      block_id: select?.block_id ?? '',
      action_id: 'post:open',
      value: options[15].value,
    })
    await mara.hears(/^"Post 15\."(?!.*Post 16).*Edit.*Cancel post/s)
  })

  it('understands a month, and switches to the week of a day', async () => {
    await mara.runAndHear('/upnext month december', /Acme: December 2026/)
    await mara.pressLast('calendar:switch')
    await mara.hears(/Mon 30 Nov – Sun 6 Dec 2026/)
  })
})

describe('the Home tab', () => {
  it('opens the calendar in a modal', async () => {
    await addPost({ content: 'Launch day!', at: '2026-11-24T16:00Z' })
    await mara.runAndHear('/upnext use Acme', 'linked')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('calendar:open'), MAX_WAIT)
    await mara.dispatchAction(mara.findOnHome('calendar:open'))
    const view = () => mara.state().views.at(-1)
    await vi.waitFor(() => expect(JSON.stringify(view())).toContain('Mon 16 Nov – Sun 22 Nov 2026'), MAX_WAIT)
    const block = view()?.blocks.find((candidate) => JSON.stringify(candidate).includes('calendar:next'))
    await mara.dispatchAction({
      container: { view: view()?.id ?? '' },
      block_id: block?.block_id ?? '',
      action_id: 'calendar:next',
    })
    await vi.waitFor(() => expect(JSON.stringify(view())).toContain('Mon 23 Nov – Sun 29 Nov 2026'), MAX_WAIT)
    expect(mara.state().views).toHaveLength(1)
  })
})
