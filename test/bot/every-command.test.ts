import { readFileSync } from 'node:fs'
import type { InputValues } from 'local-slack'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { systemRuntime } from '../../src/runtime.ts'
import { insertSource } from '../../src/service/stores/prompts-templates-sources-store.ts'
import { fetchUnreachable, startHttpServer, type TestServer } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

type Respond = (request: Request) => Response | Promise<Response> | undefined

const { schemas } = parse(readFileSync('openapi/social-scheduling.v1.yaml', 'utf8')).components
/** The properties of a request body, which errors of the service can name. */
const propertiesOf = (schema: string) => Object.keys(schemas[schema].properties)

type FormCase = {
  command: string
  title: string
  method: 'POST' | 'PUT'
  /** The schema of the request body. */
  schema: string
  fill: (member: Member, ids: { user: string }) => Promise<InputValues>
}

let count = 0

const FORMS: FormCase[] = [
  {
    command: '/schedule-post tomorrow 9am on X',
    title: 'Schedule a post',
    method: 'POST',
    schema: 'Post',
    fill: async (member) => member.fill({ Content: `Launch ${count++}!` }),
  },
  {
    command: '/invite-user',
    title: 'Invite someone',
    method: 'POST',
    schema: 'ProjectUserInvitation',
    fill: async (member) => ({
      ...member.fill({ FirstName: 'Ada', Email: `ada-${count++}@acme.example` }),
      ...(await member.pick('Role', 'EDITOR')).values,
    }),
  },
  {
    command: '/upnext user',
    title: 'Change a user',
    method: 'PUT',
    schema: 'ProjectUserUpdate',
    fill: async (member, { user }) => ({
      ...(await member.pick('record', user)).values,
      ...(await member.pick('Role', 'EDITOR')).values,
    }),
  },
  {
    command: '/upnext prompt',
    title: 'Create a prompt',
    method: 'POST',
    schema: 'Prompt',
    fill: async (member) => member.fill({ Title: 'Puns', PromptText: 'Write three puns.' }),
  },
  {
    command: '/update-source',
    title: 'Update a source',
    method: 'PUT',
    schema: 'SourceUpdate',
    fill: async (member) => ({
      ...(await member.pick('record', '')).values,
      ...member.fill({ Source: 'https://acme.example/atom' }),
    }),
  },
]

/** Commands that only read, or that delete when their button is pressed. */
const COMMANDS: { command: string; button?: string; readsProjects?: boolean }[] = [
  { command: '/upnext' },
  { command: '/upnext posts' },
  { command: '/upnext templates' },
  { command: '/list-logs' },
  { command: '/upnext delete-webhook', button: 'delete-webhook:confirm' },
  { command: '/upnext delete-file', button: 'delete-file:confirm' },
  { command: '/upnext projects', readsProjects: true },
  { command: '/upnext use Acme', readsProjects: true },
]

const json = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ detail: 'No.' }, { status, headers })

type Failure = {
  name: string
  respond: Respond
  message: RegExp
  /** The request may succeed later, so the outbox goes on with it. */
  isTemporary: boolean
}

const FAILURES: Failure[] = [
  {
    name: 'status 401',
    respond: () => json(401),
    message:
      /The scheduling service doesn't accept Upnext's token\. Ask the person who runs Upnext to set a new API_TOKEN/,
    isTemporary: false,
  },
  {
    name: 'status 403',
    respond: () => json(403),
    message: /Upnext's API token isn't allowed to do this: No\./,
    isTemporary: false,
  },
  {
    name: 'status 429',
    respond: () => json(429, { 'retry-after': '30' }),
    message: /is getting too many requests\./,
    isTemporary: true,
  },
  {
    name: 'status 500',
    respond: () => json(500),
    message: /has a problem \(status 500\)/,
    isTemporary: true,
  },
  {
    name: 'success: false',
    respond: () => Response.json({ success: false }),
    message: /reported that this failed/,
    isTemporary: false,
  },
  {
    name: 'a web page',
    respond: () => new Response('<html>Moved!</html>'),
    message: /sent a response that Upnext can't read/,
    isTemporary: true,
  },
  {
    name: 'an incomplete response',
    respond: () => new Response('{"success": tr'),
    message: /sent a response that Upnext can't read/,
    isTemporary: true,
  },
  {
    name: 'no connection',
    respond: fetchUnreachable,
    message: /Couldn't reach the scheduling service/,
    isTemporary: true,
  },
]

const NOT_FOUND: Failure = {
  name: 'status 404',
  respond: () => json(404),
  message: /can't find this: No\./,
  isTemporary: false,
}

/** Forms load these before they can be submitted. */
const PREREQUISITES = /\/(projects|sources)$/

