import { openLocalSlack } from 'local-slack'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSocketMode } from '../../src/bot/slack/socket-mode.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { captureLog } from '../support/capture-log.ts'
import { startHttpServer, startTcpServer, unreachableUrl } from '../support/servers.ts'
import { openUpnext, type Respond, type Upnext } from './workspace.ts'

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000, interval: 20 }

const rejections: unknown[] = []
const recordRejection = (error: unknown) => void rejections.push(error)
beforeEach(() => void process.on('unhandledRejection', recordRejection))
afterEach(() => {
  process.off('unhandledRejection', recordRejection)
  expect(rejections.splice(0)).toEqual([])
})

const UNREACHABLE = "Slack can't be reached right now."
const FAILED = 'Failed to connect to Slack. Upnext keeps trying'
const CONNECTED = 'Connected to Slack again'

describe('the bot', () => {
  let upnext: Upnext
  afterEach(() => upnext.close())

  const probe = async () => (await fetch(`${upnext.botUrl}/readyz`)).json()
  const waitForConnections = (count: number) =>
    vi.waitFor(() => {
      const requests = upnext.slack.controls.appPayloads()
      expect(requests.filter(({ name }) => name === 'apps.connections.open').length).toBe(count)
      expect(upnext.slack.controls.socketCount()).toBe(1)
    }, MAX_WAIT)
  const useCommand = () => upnext.person('mara').runAndHear('/upnext zone Lisbon', 'Europe/Lisbon')

  it('reconnects after an outage of Slack, however long it was', async () => {
    const { log, entries } = captureLog()
    upnext = await openUpnext({ log })
    const { port } = new URL(upnext.slack.url)
    await upnext.slack.close()
    const outage = await startHttpServer((_request, response) => void response.destroy(), Number(port))
    // On its own, the SDK gives up after three requests.
    await vi.waitFor(() => expect(outage.received.length).toBeGreaterThan(10), MAX_WAIT)
    expect(await probe()).toEqual({ status: UNREACHABLE })
    await outage.close()
    await upnext.restartSlack()
    await waitForConnections(1)
    await useCommand()
    await vi.waitFor(async () => expect(await probe()).toEqual({ status: 'ready' }), MAX_WAIT)
    expect(entries.map(({ msg }) => msg).filter((msg) => /connect/i.test(msg))).toEqual([FAILED, CONNECTED])
  })

  it('starts during an outage of Slack, and connects afterwards', async () => {
    upnext = await openUpnext({ startsWithoutSlack: true })
    expect(await probe()).toEqual({ status: UNREACHABLE })
    await upnext.restartSlack()
    await waitForConnections(1)
    await useCommand()
  })

  // If a call failed at the start, Bolt would acknowledge every later request without passing it on.
  it('schedules what is submitted after a start during which Slack failed', async () => {
    upnext = await openUpnext({ failingMethod: 'auth.test' })
    upnext.slack.controls.clearFaults()
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id } = await mara.form('Schedule a post')
    await mara.submitAndHear({ view: id, values: {} }, 'Scheduled in Acme')
  })

  it.each(['warning', 'cut'] as const)('reconnects when Slack ends the connection (%s)', async (reason) => {
    const { log, entries } = captureLog()
    upnext = await openUpnext({ log })
    upnext.slack.controls.disconnectSockets(reason)
    upnext.slack.controls.advanceClock({ seconds: 10 })
    await waitForConnections(2)
    await useCommand()
    expect(entries.filter(({ msg }) => /connect/i.test(msg))).toEqual([])
  })
})

describe('a post that is being stored', () => {
  let upnext: Upnext
  let respond: Respond
  beforeEach(async () => {
    respond = () => undefined
    upnext = await openUpnext({ relaxTimeouts: true, respond: (request) => respond(request) })
  })
  afterEach(() => upnext.close())

  /** Submits a post whose response from the service is delayed until it is released. */
  async function submitPost() {
    const mara = upnext.person('mara')
    await mara.run('/schedule-post Launch day! tomorrow 9am on X')
    const { id: view } = await mara.form('Schedule a post')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let isStored = false
    respond = async (request) => {
      if (request.method !== 'POST') return undefined
      const response = await systemRuntime.fetch(request)
      isStored = true
      await released
      return response
    }
    const submission = mara.submitView({ view, values: {} })
    await vi.waitFor(() => expect(isStored).toBe(true), MAX_WAIT)
    return { mara, submission, release }
  }
  const waitForDisconnection = () =>
    vi.waitFor(() => expect(upnext.slack.controls.socketCount()).toBe(0), MAX_WAIT)
  /** Slack stops waiting for the response to a form. */
  async function expectNoResponse(submission: Promise<unknown>) {
    upnext.slack.controls.advanceClock({ seconds: 60 })
    expect(await submission).toEqual({ error: expect.stringContaining('trouble connecting') })
  }

  it('is confirmed although Upnext is restarted', async () => {
    const { mara, submission, release } = await submitPost()
    const stopping = upnext.stopBot()
    await waitForDisconnection()
    release()
    await stopping
    await upnext.startSecondBot()
    await expectNoResponse(submission)
    await mara.hears(/Scheduled in Acme[\s\S]*Launch day!/)
  })

  it('is confirmed although Slack ends the connection', async () => {
    const { mara, submission, release } = await submitPost()
    upnext.slack.controls.injectFault({
      method: 'apps.connections.open',
      error: 'internal_error',
      times: 1000,
    })
    upnext.slack.controls.disconnectSockets('cut')
    await waitForDisconnection()
    const probe = async () => (await fetch(`${upnext.botUrl}/readyz`)).json()
    await vi.waitFor(async () => expect(await probe()).toEqual({ status: UNREACHABLE }), MAX_WAIT)
    release()
    await mara.hears(/Scheduled in Acme[\s\S]*Launch day!/)
    upnext.slack.controls.clearFaults()
    await expectNoResponse(submission)
  })
})

