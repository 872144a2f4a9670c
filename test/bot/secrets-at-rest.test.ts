import { createHmac } from 'node:crypto'
import { WebClient } from '@slack/web-api'
import { DateTime } from 'luxon'
import { afterEach, expect, it, vi } from 'vitest'
import { createLog } from '../../src/log.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { saveWebhook } from '../../src/service/stores/projects-store.ts'
import { saveToken } from '../../src/service/stores/tokens-store.ts'
import { sendWithFate } from '../support/lose-answers.ts'
import { fetchUnreachable, startProxy, unreachableUrl } from '../support/servers.ts'
import { TEST_SECRET } from '../support/test-secret.ts'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

const API_TOKEN = 'upn_the-token-with-which-the-bot-calls-the-service'
const WEBHOOK_SECRET = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgd2ViaG9vaw=='

/** Posts, email addresses, phone numbers, names and response URLs. No encrypted value contains them by chance. */
const PERSONAL_DATA = /.{0,60}(A post, |\w@\w|\+49 30|Wilhelmina|\/(commands|actions)\/T\w+\/).{0,60}/g

let cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  cleanups = []
})

type Scene = Awaited<ReturnType<typeof openScene>>

async function openScene({ overHttp }: { overHttp: boolean }) {
  const lines: string[] = []
  let simulate: ((request: Request) => Promise<Response>) | undefined
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
  const upnext = await openUpnext({
    skipsUploadTime: true,
    overHttp,
    disableRateLimits: true,
    log: createLog('trace', { write: (line) => void lines.push(line) }),
    api: {
      token: API_TOKEN,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return simulate && request.method !== 'GET' ? simulate(request.clone()) : systemRuntime.fetch(request)
      },
    },
    databaseUrl: async (url) => {
      const address = new URL(url)
      proxy = await startProxy(`http://${address.host}`)
      cleanups.push(proxy.close)
      address.host = new URL(proxy.url).host
      return address.href
    },
  })
  cleanups.push(upnext.close)
  const { service, project } = upnext
  const { id: user_id } = await service.addMember(project, 'ADMIN')
  await service.request('GET', '/api/v1/projects', { token: 'upn_a-token-that-the-service-refuses' })
  await saveToken(service.db, { user_id, token: API_TOKEN, label: 'bot' })
  await saveWebhook(service.db, {
    project_id: project,
    url: await unreachableUrl(),
    secret: WEBHOOK_SECRET,
    created_at: upnext.now(),
  })
  return {
    upnext,
    mara: upnext.person('mara'),
    proxy,
    logged: () => lines.join(''),
    setSimulation(next: typeof simulate) {
      simulate = next
    },
  }
}

