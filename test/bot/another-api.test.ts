import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openUpnext, type Respond, type Upnext } from './workspace.ts'

/** What another service might send: other cases and names, numeric ids, missing values. */
const PAYLOADS: [path: RegExp, body: unknown][] = [
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

const payloadFor = (url: string) => PAYLOADS.find(([path]) => path.test(url))?.[1] ?? { data: null }

let upnext: Upnext
beforeAll(async () => {
  upnext = await openUpnext({
    relaxTimeouts: true,
    api: { fetch: async (input, init) => Response.json(payloadFor(new Request(input, init).url)) },
  })
})
afterAll(() => upnext.close())

describe('another implementation of the service', () => {
  it('works with other field names and missing values', async () => {
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
    expect(await mara.dispatchAction(await mara.pick('record', 'b.example'))).toEqual({ done: true })
    await vi.waitFor(
      () =>
        expect(JSON.stringify(mara.state().views.at(-1))).toContain('"initial_value":"https://b.example"'),
      { timeout: 60_000 },
    )
    await mara.closeView({ view: source.id })
    await mara.run('/schedule-post Hi! tomorrow 9am on X')
    const form = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: form.id, values: {} })).toEqual({ done: true })
    await mara.hears('Scheduled in Acme')
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(JSON.stringify(mara.state().home)).toContain('Next 7 days'), {
      timeout: 60_000,
    })

    const sent = upnext.slack.controls.appPayloads()
    expect(sent.flatMap(({ problems }) => problems)).toEqual([])
    const texts = sent.flatMap(({ body }) => textsIn(body))
    expect(texts.length).toBeGreaterThan(50)
    expect(texts.filter((text) => /\bundefined\b|\bnull\b|\[object|NaN|Invalid/.test(text))).toEqual([])
  })
})

describe('incomplete responses of another service', () => {
  let service: Upnext
  let answer: Respond = () => undefined
  beforeAll(async () => {
    service = await openUpnext({ relaxTimeouts: true, respond: (request) => answer(request) })
  })
  afterAll(() => service.close())

  it('shows a missing time of day or platform as unknown', async () => {
    const posts = [
      { id: 1, content: 'Some time', scheduled_at: '2026-11-24', platforms: [17], status: 'queued' },
      { id: 2, content: 'Somewhere', scheduled_at: '2026-11-25T09:00Z', status: 'queued' },
    ]
    answer = ({ url }) => (/\/posts\?/.test(url) ? Response.json({ data: posts, total: 2 }) : undefined)
    const mara = service.person('mara')
    await mara.runAndHear('/upnext posts', /Somewhere/)
    expect(mara.lastText()).toMatch(/Tue 24 Nov 2026, at an unknown time\* · unknown platform/)
    expect(mara.lastText()).toMatch(/Wed 25 Nov, 10:00[^*]*\* · unknown platform/)
    expect(mara.lastText()).not.toMatch(/no platform|00:00/)
  })

  it('shows no empty calendar for a list that is only a message', async () => {
    answer = ({ url }) => (/\/posts\?/.test(url) ? Response.json({ message: 'Upgrade to list.' }) : undefined)
    const mara = service.person('mara')
    for (const command of ['/upnext week', '/upnext month'])
      await mara.runAndHear(command, /sent a response that Upnext can't read/)
    expect(mara.lastText()).not.toMatch(/Nothing on|No posts/)
  })

  it('learns valid roles from validation errors', async () => {
    answer = ({ url }) =>
      url.endsWith('/users/invite')
        ? Response.json(
            {
              detail: [
                {
                  type: 'enum',
                  loc: ['body', 'Role'],
                  msg: "Input should be 'OWNER', 'WRITER' or 'GUEST READER'",
                },
                { type: 'enum', loc: ['body', 'Role'], msg: "Expected 'MANAGER' | 'AGENT', got 'EDITOR'." },
                { type: 'enum', loc: ['body', 'Role'], msg: "Invalid role 'EDITOR'." },
                { type: 'enum', loc: ['body', 'Status'], msg: "Input should be 'ON' or 'OFF'" },
                { type: 'x', loc: ['body', 'Email'], msg: "It shouldn't be 'x'" },
              ],
            },
            { status: 422 },
          )
        : undefined
    const mara = service.person('mara')
    await mara.run('/invite-user')
    const { id } = await mara.form('Invite someone')
    const role = await mara.pick('Role', 'EDITOR')
    const values = { ...mara.fill({ FirstName: 'Ada', Email: 'ada@acme.example' }), ...role.values }
    expect(await mara.submitView({ view: id, values })).toMatchObject({
      errors: { Role: expect.stringContaining('OWNER') },
    })
    const { rows } = await service.service.pool.query("select from upnext.known_record where kind = 'role'")
    expect(rows).toHaveLength(5)
    for (const name of ['OWNER', 'WRITER', 'GUEST READER', 'MANAGER', 'AGENT']) {
      const options = await mara.loadOptions({
        container: { view: id },
        block_id: 'Role',
        action_id: role.action_id,
        query: '',
      })
      expect(JSON.stringify(options)).toContain(`"${name}"`)
    }
  })
})

const KEYS_OF_TEXTS = [
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
]

/** All texts of a request to Slack, whichever block they are in. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[[{]/.test(value) ? textsIn(JSON.parse(value)) : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    KEYS_OF_TEXTS.includes(key) || /^\d+$/.test(key) ? textsIn(inner) : [],
  )
}
