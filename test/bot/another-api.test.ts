import { afterEach, describe, expect, it, vi } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

/** The same service as somebody else might have written it: other cases, other names, numbers for ids, holes. */
const odd: [RegExp, unknown][] = [
  [
    /\/projects$/,
    { success: true, data: { items: [{ project_id: 7, project_name: 'Acme', colour: 'red' }] } },
  ],
  [
    /upnext-post$/,
    {
      data: {
        post: {
          _id: 31,
          body: 'Hello <world>',
          scheduled_at: '2027-03-01T09:00:00Z',
          platform: 'LINKEDIN',
          extra: null,
        },
      },
    },
  ],
  [
    /\/posts\?/,
    {
      items: [
        {
          post_id: 1,
          text: 'One',
          scheduled_for: '2027-03-02T09:00:00+01:00',
          tz: 'Europe/Berlin',
          platforms: 'X, THREADS',
          state: 'SCHEDULED',
        },
        { id: { $oid: 'abc' }, caption: null, platforms: null, scheduled_at: 'some day' },
        { id: 3, Platforms: ['BLUESKY'], timezone: 'Mars/Base', ScheduleDate: '2027-03-03T09:00:00Z' },
        'not an object',
        null,
      ],
      total: 5,
    },
  ],
  [
    /\/logs$/,
    {
      results: [
        { created_at: '2026-11-20T09:00:00Z', msg: 'It ran' },
        { at: 'never', severity: 'error', event: 'post.failed' },
        { odd: true },
        42,
      ],
    },
  ],
  [/\/templates$/, [{ template_id: 5, name: 'Hi', text: 'Hi {name}' }, { id: 6 }, {}]],
  [
    /\/sources$/,
    {
      data: {
        sources: [
          { source_id: 8, value: 'https://a.example' },
          { id: 9, source: { url: 'https://b.example' } },
        ],
      },
    },
  ],
]

const answerOf = (url: string) => odd.find(([path]) => path.test(url))?.[1]

describe('a service of another shape', () => {
  it('is read all the same: nothing crashes, and nobody sees what is missing', async () => {
    upnext = await openUpnext({
      api: {
        fetch: async (input, init) => Response.json(answerOf(new Request(input, init).url) ?? { data: null }),
      },
    })
    const mara = upnext.person('mara')
    await mara.run('/upnext')
    await mara.hears(/Up next in Acme[\s\S]*Hello <world>[\s\S]*LinkedIn/)
    await mara.run('/upnext posts')
    await mara.hears(/One[\s\S]*X, Threads[\s\S]*BLUESKY/)
    await mara.run('/list-logs')
    await mara.hears(/It ran[\s\S]*post\.failed/)
    await mara.run('/upnext templates')
    await mara.hears(/\*Hi\*\nHi \{name\}/)
    await mara.run('/update-source')
    const source = await mara.form('Update a source')
    const picked = await mara.pick('pick', 'b.example')
    expect(await mara.dispatchAction(picked)).toEqual({ done: true })
    await vi.waitFor(async () =>
      expect(JSON.stringify(await mara.form('Update a source'))).toContain('https://b.example'),
    )
    await mara.closeView({ view: source.id })
    await mara.run('/schedule-post Hi! tomorrow 9am on X')
    const form = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: form.id, values: {} })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('The next seven days'))

    const sent = upnext.slack.controls.appPayloads()
    expect(sent.filter(({ problems }) => problems.length)).toEqual([])
    const words = sent.flatMap(({ body }) => wordsIn(body))
    expect(words.length).toBeGreaterThan(50)
    expect(words.filter((word) => /\bundefined\b|\bnull\b|\[object|NaN|Invalid/.test(word))).toEqual([])
  })
})

/** Every text that the bot ever sent, whichever block it stood in. */
function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    if (!/^[[{]/.test(value)) return [value]
    return wordsIn(JSON.parse(value))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    [
      'text',
      'initial_value',
      'blocks',
      'view',
      'elements',
      'element',
      'fields',
      'accessory',
      'label',
      'options',
    ].includes(key) || /^\d+$/.test(key)
      ? wordsIn(inner)
      : [],
  )
}