/** Every row of every table in a schema, as a backup has it. */
async function dump({ service: { pool } }: Upnext, schema: string): Promise<string> {
  const { rows: tables } = await pool.query(
    "select table_name as name from information_schema.tables where table_schema = $1 and table_type = 'BASE TABLE'",
    [schema],
  )
  const rows = await Promise.all(
    tables.map(async ({ name }) => (await pool.query(`select t::text as row from ${schema}.${name} t`)).rows),
  )
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

const loseResponse = (request: Request) => sendWithFate(request, 'answer lost')
/** A service that repeats the request in its message. */
const refuse = async (request: Request) => {
  const msg = `Not accepted: ${await request.text()}`
  return Response.json({ detail: [{ loc: ['body', 'Content'], msg, type: 'x' }] }, { status: 422 })
}
const failWithEcho = async (request: Request) =>
  new Response(`<h1>Error</h1>${request.headers.get('authorization')} ${await request.text()}`, {
    status: 500,
  })

async function submitPost({ mara }: Scene, content: string) {
  await mara.run('/schedule-post tomorrow 9am Berlin time on X')
  const { id } = await mara.form('Schedule a post')
  await mara.submitView({ view: id, values: mara.fill({ Content: content }) })
  for (const view of mara.state().views) await mara.closeView({ view: view.id })
}

async function invite({ mara }: Scene, email: string) {
  await mara.run('/invite-user')
  const { id } = await mara.form('Invite someone')
  const typed = mara.fill({ FirstName: 'Wilhelmina', Email: email, PhoneNumber: '+49 30 5550199' })
  const role = (await mara.pick('Role', 'EDITOR')).values
  await mara.submitView({ view: id, values: { ...typed, ...role } })
  for (const view of mara.state().views) await mara.closeView({ view: view.id })
}

async function changeRole({ mara }: Scene, label: string) {
  await mara.run('/upnext user')
  const { id } = await mara.form('Change a user')
  const { values } = await mara.pick('record', label)
  const role = (await mara.pick('Role', 'VIEWER')).values
  await mara.submitView({ view: id, values: { ...values, ...role } })
  for (const view of mara.state().views) await mara.closeView({ view: view.id })
}

async function useService(scene: Scene) {
  const { upnext, mara } = scene
  await mara.runAndHear('/upnext use Acme', 'linked')
  await invite(scene, 'wilhelmina@acme.example')
  await mara.hears('Invited wilhelmina')
  await changeRole(scene, 'wilhelmina@acme.example')
  await mara.hears('Updated wilhelmina')
  await submitPost(scene, 'A post, that arrives.')
  await mara.hears('Scheduled in Acme')
  await submitPost(scene, `A post, that is ${'much '.repeat(100)}too long.`)
  scene.setSimulation(loseResponse)
  await submitPost(scene, 'A post, whose response is lost.')
  scene.setSimulation(fetchUnreachable)
  await invite(scene, 'unsent@acme.example')
  await submitPost(scene, 'A post, that cannot be sent.')
  scene.setSimulation(refuse)
  upnext.wait({ minutes: 1 })
  await mara.hears('rejected this')
  await submitPost(scene, 'A post, that is refused.')
  await upnext.settled()
  scene.setSimulation(failWithEcho)
  await submitPost(scene, 'A post, that fails.')
  await upnext.settled()
  scene.setSimulation(undefined)
}

async function meetSlackErrors(scene: Scene) {
  const { upnext, mara } = scene
  const { controls } = upnext.slack
  const time = DateTime.fromJSDate(controls.now(), { zone: 'Europe/Berlin' }).plus({ minutes: 14 })
  for (const method of ['chat.scheduleMessage', 'chat.postMessage', 'conversations.info', 'users.info'])
    controls.injectFault({ method, status: 503 })
  controls.injectFault({ method: 'files.getUploadURLExternal', drop_response: true, times: 3 })
  // Otherwise the digest may show an image that Slack has already.
  await upnext.service.pool.query('delete from upnext.uploaded_picture')
  controls.injectFault({ method: 'files.completeUploadExternal', error: 'internal_error' })
  await mara.run(`/upnext digest every day at ${time.toFormat('HH:mm')}`)
  await upnext.settled()
  controls.injectFault({ method: 'views.open', error: 'internal_error' })
  await mara.run('/invite-user')
  controls.injectFault({ method: 'views.open', drop_response: true, times: 3 })
  await mara.run('/schedule-post A post, whose form does not open.')
  controls.injectFault({ method: 'views.publish', error: 'invalid_arguments', times: 3 })
  await mara.openAppTab({ tab: 'home' })
  for (let minute = 0; minute < 6; minute++) {
    upnext.wait({ minutes: 1 })
    controls.advanceClock({ seconds: 60 })
    await upnext.settled()
  }
  await vi.waitFor(() => expect(scene.logged()).toContain('Failed to draw or upload an image'), MAX_WAIT)
  controls.clearFaults()
}

async function loseDatabase({ mara, proxy, upnext }: Scene) {
  await mara.run('/schedule-post A post, that meets no database. tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  proxy?.disconnect()
  await mara.submitView({ view: id, values: {} })
  await mara.run('/upnext')
  upnext.wait({ minutes: 1 })
  await upnext.settled()
  proxy?.reconnect()
}

/** Requests as Slack would send them: one with a response URL that doesn't answer, one with a wrong signature. */
async function sendRequests({ upnext, mara }: Scene) {
  const { secrets, apiUrl } = upnext.slack
  const { team_id = '' } = await new WebClient(secrets.botToken, { slackApiUrl: apiUrl }).auth.test()
  const text = 'A post, that comes with a signature.'
  const body = new URLSearchParams({
    ...{ command: '/upnext', text, team_id, user_id: mara.state().userId, channel_id: mara.channel },
    trigger_id: '1.2.3',
    response_url: `${await unreachableUrl()}/commands/${team_id}/1/secret-of-the-response-url`,
  }).toString()
  for (const secret of [secrets.signingSecret, 'wrong']) {
    const timestamp = Math.floor(Date.now() / 1000)
    const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${hash}`,
    }
    await fetch(`${upnext.requestUrl}/slack/events`, { method: 'POST', body, headers })
  }
}

it.each([
  ['Socket Mode', false],
  ['HTTP', true],
])(
  'exposes no secret and no personal data in a dump of the tables or logs at trace level with %s',
  async (_transport, overHttp) => {
    const scene = await openScene({ overHttp })
    const { upnext, mara, logged } = scene
    await useService(scene)
    await meetSlackErrors(scene)
    await loseDatabase(scene)
    if (overHttp) await sendRequests(scene)
    await upnext.settled()
    const tables = await dump(upnext, 'upnext')
    await mara.uninstallApp({})
    await upnext.settled()

    expect(tables).toContain('enc:v1:')
    expect(logged()).toContain('Failed to call the scheduling service')
    const { botToken, appToken, signingSecret } = upnext.slack.secrets
    const { password } = new URL(upnext.service.databaseUrl)
    const secrets = [botToken, appToken, signingSecret, API_TOKEN, TEST_SECRET, WEBHOOK_SECRET, password]
    const serviceTables = await dump(upnext, 'service')
    for (const text of [tables, logged(), serviceTables])
      for (const secret of secrets) expect(text).not.toContain(secret)
    for (const text of [tables, logged()]) expect(text.match(PERSONAL_DATA) ?? []).toEqual([])
  },
)

it("doesn't accept a token's hash from a dump of the service's tables as a token", async () => {
  const { upnext } = await openScene({ overHttp: false })
  const { rows } = await upnext.service.pool.query("select encode(hash, 'hex') as hash from service.token")
  expect(rows).not.toEqual([])
  for (const { hash } of rows)
    for (const token of [hash, `\\x${hash}`, Buffer.from(hash, 'hex').toString('base64url')]) {
      const { status } = await upnext.service.request('GET', '/api/v1/projects', { token })
      expect(status).toBe(401)
    }
})
