import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clockAhead } from './support/clock-ahead.ts'
import { createDatabase } from './support/database.ts'
import { runProgram } from './support/run-program.ts'
import { type ReceivedRequest, startHttpServer, type TestServer } from './support/servers.ts'
import { type ServiceAndSlack, startServiceAndSlack } from './support/service-and-slack.ts'
import { createTempFolder } from './support/temp-folder.ts'
import { TEST_SECRET } from './support/test-secret.ts'

type Check = { name: string; status: string; message: string; details?: string[] }
type Env = Record<string, string>

const OVER_HTTP = { SLACK_APP_TOKEN: '', SLACK_SIGNING_SECRET: 'secret' }

let world: ServiceAndSlack
const servers: TestServer[] = []
beforeAll(async () => {
  world = await startServiceAndSlack({
    name: 'doctor',
    people: [{ handle: 'mara', name: 'Mara', tz: 'Europe/Berlin' }],
    channels: [{ name: 'launch' }],
  })
}, 120_000)
afterAll(async () => {
  for (const server of servers) await server.close()
  await world.stop()
})

async function runDoctor(env: Env, ...args: string[]) {
  const program = runProgram('dist/doctor/command-line.js', args, env)
  const exitCode = await program.exitCode
  return { exitCode, output: program.output() }
}

/** The checks by name. */
async function diagnose(changes: Env): Promise<{ exitCode: number | null; checks: Record<string, Check> }> {
  const { exitCode, output } = await runDoctor({ ...world.env, ...changes }, '--json')
  const { checks } = JSON.parse(output) as { checks: Check[] }
  return { exitCode, checks: Object.fromEntries(checks.map((check) => [check.name, check])) }
}

async function startServer(respond: (request: ReceivedRequest, response: ServerResponse) => void) {
  const server = await startHttpServer(respond)
  servers.push(server)
  return server.url
}

/** A service that answers each path that ends with one of these with JSON. */
const startForeignService = (payloads: Record<string, unknown>, status = 200) =>
  startServer(({ url }, response) => {
    const path = url.split('?')[0] ?? ''
    const found = Object.entries(payloads).find(([end]) => path.endsWith(end))
    response.writeHead(found ? status : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ? found[1] : { detail: 'Not Found' }))
  })

