import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startHttpServer, startProxy } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

/** A service that answers as it is told, once the bot has found its project. */
const open = async (answer: (request: Request) => Response | Promise<Response> | undefined) => {
  upnext = await openUpnext({
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return (await answer(request.clone())) ?? fetch(request)
      },
    },
  })
  return upnext.person('mara')
}

const json = (status: number, body: unknown) => Response.json(body as object, { status })

const shown = (mara: Member) => JSON.stringify(mara.state().views.at(-1)?.blocks)

describe('when the scheduling service fails', () => {
  it.each([
    [401, 'The token for the scheduling service no longer works.'],
    [403, 'may not do that in this project'],
    [500, 'has a problem of its own (status 500)'],
  ])('a %i is told in words of its own, with an id', async (status, words) => {
    const mara = await open(({ url }) => (url.includes('/logs') ? json(status, { detail: 'No' }) : undefined))
    await mara.run('/list-logs')
    await mara.hears(new RegExp(`${words.replace(/[()]/g, '\\$&')}[\\s\\S]*\\([0-9a-f]{8}\\)`))
  })

  it('a 401 says to admins what to do, and to others whom to tell', async () => {
    const mara = await open(({ url }) => (url.includes('/logs') ? json(401, {}) : undefined))
    await mara.run('/list-logs')
    await mara.hears('Set a new one as API_TOKEN where this bot runs')
    const yuki = upnext.person('yuki')
    await yuki.run('/list-logs')
    await yuki.hears('Tell an owner or admin of this workspace')
  })

  it('a form that opened while the projects could not be had goes on when they can', async () => {
    let isDown = true
    const mara = await open(() => (isDown ? json(500, {}) : undefined))
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await vi.waitFor(() => expect(shown(mara)).toMatch(/status 500.*The projects could not be fetched/))
    const view = mara.state().views.at(-1)?.id ?? ''
    const typed = mara.fill({ Content: 'My own words' })
    expect(await mara.submitView({ view, values: typed })).toEqual({ done: true })
    expect(shown(mara)).toMatch(/What you wrote is still here.*My own words/)
    isDown = false
    expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
    expect(shown(mara)).toMatch(/The projects are here now.*Acme.*My own words/)
    expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*My own words/)
  })

  const fill = async (mara: Member) => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const view = await mara.form('Schedule a post')
    return mara.submitView({ view: view.id, values: mara.fill({ Content: 'My own words' }) })
  }
  const posting = (answer: () => Response | Promise<Response>) =>
    open(({ method }) => (method === 'POST' ? answer() : undefined))

  it('what was written is kept, and the person is told what happened', async () => {
    const mara = await posting(() => json(500, {}))
    expect(await fill(mara)).toEqual({ done: true })
    expect(shown(mara)).toMatch(/Saved, and on its way.*problem of its own \(status 500\).*It is kept/)
    expect(mara.state().views).toHaveLength(1)
  })

  it('an answer that does not come is called what it is: unclear', async () => {
    const silent = await startHttpServer(() => {})
    const mara = await open((request) =>
      request.method === 'POST' ? fetch(new Request(silent.url, request)) : undefined,
    )
    await fill(mara)
    await silent.close()
    expect(shown(mara)).toContain('it is not known whether it went through')
  })

  it('success: false is no success', async () => {
    const mara = await posting(() => json(200, { success: false, data: null }))
    await fill(mara)
    expect(shown(mara)).toContain('did not succeed')
  })

  it.each([
    [
      'under its field, however deep it is',
      [{ loc: ['body', 'Platforms', 0], msg: 'Not this one', type: 'x' }],
      { Platforms: 'no. 1: Not this one' },
    ],
    [
      'under the field that stands for it',
      [{ loc: ['body', 'Timezone'], msg: 'No such zone', type: 'x' }],
      { ScheduleDate: 'No such zone' },
    ],
    [
      'with the first field, where it belongs to none',
      [
        { loc: ['body', 'Content'], msg: 'Too dull', type: 'x' },
        { loc: ['body'], msg: 'And too late', type: 'x' },
      ],
      { Content: 'Too dull And too late' },
    ],
  ])('a 422 stands %s', async (_where, detail, errors) => {
    const mara = await posting(() => json(422, { detail }))
    expect(await fill(mara)).toEqual({ errors })
  })

  it.each([
    ['text', { detail: 'The moon is in the way' }, 'The moon is in the way'],
    ['markup', { detail: 'Ask <!channel>' }, 'Ask &lt;!channel&gt;'],
    [
      'markup that concerns no field',
      { detail: [{ loc: ['body'], msg: 'Ask <!channel>', type: 'x' }] },
      'Ask &lt;!channel&gt;',
    ],
    ['nothing', { detail: [] }, 'did not accept that'],
    [
      'what concerns no field',
      { detail: [{ loc: ['header', 'x'], msg: 'Odd header', type: 'x' }] },
      'Odd header',
    ],
  ])('a 422 with %s stands at the top', async (_what, body, words) => {
    const mara = await posting(() => json(422, body))
    expect(await fill(mara)).toEqual({ done: true })
    expect(shown(mara)).toContain(words)
  })
})

