import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserSession } from 'local-slack'
import { expect, it, onTestFinished, vi } from 'vitest'
import { waitUntil } from './support/clock.ts'
import { clockAhead } from './support/clock-ahead.ts'
import { type RunningProgram, runProgram } from './support/run-program.ts'
import { type ReceivedRequest, startHttpServer } from './support/servers.ts'
import { startServiceAndSlack } from './support/service-and-slack.ts'
import { createTempFolder } from './support/temp-folder.ts'

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000 }
const HOUR_MS = 3_600_000
const HANDLES = ['ada', 'bea', 'cem', 'dev', 'eli', 'fay']
/** Several times as long as an instance needs to notice that it may send a post again. */
const MAX_DELAY_MS = 10_000

it('sends each post once although one instance is 55 s ahead and requests arrive late', async () => {
  const { slack, serviceUrl, env, getData, findProject, stop } = await startServiceAndSlack({
    name: 'clocks',
    people: HANDLES.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin' })),
    channels: [{ name: 'launch' }],
    disableRateLimits: true,
  })
  onTestFinished(stop)
  const contents = HANDLES.map((handle) => `Post of ${handle}`)
  const creations: string[] = []
  const countCreations = (content: string) => creations.filter((created) => created === content).length
  /** Lets a post arrive late, or as soon as it is sent for the second time. */
  async function delayCreation({ method, url, body }: ReceivedRequest): Promise<void> {
    if (method !== 'POST' || !url.endsWith('/posts')) return
    const { Content } = JSON.parse(body)
    creations.push(Content)
    const end = performance.now() + MAX_DELAY_MS
    while (performance.now() < end && countCreations(Content) < 2) await sleep(50)
  }
  const lateService = await startHttpServer(async (request, response) => {
    await delayCreation(request)
    const { method, url, headers, body } = request
    const { authorization = '', 'content-type': type = 'application/json' } = headers
    const answer = await fetch(serviceUrl + url, {
      method,
      headers: { authorization, 'content-type': type },
      ...(body && { body }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  onTestFinished(lateService.close)
  const startBot = (settings = {}) =>
    runProgram('dist/main.js', [], { ...env, API_BASE_URL: lateService.url, ...settings })
  const bots: RunningProgram[] = [startBot(), startBot(clockAhead(55_000))]
  onTestFinished(async () => {
    for (const bot of bots) await bot.stop('SIGTERM')
  })
  await Promise.all(bots.map((bot) => bot.waitForLine('ready')))

  const people = HANDLES.map((handle) => slack.openSession(handle))
  const [first] = people as [UserSession]
  const channel = first.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
  await first.runCommand({ channel, text: '/upnext use Harbor' })
  await waitUntil(() => JSON.stringify(first.state().messages[channel] ?? '').includes('linked'))
  const schedule = async (person: UserSession, content = '') => {
    const findForm = () => person.state().views.at(-1)
    const isReady = () => findForm()?.blocks.some(({ block_id }) => block_id === 'project')
    // On a slow machine, a form may open too late for Slack. Then people try again.
    await vi.waitFor(async () => {
      await person.runCommand({ channel, text: `/schedule-post ${content} in 3 days at 9am on X` })
      await vi.waitUntil(isReady, { timeout: 5000 })
    }, MAX_WAIT)
    const form = { view: findForm()?.id ?? '', values: {} }
    await vi.waitFor(async () => expect(await person.submitView(form)).toEqual({ done: true }), MAX_WAIT)
  }
  await Promise.all(people.map((person, index) => schedule(person, contents[index])))

  const path = `/api/v1/projects/${await findProject()}/posts?limit=100`
  const listContents = async () => JSON.stringify(await getData(path)).match(/Post of \w+/g) ?? []
  await waitUntil(async () => new Set(await listContents()).size === contents.length)
  expect(creations.sort()).toEqual(contents)
  expect((await listContents()).sort()).toEqual(contents)
})

it("judges the dates of posts by the database's clock when the service's machine is ahead", async () => {
  const folder = await createTempFolder('upnext-clocks-')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const token = 'token-for-clocks-and-nothing-else'
  const service = runProgram('dist/service/command-line.js', [], {
    DATA_DIR: folder,
    SERVICE_PORT: '0',
    API_TOKEN: token,
    ...clockAhead(2 * HOUR_MS),
  })
  onTestFinished(async () => {
    await service.stop('SIGTERM')
  })
  const [url] = /http\S+/.exec(await service.waitForLine('ready')) ?? []
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/v1/projects${path}`, { headers, ...init })
    return { status: response.status, text: await response.text() }
  }
  const [, project] = /"Id":"([^"]+)"/.exec((await send('')).text) ?? []
  const schedule = async (ms: number) => {
    const ScheduleDate = new Date(Date.now() + ms).toISOString()
    const body = { Content: 'Soon!', Platforms: ['X'], ScheduleDate, Timezone: 'UTC' }
    return (await send(`/${project}/posts`, { method: 'POST', body: JSON.stringify(body) })).status
  }
  expect([await schedule(HOUR_MS), await schedule(-HOUR_MS)]).toEqual([201, 422])
})