describe('npm run doctor', () => {
  it('checks everything that is configured, prints a line for each check, and succeeds', async () => {
    const { exitCode, output } = await runDoctor(world.env)
    expect(output.split('\n').filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^ok {7}node {11}v\d/),
      expect.stringMatching(/^ok {7}host {11}Upnext can listen on the address 127\.0\.0\.1/),
      expect.stringMatching(/^ok {7}database {7}PostgreSQL 1\d/),
      expect.stringMatching(/^ok {7}bot tables {5}The next start applies \d+ migration/),
      expect.stringMatching(/^ok {7}service .* answers and accepts the token/),
      expect.stringMatching(/^ok {7}projects {7}Records read: 2/),
      expect.stringMatching(/^ok {7}next post {6}Records read: 1/),
      expect.stringMatching(/^ok {7}posts {10}Records read: \d+\./),
      expect.stringMatching(/^ok {7}templates {6}Records read: \d+\./),
      expect.stringMatching(/^ok {7}sources {8}Records read: \d+\./),
      expect.stringMatching(/^ok {7}activity log {3}Records read: \d+\./),
      expect.stringMatching(/^ok {7}slack .* accepts the bot token for the workspace doctor/),
      expect.stringMatching(/^ok {7}scopes {9}The token has exactly the scopes/),
      expect.stringMatching(/^ok {7}socket mode {4}Slack accepts the app-level token/),
      expect.stringMatching(/^ok {7}slack clock/),
      expect.stringMatching(/^warning {2}uploads {8}People can't upload/),
    ])
    expect(exitCode).toBe(0)
  })

  it('succeeds with a blank DATABASE_URL, and names the parts that npm start includes', async () => {
    const folder = await createTempFolder('upnext-doctor-')
    const { exitCode, output } = await runDoctor({ DATA_DIR: folder, DATABASE_URL: ' ' })
    expect(output).toMatch(
      /service tables[\s\S]*service +The embedded service starts[\s\S]*slack +The local Slack starts/,
    )
    expect(exitCode).toBe(0)
    await rm(folder, { recursive: true, force: true })
  })

  it('does not say that the service starts if the database cannot be reached', async () => {
    const settings = { DATABASE_URL: 'postgresql://127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(32) }
    const { exitCode, output } = await runDoctor(settings)
    expect(output).not.toContain('The embedded service starts')
    expect(exitCode).toBe(1)
  })

  it('prints its usage for an unknown argument, and checks nothing', async () => {
    const program = runProgram('dist/doctor/command-line.js', ['slack'])
    expect(await program.exitCode).toBe(1)
    expect(program.output()).toBe('')
    expect(program.errors()).toMatch(/^Usage: npm run --silent doctor/)
  })

  it('prints no token and no password', async () => {
    const { output } = await runDoctor({ ...world.env, API_TOKEN: 'a-wrong-token-of-the-service' })
    for (const secret of [world.slack.secrets.botToken, world.slack.secrets.appToken, 'a-wrong-token'])
      expect(output).not.toContain(secret)
  })

  it.each<[string, Env, string, RegExp]>([
    ['an invalid setting', { PORT: 'http' }, 'settings', /PORT/],
    ['an address with "?"', { TELEGRAM_API_URL: 'http://127.0.0.1:1/?x=1' }, 'settings', /TELEGRAM_API_URL/],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgresql://127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(32) },
      'database',
      /Can't connect/,
    ],
    [
      'a rejected token of the service',
      { API_TOKEN: 'wrong-token-0123456789' },
      'service',
      /rejected the token\. Set API_TOKEN/,
    ],
    ['an unreachable service', { API_BASE_URL: 'http://127.0.0.1:1' }, 'service', /can't be reached/],
    [
      'a rejected bot token',
      { SLACK_BOT_TOKEN: 'xoxb-wrong' },
      'slack',
      /rejected SLACK_BOT_TOKEN \(invalid_auth\)/,
    ],
    [
      'a rejected app-level token',
      { SLACK_APP_TOKEN: 'xapp-wrong' },
      'socket mode',
      /rejected SLACK_APP_TOKEN/,
    ],
    ['an unreachable Slack', { SLACK_API_URL: 'http://127.0.0.1:1/api/' }, 'slack', /can't be reached/],
  ])('fails with exit status 1 for %s, and says what to do', async (_problem, changes, name, message) => {
    const { exitCode, checks } = await diagnose(changes)
    expect(checks[name]).toMatchObject({ status: 'failed', message: expect.stringMatching(message) })
    expect(exitCode).toBe(1)
  })

  it('names missing scopes and a wrong clock', async () => {
    const date = new Date(Date.now() - 300_000).toUTCString()
    const slackUrl = await startServer((_request, response) => {
      response.writeHead(200, { 'x-oauth-scopes': 'chat:write,commands,admin', date })
      response.end(JSON.stringify({ ok: true, team: 'Acme' }))
    })
    const { exitCode, checks } = await diagnose({ SLACK_API_URL: slackUrl })
    expect(checks.scopes?.message).toMatch(
      /lacks channels:read, files:write, groups:read, users:read, users:read\.email\./,
    )
    expect(checks['slack clock']?.message).toMatch(/^This machine's clock is (299|30\d) s ahead of Slack's/)
    expect(exitCode).toBe(1)
  })

  it.each<[number, Env, string, RegExp]>([
    [0, {}, 'ok', /^This machine's clock is 0\.\d s (ahead of|behind) the database's\. Up to 60 s/],
    [55, {}, 'ok', /is 5[45]\.\d s ahead of/],
    [-90, {}, 'warning', /is (89|90)\.\d s behind the database's\. Synchronize the clocks \(NTP\)/],
    [400, {}, 'warning', /is (399|400)\.\d s ahead of/],
    [400, OVER_HTTP, 'failed', /is (399|400)\.\d s ahead of.*Synchronize the clocks \(NTP\).*at most 240 s/],
  ])(
    'says that the clock is %i s ahead of the database, and how far it may differ',
    async (seconds, changes, status, message) => {
      const { checks } = await diagnose({
        DATABASE_URL: await createDatabase(),
        SECRET_KEY: TEST_SECRET,
        ...changes,
        ...clockAhead(seconds * 1000),
      })
      expect(checks['database clock']).toMatchObject({ status, message: expect.stringMatching(message) })
    },
  )

  it('only warns about missing optional scopes, and says what each is for', async () => {
    const scopes = 'channels:read,chat:write,commands,files:write,groups:read,users:read,users:read.email'
    const slackUrl = await startServer((_request, response) => {
      response.writeHead(200, { 'x-oauth-scopes': scopes })
      response.end(JSON.stringify({ ok: true, team: 'Acme', url: 'wss://example.com' }))
    })
    const { checks } = await diagnose({ SLACK_API_URL: slackUrl })
    expect(checks.scopes).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(
        /lacks files:read and usergroups:read, so people can't upload .*, and user groups can't approve posts\./,
      ),
    })
  })

  it('warns about accounts that cannot publish, and about more posts than a network accepts', async () => {
    const TELEGRAM_API_URL = await startForeignService({})
    const project = await world.findProject()
    const { database } = await world.openBotDatabase()
    const insertAccount = `insert into service.account
      (project_id, platform, publisher, name, target, settings, is_connected, checked_at)
      values ($1, $2, $3, 'Acme', '-100', '{}', true, now())`
    const insertPosts = `insert into service.post (project_id, content, schedule_date, timezone, platforms, status)
      select $1, 'Hello', '2031-05-06T09:00Z', 'UTC', array[$2], 'SCHEDULED' from generate_series(1, $3)`
    await database.pool.query(insertAccount, [project, 'LINKEDIN', 'POSTIZ'])
    await database.pool.query(insertAccount, [project, 'TELEGRAM', 'TELEGRAM'])
    await database.pool.query(insertPosts, [project, 'LINKEDIN', 31])
    await database.pool.query(insertPosts, [project, 'TELEGRAM', 21])
    const { checks } = await diagnose({ API_BASE_URL: '', TELEGRAM_API_URL })
    await database.pool.query("delete from service.post where content = 'Hello'")
    await database.pool.query('delete from service.account')
    await database.close()
    expect(checks.accounts).toMatchObject({ status: 'warning', message: "2 of 2 can't publish." })
    expect(checks.accounts?.details).toContain("LINKEDIN (Acme): POSTIZ_URL and POSTIZ_API_KEY aren't set.")
    expect(checks.plan?.details).toEqual([
      'Acme (-100): 21 posts in the minute from 2031-05-06T09:00:00.000Z. The limit is usually 20.',
      'Postiz: 31 posts in the hour from 2031-05-06T09:00:00.000Z. The limit is usually 30.',
    ])
  })

  it('checks whether uploads can be fetched', async () => {
    const upnextUrl = await startServer((_request, response) => response.end('{"status":"ok"}'))
    const otherUrl = await startServer((_request, response) => response.end('<p>Welcome</p>'))
    expect((await diagnose({})).checks.uploads?.message).toMatch(/set PUBLIC_URL/)
    expect((await diagnose({ PUBLIC_URL: upnextUrl })).checks.uploads?.status).toBe('ok')
    expect((await diagnose({ PUBLIC_URL: otherUrl })).checks.uploads).toMatchObject({
      status: 'warning',
      message: expect.stringMatching(/doesn't answer at http/),
    })
  })

  it('warns if nothing answers on the port for requests from Slack', async () => {
    const { checks } = await diagnose({ ...OVER_HTTP, PORT: '1' })
    expect(checks['request URL']).toMatchObject({ status: 'warning' })
  })
})

describe('lists of another service', () => {
  it('describes their field names, unread fields and values that cannot be understood', async () => {
    const API_BASE_URL = await startForeignService({
      '/projects': { items: [{ project_id: 7, title: 'Acme', colour: 'red' }], total_count: 1 },
      '/posts': [
        { id: 1, message: 'Hi', publish_at: 1_800_000_000, channels: ['linkedin', 'mastodon'], likes: 3 },
        { id: 2, message: 'Ho', publish_at: 'soon', channels: [], likes: null },
      ],
      '/upnext-post': { next: null },
      '/templates': [],
      '/sources': [{ key: 'a', name: 'Blog' }],
      '/logs': { message: 'Ask support.' },
    })
    const { exitCode, checks } = await diagnose({ API_BASE_URL })
    expect(checks.projects).toMatchObject({
      status: 'ok',
      details: ['Fields read: Id from "project_id", Name from "title".', 'Not read: "colour".'],
    })
    expect(checks.posts).toMatchObject({
      status: 'warning',
      message: 'Records read: 2. Unreadable dates: "soon". Unknown platforms: "mastodon".',
      details: [
        'Fields read: Id from "id", Content from "message", ScheduleDate from "publish_at", Platforms from "channels".',
        'Not read: "likes".',
      ],
    })
    expect(checks['next post']?.message).toBe('Nothing is scheduled.')
    expect(checks.templates?.message).toBe("The list is empty, so its fields can't be checked.")
    expect(checks.sources).toMatchObject({
      status: 'warning',
      message: 'Records read: 1. No field was recognized as Source.',
    })
    expect(checks['activity log']).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/^The service sent a response that can't be read/),
    })
    expect(exitCode).toBe(1)
  })
})

