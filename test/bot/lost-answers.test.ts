import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { type Fate, sendWithFate } from '../support/lose-answers.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

/** A post as our service returns it. */
type ServicePost = {
  Id: string
  Content: string
  ScheduleDate: string
  Timezone: string
  Platforms: string[]
  Status: string
}

type Shape = [
  name: string,
  /** What another service returns for a list with this post. */
  toList: (post: ServicePost) => unknown,
  /** Whether the bot can tell that the post is the one it sent. */
  result: 'found' | 'asked',
]

/** "2026-11-22T09:00:00" */
const localTime = ({ ScheduleDate }: ServicePost) => ScheduleDate.slice(0, 19)
const laterBy = (minutes: number, { ScheduleDate }: Pick<ServicePost, 'ScheduleDate'>) =>
  new Date(Date.parse(ScheduleDate) + minutes * 60_000).toISOString()
const seconds = ({ ScheduleDate }: ServicePost) => Date.parse(ScheduleDate) / 1000

const SHAPES: Shape[] = [
  [
    'snake_case',
    ({ Id, Content, ScheduleDate, Platforms }) => [
      { id: Id, content: Content, schedule_date: ScheduleDate, platforms: Platforms },
    ],
    'found',
  ],
  ['epoch seconds', (post) => [{ ...post, ScheduleDate: seconds(post) }], 'found'],
  ['epoch milliseconds', (post) => [{ ...post, ScheduleDate: seconds(post) * 1000 }], 'found'],
  ['epoch seconds as text', (post) => [{ ...post, ScheduleDate: String(seconds(post)) }], 'found'],
  ['naive local time', (post) => [{ ...post, ScheduleDate: localTime(post) }], 'found'],
  [
    'naive local time without a zone',
    ({ Timezone: _zone, ...post }) => [{ ...post, ScheduleDate: post.ScheduleDate.slice(0, 19) }],
    'found',
  ],
  ['a space instead of T', (post) => [{ ...post, ScheduleDate: localTime(post).replace('T', ' ') }], 'found'],
  ['UTC', (post) => [{ ...post, ScheduleDate: new Date(post.ScheduleDate).toISOString() }], 'found'],
  [
    'an offset without a colon',
    (post) => [{ ...post, ScheduleDate: post.ScheduleDate.replace(/:(\d\d)$/, '$1') }],
    'found',
  ],
  ['RFC 2822', (post) => [{ ...post, ScheduleDate: new Date(post.ScheduleDate).toUTCString() }], 'found'],
  ['publish_at', ({ ScheduleDate, ...post }) => [{ ...post, publish_at: ScheduleDate }], 'found'],
  ['scheduled_time', ({ ScheduleDate, ...post }) => [{ ...post, scheduled_time: ScheduleDate }], 'found'],
  ['message', ({ Content, ...post }) => [{ ...post, message: Content }], 'found'],
  ['content as an object', (post) => [{ ...post, Content: { text: post.Content } }], 'found'],
  [
    'lower-case platforms',
    (post) => [{ ...post, Platforms: post.Platforms.map((name) => name.toLowerCase()) }],
    'found',
  ],
  ['displayed platform names', (post) => [{ ...post, Platforms: ['Twitter', 'LinkedIn'] }], 'found'],
  [
    'platforms as objects',
    (post) => [{ ...post, Platforms: post.Platforms.map((platform) => ({ platform })) }],
    'found',
  ],
  ['channels', ({ Platforms, ...post }) => [{ ...post, channels: Platforms }], 'found'],
  ['platforms as one text', (post) => [{ ...post, Platforms: post.Platforms.join(', ') }], 'found'],
  [
    'platforms as switches',
    (post) => [{ ...post, Platforms: { x: true, linkedin: true, threads: false } }],
    'found',
  ],
  ['HTML entities', (post) => [{ ...post, Content: post.Content.replaceAll('&', '&amp;') }], 'found'],
  ['CRLF', (post) => [{ ...post, Content: post.Content.replaceAll('\n', '\r\n') }], 'found'],
  ['collapsed spaces', (post) => [{ ...post, Content: post.Content.replace(/\s+/g, ' ') }], 'found'],
  ['decomposed accents', (post) => [{ ...post, Content: post.Content.normalize('NFD') }], 'found'],
  ['a paragraph in HTML', (post) => [{ ...post, Content: `<p>${post.Content}</p>` }], 'found'],
  ['items in objects', (post) => [{ post }], 'found'],
  ['a page with posts', (post) => ({ page: { posts: [post] } }), 'found'],
  ['items and a total', (post) => ({ items: [post], total_count: 1 }), 'found'],
  ['data in data', (post) => ({ success: true, data: { data: [post] } }), 'found'],
  ['attributes', ({ Id, ...attributes }) => ({ data: [{ id: Id, type: 'post', attributes }] }), 'found'],
  ['edges with nodes', (post) => ({ posts: { edges: [{ node: post }] } }), 'found'],
  ['posts by id', (post) => ({ posts: { [post.Id]: post } }), 'found'],
  [
    'one post for each platform',
    (post) => post.Platforms.map((platform) => ({ ...post, Id: `${post.Id} ${platform}`, platform })),
    'found',
  ],
  ['only the first platform', (post) => [{ ...post, Platforms: post.Platforms.slice(0, 1) }], 'found'],
  [
    'naive local time with the name that Windows has for the zone',
    (post) => [{ ...post, ScheduleDate: localTime(post), Timezone: 'W. Europe Standard Time' }],
    'found',
  ],
  [
    'naive UTC with the zone that was sent',
    (post) => [{ ...post, ScheduleDate: new Date(post.ScheduleDate).toISOString().slice(0, 19) }],
    'asked',
  ],
  [
    'the naive time of another zone',
    ({ Timezone: _zone, ...post }) => [{ ...post, ScheduleDate: laterBy(-6 * 60, post).slice(0, 19) }],
    'asked',
  ],
  ['a time rounded to ten minutes', (post) => [{ ...post, ScheduleDate: laterBy(7, post) }], 'asked'],
  ['appended hashtags', (post) => [{ ...post, Content: `${post.Content} #fish #chips` }], 'asked'],
  [
    'appended hashtags at a rounded time',
    (post) => [{ ...post, Content: `${post.Content} #fish`, ScheduleDate: laterBy(-7, post) }],
    'asked',
  ],
  ['a name for an emoji', (post) => [{ ...post, Content: `:fish: ${post.Content}` }], 'asked'],
  ['escaped Markdown', (post) => [{ ...post, Content: post.Content.replace(/[&.,]/g, '\\$&') }], 'asked'],
  [
    'the beginning and [more]',
    (post) => [{ ...post, Content: `${post.Content.slice(0, 25)} [more]` }],
    'asked',
  ],
  [
    'the document of an editor',
    (post) => [
      {
        ...post,
        Content: {
          type: 'doc',
          content: [{ type: 'paragraph', content: [{ type: 'text', text: post.Content }] }],
        },
      },
    ],
    'asked',
  ],
  ['another text', (post) => [{ ...post, Content: 'Forty-two' }], 'asked'],
  [
    'another text and the ids of accounts',
    (post) => [{ ...post, Content: 'Forty-two', Platforms: [17] }],
    'asked',
  ],
  ['no text', ({ Content: _content, ...post }) => [post], 'asked'],
  ['the beginning of the text', (post) => [{ ...post, Content: `${post.Content.slice(0, 20)}…` }], 'asked'],
  ['no platforms', ({ Platforms: _platforms, ...post }) => [post], 'asked'],
  ['platforms as numbers', (post) => [{ ...post, Platforms: [17] }], 'asked'],
  ['no date', ({ ScheduleDate: _date, ...post }) => [post], 'asked'],
  ['a message', () => ({ message: 'Ask support for a list.' }), 'asked'],
  ['a text', () => 'Please upgrade your plan.', 'asked'],
]