describe("when the bot's own database is away", () => {
  it('a command says so, a form keeps what was written, and both go on when it is back', async () => {
    const ways: Awaited<ReturnType<typeof startProxy>>[] = []
    upnext = await openUpnext({
      databaseUrl: async (url) => {
        const there = new URL(url)
        const way = await startProxy(`http://${there.host}`)
        ways.push(way)
        there.host = new URL(way.url).host
        return there.href
      },
    })
    const [way] = ways
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    way?.disconnect()
    await mara.run('/upnext')
    await mara.hears(
      /The bot cannot reach its own database, and so did nothing. Try again in a minute. \([0-9a-f]{8}\)/,
    )
    const typed = mara.fill({ Content: 'My own words' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: {
        project: expect.stringMatching(/cannot reach its own database.*What you wrote is still here/),
      },
    })
    way?.reconnect()
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*My own words/)
    await way?.close()
  })
})

describe('when Slack is slow', () => {
  it('to say who asks, the form opens all the same', async () => {
    upnext = await openUpnext()
    upnext.slack.controls.injectFault({ method: 'users.info', delay_ms: 1500 })
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await vi.waitFor(() => expect(shown(mara)).toContain('One moment…'), { timeout: 2500 })
    expect(JSON.stringify(await mara.form('Schedule a post'))).toContain('"initial_value":"Hello!"')
  })
})

describe('a list that cannot be had', () => {
  it.each([
    ['fails', async () => Response.json({}, { status: 500 })],
    [
      'takes five seconds',
      () => new Promise<Response>((resolve) => setTimeout(resolve, 5000, json(200, {}))),
    ],
  ])('says so, in time, where the service %s', async (_how, answer) => {
    const mara = await open(({ url, signal }) =>
      url.endsWith('/templates')
        ? Promise.race([
            answer(),
            new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
          ])
        : undefined,
    )
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await mara.form('Schedule a post')
    const { values: typed } = await mara.pick('TemplateId', 'Could not be fetched')
    expect(await mara.submitView({ view: mara.state().views.at(-1)?.id ?? '', values: typed })).toEqual({
      errors: { TemplateId: 'The list could not be fetched. Open it again.' },
    })
  })
})

describe('twenty complaints at once', () => {
  it('are all readable, and none twice', async () => {
    const detail = Array.from({ length: 20 }, (_, index) => ({
      loc: ['body', 'Content'],
      msg: `Value error, complaint no. ${index} about it`,
      type: 'x',
    }))
    const mara = await open(({ method }) =>
      method === 'POST'
        ? json(422, { detail: [...detail, detail[0], { loc: ['body', 'Media'], msg: '', type: 'x' }] })
        : undefined,
    )
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    expect(await mara.submitView({ view: id, values: {} })).toEqual({
      errors: {
        Content: detail.map(({ msg }) => msg.replace('Value error, ', '')).join(' '),
        Media: 'The scheduling service did not accept this.',
      },
    })
  })
})

describe('the log', () => {
  it('has the id that the person was told, with what happened, and nobody else in it', async () => {
    const lines: string[] = []
    upnext = await openUpnext({
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      api: {
        fetch: async (input, init) => {
          const request = new Request(input, init)
          return request.method === 'PUT' ? json(409, { detail: 'ada@acme.example has it' }) : fetch(request)
        },
      },
    })
    const { id: user } = await upnext.service.addMember(upnext.project, 'VIEWER')
    const mara = upnext.person('mara')
    await mara.run('/upnext user')
    const { id } = await mara.form('Change a user')
    const typed = { ...(await mara.pick('pick', user)).values, ...(await mara.pick('Role', 'EDITOR')).values }
    await mara.submitView({ view: id, values: typed })
    expect(shown(mara)).toContain('ada@acme.example has it')
    const [, told = 'nothing'] = /\(([0-9a-f]{8})\)/.exec(shown(mara)) ?? []
    const line = lines.find((one) => one.includes(told))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ kind: 'refused', why: 409, user: mara.state().userId })
    expect(lines.join()).not.toContain('ada@')
  })

  it('has the whole of what nobody foresaw', async () => {
    const lines: string[] = []
    upnext = await openUpnext({
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    })
    upnext.slack.controls.injectFault({ method: 'views.open', error: 'internal_error', times: 5 })
    const mara = upnext.person('mara')
    await mara.run('/schedule-post My own words <b>')
    await mara.hears(/Something went wrong here.*\n*You wrote: My own words &lt;b&gt;/)
    const [, id = ''] = /\(([0-9a-f]{8})\)/.exec(mara.told() ?? '') ?? []
    const line = JSON.parse(lines.find((one) => one.includes(id)) ?? '{}')
    expect(line.err).toMatchObject({
      message: expect.stringContaining('internal_error'),
      stack: expect.any(String),
    })
  })
})
