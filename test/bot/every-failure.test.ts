import { readFileSync } from 'node:fs'
import type { InputValues } from 'local-slack'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { insertSource } from '../../src/service/stores/sources-store.ts'
import { startHttpServer, type TestServer, unreachableUrl } from '../support/servers.ts'
import { type Member, openUpnext, type Upnext } from './workspace.ts'

type Answer = (request: Request) => Response | Promise<Response> | undefined

/** What the contract lets a body hold: where a complaint may point. */
const { schemas } = parse(readFileSync('openapi/social-scheduling.v1.yaml', 'utf8')).components
const fieldsOf = (schema: string) => Object.keys(schemas[schema].properties)

type Form = {
  command: string
  title: string
  sends: string
  body: string
  typed: (member: Member, known: { user: string }) => Promise<InputValues>
}

let count = 0

/** Each form, from its command to all that it needs. */
const forms: Form[] = [
  {
    command: '/schedule-post tomorrow 9am on X',
    title: 'Schedule a post',
    sends: 'POST',
    body: 'Post',
    typed: async (member) => member.fill({ Content: `Launch ${count++}!` }),
  },
  {
    command: '/invite-user',
    title: 'Invite someone',
    sends: 'POST',
    body: 'ProjectUserInvitation',
    typed: async (member) => ({
      ...member.fill({ FirstName: 'Ada', Email: `ada-${count++}@acme.example` }),
      ...(await member.pick('Role', 'EDITOR')).values,
    }),
  },
  {
    command: '/upnext user',
    title: 'Change a user',
    sends: 'PUT',
    body: 'ProjectUserUpdate',
    typed: async (member, { user }) => ({
      ...(await member.pick('pick', user)).values,
      ...(await member.pick('Role', 'EDITOR')).values,
    }),
  },
  {
    command: '/upnext prompt',
    title: 'Create a prompt',
    sends: 'POST',
    body: 'Prompt',
    typed: async (member) => member.fill({ Title: 'Puns', PromptText: 'Write three puns.' }),
  },
  {
    command: '/update-source',
    title: 'Update a source',
    sends: 'PUT',
    body: 'SourceUpdate',
    typed: async (member) => ({
      ...(await member.pick('pick', '')).values,
      ...member.fill({ Source: 'https://acme.example/atom' }),
    }),
  },
]

/** Whatever only looks, or deletes at the press of a button. */
const looks: { command: string; press?: string; of?: RegExp }[] = [
  { command: '/upnext' },
  { command: '/upnext posts' },
  { command: '/upnext templates' },
  { command: '/list-logs' },
  { command: '/upnext webhook', press: 'webhook:delete' },
  { command: '/upnext file', press: 'file:delete' },
  { command: '/upnext projects', of: /\/projects$/ },
  { command: '/upnext use Acme', of: /\/projects$/ },
]

const refusals: [string, Answer, RegExp][] = [
  ['a 401', () => json(401), /The token for the scheduling service no longer works. Set a new one/],
  ['a 403', () => json(403), /The bot's token may not do that in this project: No\./],
  ['a 429', () => json(429, { 'retry-after': '30' }), /asks for a pause\./],
  ['a 500', () => json(500), /has a problem of its own \(status 500\)/],
  ['success: false', () => Response.json({ success: false }), /answered that it did not succeed/],
  ['rubbish', () => new Response('<html>Moved!</html>'), /answered something that cannot be read/],
  ['half an answer', () => new Response('{"success": tr'), /answered something that cannot be read/],
  [
    'a closed door',
    async ({ method }) => fetch(await unreachableUrl(), { method }),
    /could not be reached, so nothing was sent/,
  ],
]

const json = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ detail: 'No.' }, { status, headers })