let upnext: Upnext
let mara: Member
/** What becomes of the next posts. */
let fate: Fate
/** How long after its creation a list shows a post. */
let lagMs: number
const createdAt = new Map<string, number>()

const contentOf = (index: number) => `Fish & chips  at the café,\nnumber ${index} of many.`

beforeEach(async () => {
  fate = 'answer lost'
  lagMs = 0
  createdAt.clear()
  upnext = await openUpnext({
    disableRateLimits: true,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        if (request.method === 'POST') return create(request)
        // Another service doesn't offer what ours does.
        if (request.url.endsWith('/openapi.json')) return new Response(null, { status: 404 })
        const response = await systemRuntime.fetch(request)
        const isList = new URL(request.url).searchParams.has('schedule_date_from')
        return isList ? Response.json(reshape((await response.json()) as ServiceList)) : response
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

type ServiceList = { data: { Items: ServicePost[] } | ServicePost[] }

const shapeOf = ({ Content }: Pick<ServicePost, 'Content'>) =>
  SHAPES[Number(/number (\d+)/.exec(Content)?.[1])] as Shape

/** The number in a post's text decides in which shape it is returned. */
function reshape(list: ServiceList): unknown {
  const all = Array.isArray(list.data) ? list.data : list.data.Items
  const posts = all.filter(({ Content }) => +upnext.now() - (createdAt.get(Content) ?? 0) >= lagMs)
  const [first, ...others] = posts.map((post) => shapeOf(post)[1](post))
  if (!first) return { data: [] }
  return others.length ? [first, ...others].flat() : first
}

it.each(SHAPES)(
  'creates a post once if its response was lost and the service returns %s',
  async (name, _toList, result) => {
    const index = SHAPES.findIndex(([other]) => other === name)
    await mara.run('/schedule-post tomorrow 9am Berlin time on X and LinkedIn')
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: mara.fill({ Content: contentOf(index) }) })
    upnext.wait({ minutes: 1 })
    if (result === 'asked') {
      // A list that may lag is looked at twice.
      await upnext.settled()
      upnext.wait({ minutes: 1.1 })
    }
    await mara.hears(result === 'found' ? 'Done, after a delay' : /no clear response/)
    await upnext.settled()
    const { rows } = await upnext.service.pool.query('select content from service.post')
    expect(rows).toEqual([{ content: contentOf(index) }])
  },
)

// Several posts at once can be in one list only in the shapes that are lists themselves.
const LIST_SHAPES = SHAPES.filter(([, toList]) =>
  Array.isArray(
    toList({
      Id: '1',
      Content: '',
      ScheduleDate: '2026-11-22T09:00:00+01:00',
      Timezone: 'UTC',
      Platforms: ['X'],
      Status: 'SCHEDULED',
    }),
  ),
)

it.each([1, 2])('neither duplicates nor loses any of many posts in all shapes (seed %i)', async (seed) => {
  const random = createSeededRandom(seed)
  const asked: string[] = []
  lagMs = 45_000
  for (const [hour, [name, , result]] of LIST_SHAPES.entries()) {
    const content = contentOf(SHAPES.findIndex(([other]) => other === name))
    fate = random.oneOf<Fate>(['created', 'answer lost', 'answer lost', 'request lost'])
    if (fate === 'answer lost' && result === 'asked') asked.push(content)
    await mara.run(`/schedule-post in ${24 + hour} hours on X and LinkedIn`)
    const { id } = await mara.form('Schedule a post')
    await mara.submitView({ view: id, values: mara.fill({ Content: content }) })
    for (const { id: open } of mara.state().views) await mara.closeView({ view: open })
    fate = 'created'
  }
  for (let look = 0; look < 12; look++) {
    upnext.wait({ minutes: 0.55 })
    await upnext.settled()
  }
  const items = await upnext.service.pool.query<{ state: string; needs_answer: boolean }>(
    'select state, needs_answer from upnext.outbox_item order by seq',
  )
  const { rows: posts } = await upnext.service.pool.query<{ content: string }>(
    'select content from service.post',
  )
  const outcomes = LIST_SHAPES.map(([name], index) => {
    const content = contentOf(SHAPES.findIndex(([other]) => other === name))
    const count = posts.filter((post) => post.content === content).length
    const item = items.rows[index]
    return { name, count, isAsked: Boolean(item?.needs_answer), isAskedFor: asked.includes(content) }
  })
  expect(items.rows).toHaveLength(LIST_SHAPES.length)
  expect(outcomes.filter(({ count }) => count > 1)).toEqual([])
  expect(outcomes.filter(({ count, isAsked }) => count === 0 && !isAsked)).toEqual([])
  expect(outcomes.filter(({ isAsked, isAskedFor }) => isAskedFor && !isAsked)).toEqual([])
})