describe.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('%s', (_mode, overHttp) => {
  let upnext: Upnext
  let mara: Member
  let user: string
  let silentServer: TestServer
  /** Answers in place of the service, except for requests to exempt addresses. */
  let respond: Respond = () => undefined
  let exempt: RegExp | undefined = PREREQUISITES
  let requests: string[] = []

  beforeAll(async () => {
    silentServer = await startHttpServer(() => upnext.endShortDeadlines())
    upnext = await openUpnext({
      overHttp,
      disableRateLimits: true,
      api: {
        fetch: async (input, init) => {
          const request = new Request(input, init)
          if (!/\/projects$/.test(request.url)) requests.push(`${request.method} ${request.url}`)
          return (
            (!exempt?.test(request.url) && (await respond(request.clone()))) || systemRuntime.fetch(request)
          )
        },
      },
    })
    mara = upnext.person('mara')
    user = (await upnext.service.addMember(upnext.project, 'VIEWER')).id
    await insertSource(upnext.service.db, {
      project_id: upnext.project,
      source: 'https://acme.example/feed',
      description: null,
    })
  })
  afterEach(async () => {
    respond = () => undefined
    exempt = PREREQUISITES
    requests = []
    for (const { id } of mara.state().views) await mara.closeView({ view: id })
    // Otherwise the outbox would send the items of one test during the next.
    await upnext.service.pool.query('delete from upnext.outbox_item; delete from upnext.job')
  })
  afterAll(async () => {
    // In a channel without the bot, it falls back to a direct message.
    const problems = upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)
    expect(problems.filter((problem) => problem !== 'not_in_channel')).toEqual([])
    await upnext.close()
    await silentServer.close()
  })

  const formText = () => JSON.stringify(mara.state().views.at(-1)?.blocks)

  describe.each(FORMS)('$title', ({ command, title, method, schema, fill }) => {
    const fillForm = async (member = mara) => {
      await member.run(command)
      const { id } = await member.form(title)
      return { view: id, values: await fill(member, { user }) }
    }
    const countRequests = () => requests.filter((request) => request.startsWith(method)).length
    const expectFailure = ({ message, isTemporary }: Failure) => {
      expect(formText()).toMatch(message)
      expect(formText()).toMatch(
        method === 'POST' && isTemporary
          ? /\*Saved\.\* .* Upnext keeps trying, and makes sure that nothing is sent twice\..* \([0-9a-f]{8}\)/
          : /What you typed is still here\. \([0-9a-f]{8}\)/,
      )
    }

    it("shows the service's errors under the fields they concern", async () => {
      const form = await fillForm()
      if (formText().includes('more-options')) await mara.showMore()
      const properties = propertiesOf(schema)
      const detail = properties.map((property) => ({
        loc: ['body', property],
        msg: `Wrong ${property}`,
        type: 'x',
      }))
      respond = () => Response.json({ detail }, { status: 422 })
      const errors: Record<string, string> = {}
      for (const property of properties) {
        const block = property === 'Timezone' ? 'ScheduleDate' : property
        errors[block] = errors[block] ? `${errors[block]}. Wrong ${property}.` : `Wrong ${property}`
      }
      expect(await mara.submitView(form)).toEqual({ errors })
    })

    it.each([...FAILURES, NOT_FOUND])(
      'keeps the input and shows an error id after $name',
      async (failure) => {
        const form = await fillForm()
        respond = failure.respond
        expect(await mara.submitView(form)).toEqual({ done: true })
        expectFailure(failure)
      },
    )

    if (!overHttp)
      it('answers in time if the service does not respond', async () => {
        const form = await fillForm()
        respond = ({ signal }) => fetch(silentServer.url, { method, signal })
        expect(await mara.submitView(form)).toEqual({ done: true })
        expectFailure({
          name: 'no response',
          respond,
          message: /didn't respond in time\. Your request may have gone through\./,
          isTemporary: true,
        })
      })

    it('is submitted once by a double click', async () => {
      const form = await fillForm()
      await Promise.all([mara.submitView(form), mara.submitView(form)])
      await vi.waitFor(() => expect(mara.state().views).toEqual([]), MAX_WAIT)
      await upnext.settled()
      expect(countRequests()).toBe(1)
    })

    it('can be submitted by two users at the same time', async () => {
      const tomas = upnext.person('tomas', 'general')
      await Promise.all(
        [mara, tomas].map(async (member) =>
          expect(await member.submitView(await fillForm(member))).toEqual({ done: true }),
        ),
      )
      expect([...mara.state().views, ...tomas.state().views]).toEqual([])
      expect(countRequests()).toBe(2)
    })
  })

  describe.each(COMMANDS)('$command', ({ command, button, readsProjects }) => {
    it.each(FAILURES)('explains $name, with an error id', async (failure) => {
      respond = failure.respond
      if (readsProjects) exempt = undefined
      const before = mara.lastText()
      await mara.run(command)
      if (button) {
        await mara.hears("This can't be undone.")
        await mara.pressLast(button)
      }
      await vi.waitFor(() => {
        expect(mara.lastText()).not.toBe(before)
        expect(mara.lastText()).toMatch(failure.message)
      }, MAX_WAIT)
      expect(mara.lastText()).toMatch(/\([0-9a-f]{8}\)$/)
    })
  })

  it('shows the result of a command even if the service responds late', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    respond = async (request) => {
      await released
      return systemRuntime.fetch(request)
    }
    expect(await mara.run('/upnext posts')).toEqual({ done: true })
    release()
    await mara.hears(/Upcoming posts in Acme/)
  })

  it('explains a failure of the service on the Home tab', async () => {
    respond = () => json(500)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(
      () => expect(JSON.stringify(mara.state().home)).toMatch(/has a problem \(status 500\)/),
      MAX_WAIT,
    )
  })
})
