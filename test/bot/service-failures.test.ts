import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { startHttpServer, startProxy, type TestServer } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

type Respond = (request: Request) => Response | Promise<Response> | undefined

const json = (status: number, body: object = {}) => Response.json(body, { status })
const formText = (member: Member) => JSON.stringify(member.state().views.at(-1)?.blocks)
const readErrorId = (text = '') => /\(([0-9a-f]{8})\)/.exec(text)?.[1] ?? 'no id'

describe('a failure of the scheduling service', () => {
  let upnext: Upnext
  let mara: Member
  let silentServer: TestServer
  /** Answers in place of the service. Undefined lets the request through. */
  let respond: Respond = () => undefined

  beforeAll(async () => {
    silentServer = await startHttpServer(() => upnext.endShortDeadlines())
    upnext = await openUpnext({
      disableRateLimits: true,
      api: {
        fetch: async (input, init) => {
          const request = new Request(input, init)
          return (await respond(request.clone())) ?? systemRuntime.fetch(request)
        },
      },
    })
    mara = upnext.person('mara')
  })
  afterEach(async () => {
    respond = () => undefined
    for (const { id } of mara.state().views) await mara.closeView({ view: id })
    // Otherwise the outbox would send the items of one test during the next, and the bot would warn about duplicates.
    await upnext.service.pool.query('delete from upnext.outbox_item; delete from upnext.job')
    await upnext.service.pool.query('delete from service.post')
  })
  afterAll(async () => {
    await upnext.close()
    await silentServer.close()
  })

  const respondToLogs = (response: () => Response) => {
    respond = ({ url }) => (url.includes('/logs') ? response() : undefined)
  }
  const respondToPost = (response: (request: Request) => Response | Promise<Response>) => {
    respond = (request) => (request.method === 'POST' ? response(request) : undefined)
  }
  const submitPost = async () => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    return mara.submitView({ view: id, values: mara.fill({ Content: 'My own words' }) })
  }

  it.each([
    [
      401,
      "The scheduling service doesn't accept Upnext's token. Ask the person who runs Upnext to set a new API_TOKEN and restart Upnext.",
    ],
    [403, "Upnext's API token isn't allowed to do this: No"],
    [500, 'The scheduling service has a problem (status 500). Try again in a minute.'],
  ])('is explained to an admin, with an id, after status %i', async (status, message) => {
    respondToLogs(() => json(status, { detail: 'No' }))
    await mara.run('/list-logs')
    await vi.waitFor(() => expect(mara.lastText()).toContain(message), MAX_WAIT)
    expect(mara.lastText()).toMatch(/\([0-9a-f]{8}\)/)
  })

  it('refers a member to an admin after status 401', async () => {
    respondToLogs(() => json(401))
    const yuki = upnext.person('yuki')
    await yuki.run('/list-logs')
    await yuki.hears("Ask a workspace admin to renew Upnext's API token.")
  })

  it.each([
    [undefined, 'Nothing is scheduled in Acme'],
    ['Not Found', 'Nothing is scheduled in Acme'],
    ['There is no scheduled post in this project', 'Nothing is scheduled in Acme'],
    ['No upcoming posts', 'Nothing is scheduled in Acme'],
    ['Project not found', "The scheduling service can't find this: Project not found"],
    [
      'No route for GET /projects/1/dashboard/upnext-post',
      "The scheduling service can't find this: No route for",
    ],
    [
      'The plan of Acme ended in May',
      "The scheduling service can't find this: The plan of Acme ended in May",
    ],
  ])('answers a 404 of the next post that says "%s" with "%s"', async (detail, answer) => {
    respond = ({ url }) => (url.includes('/upnext-post') ? json(404, { detail }) : undefined)
    await mara.runAndHear('/upnext', answer)
  })

  it.each([
    [404, { detail: 'Webhook not found' }, 'Acme has no webhook.'],
    [404, {}, 'Acme has no webhook.'],
    [404, { error: { message: 'Project not found' } }, "can't find this: Project not found"],
    [
      409,
      { message: 'The webhook is <in use>' },
      'rejected this (status 409): The webhook is &lt;in use&gt;',
    ],
    [200, { success: false, message: 'Locked by billing' }, 'reported that this failed: Locked by billing'],
  ])('answers a deletion that ends with status %i and %j with "%s"', async (status, body, answer) => {
    respond = ({ method }) => (method === 'DELETE' ? json(status, body) : undefined)
    await mara.runAndHear('/upnext delete-webhook', "Delete Acme's webhook?")
    await mara.pressLast('delete-webhook:confirm')
    await mara.hears(answer)
  })

  it.each(['/upnext posts', '/list-logs', '/upnext templates', '/upnext', '/upnext projects'])(
    'does not take a response to "%s" without a list for an empty list',
    async (command) => {
      respond = () => json(200, { message: 'Lists are being migrated' })
      await mara.runAndHear(command, "The scheduling service sent a response that Upnext can't read.")
    },
  )

  it('loads missing projects when the form is submitted', async () => {
    upnext.wait({ minutes: 61 })
    respond = () => json(500)
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    await vi.waitFor(() => expect(formText(mara)).toMatch(/status 500.*Couldn't load the projects/), MAX_WAIT)
    const view = mara.state().views.at(-1)?.id ?? ''
    const typed = mara.fill({ Content: 'My own words' })
    expect(await mara.submitView({ view, values: typed })).toEqual({ done: true })
    expect(formText(mara)).toMatch(/What you typed is still here.*My own words/)
    respond = () => undefined
    expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
    expect(formText(mara)).toMatch(/The projects are loaded now.*Acme.*My own words/)
    expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*My own words/)
  })

  it('saves the form after status 500', async () => {
    respondToPost(() => json(500))
    expect(await submitPost()).toEqual({ done: true })
    expect(formText(mara)).toMatch(
      /\*Saved\.\* .*problem \(status 500\)\. Upnext keeps trying, and makes sure that nothing is sent twice\. \([0-9a-f]{8}\)/,
    )
    expect(mara.state().views).toHaveLength(1)
  })

  it('is called unclear if the service does not respond', async () => {
    respondToPost((request) => systemRuntime.fetch(new Request(silentServer.url, request)))
    await submitPost()
    expect(formText(mara)).toContain("didn't respond in time. Your request may have gone through.")
  })

  it('is reported after success: false', async () => {
    respondToPost(() => json(200, { success: false, data: null }))
    await submitPost()
    expect(formText(mara)).toContain('reported that this failed')
  })

  it.each([
    [
      'under its field, even if it concerns a part of it',
      [{ loc: ['body', 'Platforms', 0], msg: 'Not this one', type: 'x' }],
      { Platforms: 'item 1: Not this one' },
    ],
    [
      'under the field that sets it',
      [{ loc: ['body', 'Timezone'], msg: 'No such zone', type: 'x' }],
      { ScheduleDate: 'No such zone' },
    ],
    [
      'under the first field, if it concerns none',
      [
        { loc: ['body', 'Content'], msg: 'Too dull', type: 'x' },
        { loc: ['body'], msg: 'And too late', type: 'x' },
      ],
      { Content: 'Too dull. And too late.' },
    ],
  ])('is shown after status 422 %s', async (_where, detail, errors) => {
    respondToPost(() => json(422, { detail }))
    expect(await submitPost()).toEqual({ errors })
  })

  it.each([
    ['text', { detail: 'The moon is in the way' }, 'The moon is in the way'],
    ['markup', { detail: 'Ask <!channel>' }, 'Ask &lt;!channel&gt;'],
    [
      'markup about no field',
      { detail: [{ loc: ['body'], msg: 'Ask <!channel>', type: 'x' }] },
      'Ask &lt;!channel&gt;',
    ],
    ['no details', { detail: [] }, 'rejected this'],
    [
      'details about no field',
      { detail: [{ loc: ['header', 'x'], msg: 'Odd header', type: 'x' }] },
      'Odd header',
    ],
  ])('is shown above the form after status 422 with %s', async (_what, body, message) => {
    respondToPost(() => json(422, body))
    expect(await submitPost()).toEqual({ done: true })
    expect(formText(mara)).toContain(message)
  })

  it('shows each of many field errors once', async () => {
    const detail = Array.from({ length: 20 }, (_, index) => ({
      loc: ['body', 'Content'],
      msg: `Value error, problem no. ${index} with it`,
      type: 'x',
    }))
    const mediaError = { loc: ['body', 'Media'], msg: '', type: 'x' }
    respondToPost(() => json(422, { detail: [...detail, detail[0], mediaError] }))
    expect(await submitPost()).toEqual({
      errors: {
        Content: detail
          .map(({ msg }) => msg.replace('Value error, ', ''))
          .map((msg) => `${msg}.`)
          .join(' '),
        Media: 'The scheduling service rejected this value.',
      },
    })
  })

  it.each([
    ['fails', async () => json(500)],
    [
      'does not respond',
      ({ signal }: Request) =>
        new Promise<Response>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          upnext.endShortDeadlines()
        }),
    ],
  ])('leaves only an error message in a menu if the service %s', async (_how, response) => {
    respond = (request) => (request.url.endsWith('/templates') ? response(request) : undefined)
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    const { values: typed } = await mara.pick('TemplateId', "Couldn't load this list")
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: { TemplateId: "Couldn't load this list. Open it again." },
    })
  })
})

