import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Fate, sendWithFate } from '../support/lose-answers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** What a filter of posts looks at. */
type ServicePost = { Content: string; ScheduleDate: string }

let upnext: Upnext
let mara: Member
/** What becomes of the next posts. */
let fate: Fate
let isOwnService: boolean
/** Which posts the list contains, of those that the service would return for this range. */
let isListed: (post: ServicePost, range: { to: string }) => boolean
const createdAt = new Map<string, number>()

beforeEach(async () => {
  fate = 'created'
  isOwnService = false
  isListed = () => true
  createdAt.clear()
  upnext = await openUpnext({
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        // Without the key, the bot looks up what may have arrived.
        request.headers.delete('idempotency-key')
        if (request.method === 'POST') return create(request)
        if (request.url.endsWith('/openapi.json') && !isOwnService) return new Response(null, { status: 404 })
        const response = await systemRuntime.fetch(request)
        const { pathname, searchParams } = new URL(request.url)
        const to = searchParams.get('schedule_date_to') ?? 'unlimited'
        return pathname.endsWith('/posts') ? filterList(response, to) : response
      },
    },
  })
  mara = upnext.person('mara')
})
afterEach(() => upnext.close())

async function create(request: Request): Promise<Response> {
  const { Content } = (await request.clone().json()) as ServicePost
  createdAt.set(Content, +upnext.now())
  return sendWithFate(request, fate)
}

async function filterList(response: Response, to: string): Promise<Response> {
  const list = (await response.json()) as { data: ServicePost[] | { Items: ServicePost[] } }
  const posts = Array.isArray(list.data) ? list.data : list.data.Items
  return Response.json({ data: posts.filter((post) => isListed(post, { to })) })
}

async function submit(content: string, date = 'tomorrow 9am Berlin time'): Promise<void> {
  await mara.run(`/schedule-post ${date} on X and LinkedIn`)
  const { id } = await mara.form('Schedule a post')
  const values = mara.fill({ Content: content })
  await mara.submitView({ view: id, values })
  const isSameText = mara.state().views.at(-1)?.submit?.text === 'Schedule anyway'
  if (isSameText) await mara.confirm('Schedule anyway')
  if (fate === 'created') await mara.hears('Scheduled in Acme')
}

async function lookUp(): Promise<void> {
  upnext.wait({ minutes: 0.6 })
  await upnext.settled()
}
async function lookUpTwice(): Promise<void> {
  await lookUp()
  upnext.wait({ minutes: 1.1 })
  await upnext.settled()
}

const waitForPosts = (contents: string[]) =>
  vi.waitFor(
    async () => {
      const { rows } = await upnext.service.pool.query('select content from service.post order by created_at')
      expect(rows.map(({ content }) => content)).toEqual(contents)
    },
    { timeout: 10_000, interval: 20 },
  )

describe('a post whose response was lost', () => {
  it('exists once if the list shows it late', async () => {
    isListed = ({ Content }) => +upnext.now() - (createdAt.get(Content) ?? 0) > 45_000
    fate = 'answer lost'
    await submit('Late in the list')
    await lookUpTwice()
    await mara.hears('Done, after a delay')
    await waitForPosts(['Late in the list'])
  })

  it('exists once if the list excludes the end of its range', async () => {
    isListed = ({ ScheduleDate }, { to }) => Date.parse(ScheduleDate) < Date.parse(to)
    fate = 'answer lost'
    await submit('At the end of the range')
    await lookUp()
    await mara.hears('Done, after a delay')
    await waitForPosts(['At the end of the range'])
  })

  it('is reported as unclear if the list lacks an existing post', async () => {
    await submit('Certainly there')
    upnext.wait({ minutes: 2 })
    isListed = () => false
    fate = 'answer lost'
    await submit('Perhaps there', 'tomorrow 11am Berlin time')
    await lookUpTwice()
    await mara.hears(/no clear response/)
    await waitForPosts(['Certainly there', 'Perhaps there'])
  })

  it('is reported as unclear if the list of another day lacks an existing post', async () => {
    await submit('Certainly there', 'Dec 24 9am Berlin time')
    upnext.wait({ minutes: 2 })
    isListed = () => false
    fate = 'answer lost'
    await submit('Perhaps there')
    await lookUpTwice()
    await mara.hears(/no clear response/)
    await waitForPosts(['Certainly there', 'Perhaps there'])
  })
})

