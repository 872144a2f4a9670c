import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let requests: URL[] = []
/** Payloads for some paths, in place of the service's own. */
let payloads: [path: RegExp, data: unknown][] = []
beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const url = new URL(request.url)
        requests.push(url)
        const payload = payloads.find(([path]) => path.test(url.pathname))
        return payload ? Response.json({ success: true, data: payload[1] }) : systemRuntime.fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
beforeEach(() => {
  requests = []
  payloads = []
})
afterAll(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const MAX_WAIT = { timeout: 60_000 }

const postQueries = () =>
  requests
    .filter(({ pathname }) => pathname.endsWith('/posts'))
    .map(({ searchParams }) => Object.fromEntries(searchParams))

type PlatformsBlock = { element?: { initial_options?: { value: string }[] } }

describe('/upnext posts', () => {
  it.each([
    ['drafts', '', { status: 'DRAFT' }],
    ['published on linkedin', '', { status: 'PUBLISHED', platforms: 'LINKEDIN' }],
    ['all posts and drafts', '', { status: 'DRAFT' }],
    [
      'from 1 march 2027 to 2 march 2027',
      ' from Mon 1 to Tue 2 Mar 2027',
      {
        // The days begin and end in the reader's time zone, which is Berlin.
        schedule_date_from: '2027-03-01T00:00:00.000+01:00',
        schedule_date_to: '2027-03-02T23:59:59.999+01:00',
      },
    ],
  ])('turns "%s" into a query', async (filter, days, query) => {
    await mara.run(`/upnext posts ${filter}`)
    await mara.hears(`No posts in Acme${days} matching "${filter}".`)
    expect(postQueries().at(-1)).toEqual({ ...query, skip: '0', limit: '100' })
  })

  it('searches words that are neither a date nor a filter, and says so if it finds none', async () => {
    await mara.run('/upnext posts banana')
    await mara.hears(
      'No posts in Acme matching "banana". Upnext searched the text of upcoming posts and of posts from the last 90 days',
    )
  })

  it('reads "x-mas" as a word, not as a platform', async () => {
    await mara.run('/upnext posts x-mas sale')
    await mara.hears('No posts in Acme matching "x-mas sale". Upnext searched the text')
    expect(postQueries().at(-1)).not.toHaveProperty('platforms')
  })

  it('does not say which days it searched if the command names them', async () => {
    await mara.run('/upnext posts "banana" from monday to friday')
    await mara.hears(/No posts in Acme from .* matching "banana/)
    expect(mara.lastText()).not.toContain('Upnext searched')
  })

  it('shows the image of a post if Slack can display it', async () => {
    const post = (Media: string) => ({
      Content: Media,
      Media,
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: 'PUBLISHED',
    })
    const links = ['https://a.example/a.png?sign=1', 'https://a.example/a.mp4', 'ftp://a.example/a.png']
    payloads = [[/posts$/, links.map(post)]]
    await mara.run('/upnext posts latest')
    await mara.hears('ftp://')
    const images = [...JSON.stringify(mara.lastMessage()).matchAll(/"image_url":"([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(images).toEqual(['https://a.example/a.png?sign=1'])
    expect(mara.lastText()).toContain('published')
  })
})

describe('/list-logs', () => {
  const log = (hour: number, Message = `No. ${hour}`) => ({
    Message,
    CreatedAt: `2026-11-20T${String(hour).padStart(2, '0')}:30:00Z`,
  })

  it("shows times in the reader's time zone, and filters every page", async () => {
    const hours = [3, 1, 12, 2, 4, 5, 6, 7, 8, 9, 10, 11]
    payloads = [[/logs$/, [...hours.map((hour) => log(hour)), log(20, 'Unrelated')]]]
    await mara.run('/list-logs no.')
    await mara.hears(/`20 Nov 13:30` No\. 12\n`20 Nov 12:30` No\. 11\n/)
    expect(mara.lastText()).not.toContain('No. 2\n')
    await mara.pressLast('logs:more')
    await mara.hears(/matching "no\."[\s\S]*No\. 2\n`20 Nov 02:30` No\. 1/)
    expect(mara.lastText()).not.toMatch(/No\. 12|Unrelated/)
    await mara.pressLast('logs:back')
    await mara.hears('No. 12')
  })
})

describe('/upnext templates', () => {
  it('lists templates page by page', async () => {
    payloads = [[/templates$/, Array.from({ length: 7 }, (_, Id) => ({ Id, Title: `T${Id}`, Content: 'x' }))]]
    await mara.run('/upnext templates')
    await mara.hears('T4')
    expect(mara.lastText()).not.toContain('T5')
    await mara.pressLast('templates:more')
    await mara.hears('T6')
    expect(mara.lastText()).not.toContain('T4')
  })

  it('goes back from the last page of a list that has become shorter', async () => {
    const templates = (count: number): typeof payloads => [
      [/templates$/, Array.from({ length: count }, (_, Id) => ({ Id, Title: `T${Id}`, Content: 'x' }))],
    ]
    payloads = templates(17)
    await mara.run('/upnext templates')
    await mara.hears('T4')
    for (const title of ['T9', 'T14']) {
      await mara.pressLast('templates:more')
      await mara.hears(title)
    }
    payloads = templates(8)
    await mara.pressLast('templates:more')
    await mara.hears('T7')
    await mara.pressLast('templates:back')
    await mara.hears('T0')
  })
})

describe('the Home tab', () => {
  const homeText = (member = mara) => JSON.stringify(member.state().home)
  const countPublished = () =>
    upnext.slack.controls.appPayloads().filter(({ name }) => name === 'views.publish').length

  it('is not published when only the messages tab is opened', async () => {
    await mara.openAppTab({ tab: 'messages' })
    await mara.run('/upnext')
    await mara.hears('Nothing is scheduled in Acme')
    expect(countPublished()).toBe(0)
  })

  it('asks the service for seven days of posts and for drafts', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText()).toContain('Drafts'), MAX_WAIT)
    const week = postQueries().find(({ status }) => status === 'SCHEDULED')
    expect(week).toMatchObject({
      schedule_date_from: expect.stringMatching(/^2026-11-20T13:0/),
      schedule_date_to: '2026-11-27T23:59:59.999+01:00',
    })
    expect(postQueries()).toContainEqual({ status: 'DRAFT', limit: '50' })
  })

  it('has an invitation button for admins only, and shows the chosen project', async () => {
    await vi.waitFor(() => expect(homeText()).toContain('invite:open'), MAX_WAIT)
    expect(homeText()).toMatch(/"initial_option":\{"text":\{"type":"plain_text","text":"Acme"/)
    const yuki = upnext.person('yuki')
    await yuki.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText(yuki)).toContain('Asia/Tokyo'), MAX_WAIT)
    expect(homeText(yuki)).not.toContain('invite:open')
  })

  it('says that there may be more drafts than it lists', async () => {
    const drafts = Array.from({ length: 50 }, (_, index) => ({
      ...{ Id: `draft-${index}`, Content: `Draft ${index}`, Status: 'DRAFT', Platforms: ['X'] },
    }))
    const draftsOf = (member: Member) => homeText(member).split('*Drafts*')[1] ?? ''
    const priya = upnext.person('priya')
    payloads = [[/posts$/, drafts]]
    await priya.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(draftsOf(priya)).toContain('Some posts may be missing here.'), MAX_WAIT)
  })

  it('lists a failed post without an id among the problems', async () => {
    const failed = {
      Content: 'The kettle is back',
      ScheduleDate: '2026-11-20T09:00:00+01:00',
      Platforms: ['X'],
      Status: 'FAILED',
      Results: [{ Platform: 'X', State: 'FAILED', Error: 'no' }],
    }
    const tomas = upnext.person('tomas')
    payloads = [[/posts$/, [failed]]]
    await tomas.openAppTab({ tab: 'home' })
    await vi.waitFor(
      () => expect(homeText(tomas)).toMatch(/Problems in the last 24 hours.*The kettle is back.*Up next/),
      MAX_WAIT,
    )
  })

  it('is published again only if its content has changed', async () => {
    const before = countPublished()
    const countLoaded = () => requests.filter(({ pathname }) => pathname.endsWith('/upnext-post')).length
    await mara.openAppTab({ tab: 'home' })
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(countLoaded()).toBe(2), MAX_WAIT)
    await mara.run('/schedule-post News! in 2 hours on X')
    const { id } = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({ done: true })
    await vi.waitFor(() => expect(homeText()).toContain('News!'), MAX_WAIT)
    expect(countPublished()).toBe(before + 1)
  })

  it('begins with submissions that need an answer', async () => {
    const { pool } = upnext.service
    await pool.query("update upnext.outbox_item set state = 'missed' where form = 'schedule'")
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(homeText()).toMatch(/1 of your submissions needs your attention/), MAX_WAIT)
    await mara.dispatchAction(mara.findOnHome('command:outbox'))
    const modal = () => JSON.stringify(mara.state().views.at(-1)?.blocks)
    await vi.waitFor(() => expect(modal()).toMatch(/Your outbox.*couldn't be sent in time.*News!/), MAX_WAIT)
    await mara.closeView({ view: mara.state().views.at(-1)?.id ?? '' })
    await pool.query("update upnext.outbox_item set state = 'sent' where form = 'schedule'")
  })

  it('changes with the time zone that a user sets, and only for that user', async () => {
    await vi.waitFor(() => expect(homeText()).toContain('Europe/Berlin'), MAX_WAIT)
    await mara.run('/upnext zone Lisbon')
    await vi.waitFor(() => expect(homeText()).toContain('Europe/Lisbon'), MAX_WAIT)
    await mara.run('/upnext zone Tokyo')
    await vi.waitFor(() => expect(homeText()).toContain('Asia/Tokyo'), MAX_WAIT)
    const priya = upnext.person('priya')
    await priya.run('/upnext zone')
    await priya.hears('Your time zone is *Asia/Kolkata*.')
  })
})

describe('/schedule-post', () => {
  it.each([
    ['Hello! tomorrow 9am for linkedin.', ['LINKEDIN']],
    ['Hello! tomorrow 9am TO X & Threads!', ['THREADS', 'X']],
    ['Relax! tomorrow 9am', []],
  ])('takes the platforms from the end of "%s"', async (text, platforms) => {
    await mara.run(`/schedule-post ${text}`)
    const { id, blocks } = await mara.form('Schedule a post')
    await mara.closeView({ view: id })
    const block = blocks.find(({ block_id }) => block_id === 'Platforms') as PlatformsBlock | undefined
    const selected = block?.element?.initial_options ?? []
    expect(selected.map(({ value }) => value).sort()).toEqual(platforms)
  })
})