describe("an outage of the bot's database", () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let upnext: Upnext
  let mara: Member

  beforeAll(async () => {
    upnext = await openUpnext({
      databaseUrl: async (url) => {
        const address = new URL(url)
        proxy = await startProxy(`http://${address.host}`)
        address.host = new URL(proxy.url).host
        return address.href
      },
    })
    mara = upnext.person('mara')
  })
  afterAll(async () => {
    await upnext.close()
    await proxy.close()
  })

  it('leaves an error message in a menu, and choosing it changes nothing', async () => {
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() => expect(mara.findOnHome('zone:choose').block_id).not.toBe(''), MAX_WAIT)
    const menu = mara.findOnHome('zone:choose')
    proxy.disconnect()
    const response = await mara.loadOptions({ ...menu, query: 'tokyo' })
    const [option, ...others] = 'options' in response ? response.options : []
    expect([option?.text.text, others]).toEqual(["Couldn't load this list. Open it again.", []])
    proxy.reconnect()
    expect(await mara.dispatchAction({ ...menu, value: option?.value ?? '' })).toEqual({ done: true })
    await mara.run('/upnext zone')
    await mara.hears('Your time zone is *Europe/Berlin*.')
  })

  it('makes the bot unready, but leaves it alive', async () => {
    const statusOf = async (path: string) => (await fetch(upnext.botUrl + path)).status
    proxy.disconnect()
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
    proxy.reconnect()
    await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), MAX_WAIT)
  })

  it('is reported, keeps the form open, and everything works again afterwards', async () => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    proxy.disconnect()
    await mara.run('/upnext')
    await mara.hears(
      /Upnext can't reach its database, so nothing was done\. Try again in a minute\. \([0-9a-f]{8}\)/,
    )
    const typed = mara.fill({ Content: 'My own words' })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({
      errors: {
        project: expect.stringMatching(/can't reach its database.*What you typed is still here/),
      },
    })
    proxy.reconnect()
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*My own words/)
  })

  it('is reported before Slack gives up on the form, which stays open, if the database hangs', async () => {
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    const typed = mara.fill({ Content: 'Words that wait' })
    proxy.hang()
    const answer = await mara.submitView({ view: id, values: typed }).finally(proxy.reconnect)
    expect(answer).toEqual({
      errors: {
        project: expect.stringMatching(/can't reach its database.*What you typed is still here/),
      },
    })
    expect(await mara.submitView({ view: id, values: typed })).toEqual({ done: true })
    await mara.hears(/Scheduled in Acme[\s\S]*Words that wait/)
  })
})