it('creates a post in HTML once if its response was lost', async () => {
  isOwnService = true
  fate = 'answer lost'
  await submit('<p>Hello &amp; goodbye</p>')
  await lookUp()
  await mara.hears('Done, after a delay')
  await waitForPosts(['<p>Hello &amp; goodbye</p>'])
})

describe('a first post, before the list has ever shown one', () => {
  it('is reported as unclear if no list contains a post', async () => {
    isListed = () => false
    fate = 'answer lost'
    await submit('Perhaps there')
    await lookUpTwice()
    await mara.hears(/no clear response/)
    await waitForPosts(['Perhaps there'])
  })

  it('is reported as unclear if only the list without a range contains it', async () => {
    isListed = (_post, { to }) => to === 'unlimited'
    fate = 'answer lost'
    await submit('Perhaps there')
    await lookUpTwice()
    await mara.hears(/no clear response/)
    await waitForPosts(['Perhaps there'])
  })

  it('is sent again if the list shows posts from elsewhere, but not this one', async () => {
    await submit('From elsewhere', 'in 3 days at 9am Berlin time')
    await upnext.service.pool.query('delete from upnext.outbox_item')
    fate = 'request lost'
    await submit('Not there yet')
    fate = 'created'
    await lookUpTwice()
    await mara.hears('Done, after a delay')
    await waitForPosts(['From elsewhere', 'Not there yet'])
  })
})

describe('a post that has not arrived', () => {
  it('is sent again only after two lookups at least a minute apart', async () => {
    await submit('Certainly there', 'in 3 days at 9am Berlin time')
    upnext.wait({ minutes: 2 })
    fate = 'request lost'
    await submit('Not there yet')
    fate = 'created'
    await lookUp()
    await waitForPosts(['Certainly there'])
    upnext.wait({ minutes: 0.8 })
    await upnext.settled()
    await waitForPosts(['Certainly there'])
    upnext.wait({ minutes: 0.3 })
    await mara.hears('Done, after a delay')
    await waitForPosts(['Certainly there', 'Not there yet'])
  })

  it('is sent again after one lookup if the service lists posts immediately', async () => {
    isOwnService = true
    fate = 'request lost'
    await submit('Not there yet')
    fate = 'created'
    await lookUp()
    await mara.hears('Done, after a delay')
    await waitForPosts(['Not there yet'])
  })

  it.each([
    ['another text at the same time', 'Our other post', 'tomorrow 9am Berlin time'],
    ['the same text ten minutes later', 'Every day', 'tomorrow 9:10 Berlin time'],
    ['the same text a day later', 'Every day', 'in 2 days at 9am Berlin time'],
  ])('is sent again despite a post from Upnext with %s', async (_, content, date) => {
    await submit(content, date)
    upnext.wait({ minutes: 2 })
    fate = 'request lost'
    await submit('Every day')
    fate = 'created'
    await lookUpTwice()
    await mara.hears('Done, after a delay')
    await waitForPosts([content, 'Every day'])
  })

  it('is sent again despite a post from elsewhere with the same text a day later', async () => {
    await submit('Every day', 'in 2 days at 9am Berlin time')
    await upnext.service.pool.query('delete from upnext.outbox_item')
    fate = 'request lost'
    await submit('Every day')
    fate = 'created'
    await lookUpTwice()
    await mara.hears('Done, after a delay')
    await waitForPosts(['Every day', 'Every day'])
  })

  it.each([
    ['the same text', 'Every day'],
    ['another text', 'Perhaps there'],
  ])(
    'is reported as unclear if there is a post from elsewhere with %s ten minutes later',
    async (_, content) => {
      await submit('Every day', 'tomorrow 9:10 Berlin time')
      await upnext.service.pool.query('delete from upnext.outbox_item')
      fate = 'request lost'
      await submit(content)
      await lookUp()
      await mara.hears(/no clear response/)
      await waitForPosts(['Every day'])
    },
  )

  it('is reported as unclear if another one with the same text is unconfirmed', async () => {
    await submit('In the list', 'in 3 days at 9am Berlin time')
    upnext.wait({ minutes: 2 })
    await upnext.settled()
    fate = 'answer lost'
    await submit('Twice a day')
    await upnext.service.pool.query(
      "update service.post set schedule_date = schedule_date + interval '10 minutes' where content = 'Twice a day'",
    )
    fate = 'request lost'
    await submit('Twice a day', 'tomorrow 9:10 Berlin time')
    await lookUpTwice()
    await vi.waitFor(() => expect(JSON.stringify(mara.state().messages)).toContain('no clear response'), {
      timeout: 60_000,
    })
    await waitForPosts(['In the list', 'Twice a day'])
  })
})