describe('the connection', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  type Options = { slackApiUrl: string; appToken?: string; sleep?: typeof systemRuntime.sleep }
  const create = ({ slackApiUrl, appToken = 'xapp-1', sleep = systemRuntime.sleep }: Options) => {
    const { log, entries } = captureLog()
    const socketMode = createSocketMode({
      appToken,
      clientOptions: { slackApiUrl },
      log,
      runtime: { ...systemRuntime, sleep, random: () => 1 },
    })
    closers.push(socketMode.stop)
    return { socketMode, entries }
  }
  /** Only a pause has a signal. The time limit of an attempt has none. */
  const shortSleep: typeof systemRuntime.sleep = (ms, signal) => systemRuntime.sleep(signal ? 1 : ms, signal)
  const openSlack = async () => {
    const slack = await openLocalSlack({ manifest: 'manifest.yml', runtime: systemRuntime })
    closers.push(slack.close)
    return { slackApiUrl: slack.apiUrl, ...slack.secrets, ...slack }
  }

  it('pauses longer and longer between attempts, up to half a minute', async () => {
    const pauses: number[] = []
    const { socketMode } = create({
      slackApiUrl: `${await unreachableUrl()}/api/`,
      sleep(ms, signal) {
        if (signal) pauses.push(ms)
        return shortSleep(ms, signal)
      },
    })
    await socketMode.start()
    await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(7), MAX_WAIT)
    expect(pauses.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  it('fails at the start if Slack rejects the token', async () => {
    const { slackApiUrl } = await openSlack()
    const { socketMode } = create({ slackApiUrl, appToken: 'xapp-wrong' })
    await expect(socketMode.start()).rejects.toThrow('invalid_auth')
  })

  it('is retried at the start if a proxy answers in place of Slack', async () => {
    const proxy = await startHttpServer((_request, response) => void response.end('<p>Sign in</p>'))
    closers.push(proxy.close)
    const { socketMode, entries } = create({ slackApiUrl: `${proxy.url}/api/`, sleep: shortSleep })
    await socketMode.start()
    await vi.waitFor(() => expect(proxy.received.length).toBeGreaterThan(2), MAX_WAIT)
    expect(entries).toMatchObject([{ msg: FAILED, reason: UNREACHABLE }])
  })

  it('names a token that Slack rejects later', async () => {
    const { slackApiUrl, appToken, controls } = await openSlack()
    const { socketMode, entries } = create({ slackApiUrl, appToken, sleep: shortSleep })
    await socketMode.start()
    expect(socketMode.findProblem()).toBeUndefined()
    controls.injectFault({ method: 'apps.connections.open', error: 'invalid_auth', times: 100 })
    controls.disconnectSockets('cut')
    const reason = 'Slack rejects the connection (invalid_auth). Check SLACK_APP_TOKEN.'
    await vi.waitFor(() => expect(socketMode.findProblem()).toEqual({ reason }), MAX_WAIT)
    expect(entries).toMatchObject([{ msg: FAILED, reason }])
  })

  it('gives up on a server that never answers, and retries', async () => {
    let connections = 0
    const silentServer = await startTcpServer(() => {
      connections += 1
      endAttempt()
    })
    let endAttempt = () => {}
    const slack = await startHttpServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, url: silentServer.url.replace('http', 'ws') }))
    })
    closers.push(silentServer.close, slack.close)
    const { socketMode, entries } = create({
      slackApiUrl: `${slack.url}/api/`,
      // The time of an attempt ends when its connection has been opened.
      sleep: (_ms, signal) =>
        signal
          ? systemRuntime.sleep(1, signal)
          : new Promise((resolve) => {
              endAttempt = resolve
            }),
    })
    await socketMode.start()
    await vi.waitFor(() => expect(connections).toBeGreaterThan(2), MAX_WAIT)
    expect(socketMode.findProblem()).toEqual({ reason: UNREACHABLE })
    expect(entries.map(({ msg }) => msg)).toEqual([FAILED])
  })
})