describe('a slow Slack', () => {
  it('makes the user wait in the open modal', async () => {
    const upnext = await openUpnext()
    upnext.slack.controls.injectFault({ method: 'users.info', delay_ms: 1500 })
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Hello! tomorrow 9am on X')
    expect(JSON.stringify(await mara.form('Schedule a post'))).toContain('"initial_value":"Hello!"')
    const opened = upnext.slack.controls.appPayloads().filter(({ name }) => name === 'views.open')
    expect(opened).toHaveLength(1)
    expect(JSON.stringify(opened)).toContain('One moment…')
    await upnext.close()
  })
})

describe('the log', () => {
  const openWithLog = async (api: { fetch?: typeof fetch } = {}) => {
    const lines: string[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const upnext = await openUpnext({ log, api })
    const findEntry = (text: string | undefined) =>
      JSON.parse(lines.find((line) => line.includes(readErrorId(text))) ?? '{}')
    return { upnext, mara: upnext.person('mara'), lines, findEntry }
  }

  it('contains a failure under the id that the user sees, without personal data', async () => {
    const { upnext, mara, lines, findEntry } = await openWithLog({
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return request.method === 'PUT'
          ? json(409, { detail: 'ada@acme.example has it' })
          : systemRuntime.fetch(request)
      },
    })
    const { id: user } = await upnext.service.addMember(upnext.project, 'VIEWER')
    await mara.run('/upnext user')
    const { id } = await mara.form('Change a user')
    const typed = {
      ...(await mara.pick('record', user)).values,
      ...(await mara.pick('Role', 'EDITOR')).values,
    }
    await mara.submitView({ view: id, values: typed })
    expect(formText(mara)).toContain('ada@acme.example has it')
    expect(findEntry(formText(mara))).toMatchObject({
      kind: 'rejected',
      reason: 409,
      user: mara.userId,
    })
    expect(lines.join()).not.toContain('ada@')
    await upnext.close()
  })

  it('contains an unexpected error in full', async () => {
    const { upnext, mara, findEntry } = await openWithLog()
    upnext.slack.controls.injectFault({ method: 'views.open', error: 'internal_error', times: 5 })
    await mara.run('/schedule-post My own words <b>')
    await mara.hears(/Something went wrong in Upnext.*\n*You entered: My own words &lt;b&gt;/)
    expect(findEntry(mara.lastText()).err).toMatchObject({
      message: expect.stringContaining('internal_error'),
      stack: expect.any(String),
    })
    await upnext.close()
  })
})