describe('npm start', () => {
  const startUpnext = (changes: Env) => {
    const program = runProgram('dist/main.js', [], { ...world.env, ...changes })
    return program
  }

  it.each<[string, Env, RegExp]>([
    [
      'a rejected token of the service',
      { API_TOKEN: 'wrong-token-0123456789' },
      /rejected the token\. Set API_TOKEN/,
    ],
    ['a malformed URL', { API_BASE_URL: 'http://http://x' }, /API_BASE_URL: must be the URL/],
    [
      'a rejected bot token',
      { SLACK_BOT_TOKEN: 'xoxb-wrong' },
      /Slack rejected SLACK_BOT_TOKEN \(invalid_auth\)/,
    ],
    [
      'a rejected app-level token',
      { SLACK_APP_TOKEN: 'xapp-wrong' },
      /Slack rejected SLACK_APP_TOKEN \(invalid_auth\)/,
    ],
  ])('fails to start with %s, and says what to do', async (_problem, changes, message) => {
    const program = startUpnext(changes)
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toMatch(message)
    expect(program.output()).not.toContain('ready')
  })

  it('fails to start if API_BASE_URL leads to another server', async () => {
    const program = startUpnext({ API_BASE_URL: await startForeignService({ '/other': {} }) })
    expect(await program.exitCode).toBe(1)
    expect(program.errors()).toMatch(/has no such path \(status 404\)\. API_BASE_URL must be the URL/)
  })

  it('starts while the service is down, says so in the last line, and reports when it answers', async () => {
    let isDown = true
    const API_BASE_URL = await startServer((_request, response) => {
      if (isDown) return response.writeHead(503).end()
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
    })
    const program = startUpnext({ API_BASE_URL })
    const ready = await program.waitForLine('ready')
    expect(ready).toContain("ready, but the service doesn't answer yet (retrying)")
    expect(program.output().trim().split('\n').at(-1)).toBe(ready)
    isDown = false
    expect(await program.waitForLine(`service   ${API_BASE_URL} answers`)).toBeDefined()
    expect(await program.stop('SIGTERM')).toBe(0)
  }, 60_000)
})
