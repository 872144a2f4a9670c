import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
let mara: Member
let asked: URL[] = []
let data: [RegExp, unknown][] = []
beforeEach(async () => {
  asked = []
  data = []
  upnext = await openUpnext({
    isUnlimited: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const url = new URL(request.url)
        asked.push(url)
        const found = data.find(([path]) => path.test(url.pathname))
        return found ? Response.json({ success: true, data: found[1] }) : fetch(request)
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(async () => {
  expect(upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)).toEqual([])
  await upnext.close()
})

const lastQuery = () =>
  Object.fromEntries(asked.filter(({ pathname }) => pathname.endsWith('/posts')).at(-1)?.searchParams ?? [])

describe('/upnext posts', () => {
  it.each([
    ['drafts', { status: 'DRAFT' }],
    ['published on linkedin', { status: 'PUBLISHED', platforms: 'LINKEDIN' }],
    ['all posts and drafts', { status: 'DRAFT' }],
    [
      'from 1 march 2027 to 2 march 2027',
      {
        // The days are those of the reader, in Berlin.
        schedule_date_from: expect.stringMatching(/^2027-03-01T00:00:00.000\+01:00$/),
        schedule_date_to: expect.stringMatching(/^2027-03-02T23:59:59.999\+01:00$/),
      },
    ],
  ])('asks for %s', async (words, query) => {
    await mara.run(`/upnext posts ${words}`)
    await mara.hears(/There are no posts/)
    expect(lastQuery()).toEqual({ ...query, skip: '0', limit: '6' })
  })

  it('names the word that it cannot read', async () => {
    await mara.run('/upnext posts banana')
    await mara.hears('"banana" is no status and no platform')
  })

  it('shows a picture beside a post, where there is one that Slack can show', async () => {
    const post = (Media: string) => ({
      Content: Media,
      Media,
      ScheduleDate: '2027-03-01T09:00:00Z',
      Status: 'PUBLISHED',
    })
    data = [
      [
        /posts$/,
        ['https://a.example/a.png?sign=1', 'https://a.example/a.mp4', 'ftp://a.example/a.png'].map(post),
      ],
    ]
    await mara.run('/upnext posts')
    await mara.hears('ftp://')
    const pictures = [...JSON.stringify(mara.lastMessage()).matchAll(/"image_url":"([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(pictures).toEqual(['https://a.example/a.png?sign=1'])
    expect(mara.told()).toContain('published')
  })
})

describe('/list-logs', () => {
  const log = (hour: number, Message = `No. ${hour}`) => ({
    Message,
    CreatedAt: `2026-11-20T${String(hour).padStart(2, '0')}:30:00Z`,
  })

  it("stands in the reader's time, newest first, and keeps its word from page to page", async () => {
    data = [
      [
        /logs$/,
        [3, 1, 12, 2, ...Array.from({ length: 8 }, (_, index) => index + 4)]
          .map((hour) => log(hour))
          .concat(log(20, 'Another')),
      ],
    ]
    await mara.run('/list-logs no.')
    await mara.hears(/`20 Nov 13:30` No\. 12\n`20 Nov 12:30` No\. 11\n/)
    expect(mara.told()).not.toContain('No. 2\n')
    await mara.pressLast('logs:more')
    await mara.hears(/with "no\." in Acme[\s\S]*No\. 2\n`20 Nov 02:30` No\. 1/)
    expect(mara.told()).not.toMatch(/No\. 12|Another/)
    await mara.pressLast('logs:back')
    await mara.hears('No. 12')
  })
})

describe('/upnext templates', () => {
  it('turns its pages', async () => {
    data = [[/templates$/, Array.from({ length: 7 }, (_, Id) => ({ Id, Title: `T${Id}`, Content: 'x' }))]]
    await mara.run('/upnext templates')
    await mara.hears('T4')
    expect(mara.told()).not.toContain('T5')
    await mara.pressLast('templates:more')
    await mara.hears('T6')
    expect(mara.told()).not.toContain('T4')
  })
})

describe('the Home', () => {
  const home = () => JSON.stringify(mara.state().home)

  it('asks for what is scheduled within seven days, and for drafts', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(home()).toContain('Drafts'))
    const queries = asked
      .filter(({ pathname }) => pathname.endsWith('/posts'))
      .map(({ searchParams }) => Object.fromEntries(searchParams))
    const days = queries.find(({ status }) => status === 'SCHEDULED')
    const [from, to] = [days?.schedule_date_from, days?.schedule_date_to].map((at) => Date.parse(at ?? ''))
    expect(((to ?? 0) - (from ?? 0)) / 86_400_000).toBeGreaterThanOrEqual(7)
    expect(((to ?? 0) - (from ?? 0)) / 86_400_000).toBeLessThan(8)
    expect(queries).toContainEqual({ status: 'DRAFT', limit: '50' })
  })

  it('offers invitations to admins alone, and shows what is chosen', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(home()).toContain('invite:open'))
    expect(home()).toMatch(/"initial_option":\{"text":\{"type":"plain_text","text":"Acme"/)
    const yuki = upnext.person('yuki')
    await yuki.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(yuki.state().home)).toContain('Asia/Tokyo'))
    expect(JSON.stringify(yuki.state().home)).not.toContain('invite:open')
  })

  it('is not made where only the messages are looked at', async () => {
    await mara.openAppTab({ tab: 'messages' })
    await mara.run('/upnext')
    await mara.hears('Acme')
    expect(upnext.slack.controls.appPayloads().filter(({ name }) => name === 'views.publish')).toEqual([])
  })

  it("follows when one's own time zone is changed with a command", async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(home()).toContain('Europe/Berlin'))
    await mara.run('/upnext zone Lisbon')
    await vi.waitFor(() => expect(home()).toContain('Europe/Lisbon'))
    await mara.run('/upnext zone Tokyo')
    await vi.waitFor(() => expect(home()).toContain('Asia/Tokyo'))
    // One's own: nobody else's.
    const priya = upnext.person('priya')
    await priya.run('/upnext zone')
    await priya.hears('times of *Asia/Kolkata*')
  })
})

describe('words for platforms', () => {
  it.each([
    ['Hello! tomorrow 9am for linkedin.', ['LINKEDIN']],
    ['Hello! tomorrow 9am TO X & Threads!', ['X', 'THREADS']],
    ['Relax! tomorrow 9am', []],
  ])('are taken off the end of "%s"', async (words, wanted) => {
    await mara.run(`/schedule-post ${words}`)
    const { blocks } = await mara.form('Schedule a post')
    const { element } = Object(blocks.find(({ block_id }) => block_id === 'Platforms'))
    expect((element.initial_options ?? []).map((one: { value: string }) => one.value).sort()).toEqual(
      [...wanted].sort(),
    )
  })
})