describe.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('%s', (_mode, overHttp) => {
  let upnext: Upnext
  let mara: Member
  let user: string
  let late: TestServer
  /** What a form cannot do without is answered as ever. */
  const SPARED = /\/(projects|sources)$/
  let spared = SPARED
  let answer: Answer = () => undefined
  let asked: string[] = []

  beforeAll(async () => {
    late = await startHttpServer((_, response) => setTimeout(() => response.end('{}'), 5000))
    upnext = await openUpnext({
      overHttp,
      disableRateLimits: true,
      api: {
        fetch: async (input, init) => {
          const request = new Request(input, init)
          if (!/\/projects$/.test(request.url)) asked.push(`${request.method} ${request.url}`)
          return (!spared.test(request.url) && (await answer(request.clone()))) || fetch(request)
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
    answer = () => undefined
    spared = SPARED
    asked = []
    for (const { id } of mara.state().views) await mara.closeView({ view: id })
    // What is kept is told of in a test of its own, and not in the midst of the others.
    await upnext.service.pool.query('delete from upnext.outbox_item')
  })
  afterAll(async () => {
    // Where the bot is in no channel of theirs, it turns to the person.
    const faults = upnext.slack.controls.appPayloads().flatMap(({ problems }) => problems)
    expect(faults.filter((fault) => fault !== 'not_in_channel')).toEqual([])
    await upnext.close()
    await late.close()
  })

  const shown = (member = mara) => JSON.stringify(member.state().views.at(-1)?.blocks)

  describe.each(forms)('$title', ({ command, title, sends, body, typed }) => {
    const fillIn = async (member = mara) => {
      await member.run(command)
      const { id } = await member.form(title)
      return { view: id, typed: await typed(member, { user }) }
    }
    const sent = () => asked.filter((one) => one.startsWith(sends))

    it.each(fieldsOf(body))('shows what is wrong with %s under its field', async (field) => {
      const filled = await fillIn()
      answer = () =>
        Response.json({ detail: [{ loc: ['body', field], msg: 'Not so', type: 'x' }] }, { status: 422 })
      const block = field === 'Timezone' ? 'ScheduleDate' : field
      expect(await mara.submitView(filled)).toEqual({ errors: { [block]: 'Not so' } })
    })

    const isKept = (what: string) =>
      sends === 'POST' && !['a 401', 'a 403', 'a 404', 'success: false'].includes(what)

    it.each([...refusals, ['a 404', () => json(404), /does not have that \(any more\): No\./] as const])(
      'loses nothing upon %s, and says so with an id',
      async (what, failing, words) => {
        const filled = await fillIn()
        answer = failing
        expect(await mara.submitView(filled)).toEqual({ done: true })
        expect(shown()).toMatch(words)
        expect(shown()).toMatch(
          isKept(what)
            ? /Saved, and on its way.*It is kept: .* and tells you. \([0-9a-f]{8}\)/
            : /What you wrote is still here. \([0-9a-f]{8}\)/,
        )
      },
    )

    it('is in time when the service takes five seconds', async () => {
      const filled = await fillIn()
      answer = ({ method, signal }) => fetch(late.url, { method, signal })
      expect(await mara.submitView(filled)).toEqual({ done: true })
      expect(shown()).toContain(isKept('silence') ? 'It is kept' : 'What you wrote is still here.')
    })

    it('goes through once at a double click', async () => {
      const filled = await fillIn()
      await Promise.all([mara.submitView(filled), mara.submitView(filled)])
      await vi.waitFor(() => expect(mara.state().views).toEqual([]))
      expect(sent()).toHaveLength(1)
    })

    it('is two for two people at once', async () => {
      const tomas = upnext.person('tomas', 'general')
      await Promise.all(
        [mara, tomas].map(async (person) =>
          expect(await person.submitView(await fillIn(person))).toEqual({ done: true }),
        ),
      )
      expect([...mara.state().views, ...tomas.state().views]).toEqual([])
      expect(sent()).toHaveLength(2)
    })
  })

  describe.each(looks)('$command', ({ command, press, of }) => {
    const look = async () => {
      await mara.run(command)
      if (!press) return
      await mara.hears('It cannot be undone')
      await mara.pressLast(press)
    }

    it.each(refusals)('says what is the matter upon %s, with an id', async (_what, failing, words) => {
      answer = failing
      if (of) spared = /nothing/
      const before = mara.told()
      await look()
      await vi.waitFor(() => expect(mara.told()).not.toBe(before), { timeout: 5000 })
      await mara.hears(words)
      expect(mara.told()).toMatch(/\([0-9a-f]{8}\)$/)
    })
  })

  it('whatever takes five seconds is shown when it is there', { timeout: 20_000 }, async () => {
    answer = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 5000))
      return fetch(request)
    }
    const before = mara.told()
    await mara.run('/upnext posts')
    await vi.waitFor(() => expect(mara.told()).not.toBe(before), { timeout: 8000 })
    await mara.hears(/posts of Acme/i)
  })

  it('the Home says what is the matter', async () => {
    answer = () => json(500)
    await mara.openAppTab({ tab: 'home' })
    await vi.waitFor(() =>
      expect(JSON.stringify(mara.state().home)).toMatch(/problem of its own \(status 500\)/),
    )
  })
})
