import type { UserSession } from 'local-slack'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../src/database/database.ts'
import { type RunningProgram, runProgram } from '../../support/run-program.ts'
import { type ServiceAndSlack, startServiceAndSlack } from '../../support/service-and-slack.ts'
import { pickFile, takePhoto } from './sample-files.ts'

const PUBLIC_URL = 'https://upnext.example.com'
const MAX_WAIT = { timeout: 60_000, interval: 50 }

let shared: ServiceAndSlack
let database: Database
let mara: UserSession
let channel: string
let instances: RunningProgram[] = []

beforeAll(async () => {
  shared = await startServiceAndSlack({
    name: 'uploads',
    people: [{ handle: 'mara', name: 'Mara', tz: 'Europe/Berlin', role: 'admin' }],
    channels: [{ name: 'launch' }],
    disableRateLimits: true,
  })
  database = (await shared.openBotDatabase()).database
  mara = shared.slack.openSession('mara')
  channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
})
afterAll(async () => {
  await database?.close()
  await shared?.stop()
})
beforeEach(() => database.pool.query('delete from service.post'))
afterEach(() => stopInstances('SIGTERM'))

async function startInstances(count: number): Promise<void> {
  const started = Array.from({ length: count }, () =>
    runProgram('dist/main.js', [], { ...shared.env, PUBLIC_URL, LOG_LEVEL: 'fatal' }),
  )
  instances.push(...started)
  await Promise.all(started.map((instance) => instance.waitForLine('ready')))
}
async function stopInstances(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await Promise.all(instances.map((instance) => instance.stop(signal)))
  instances = []
  // A fault that the stopped instances didn't reach would delay the next one.
  shared.slack.controls.clearFaults()
}

const findView = () => mara.state().views.at(-1)
const waitFor = <T>(find: () => T | undefined) =>
  vi.waitFor(() => {
    const found = find()
    if (found === undefined) throw new Error('Not there yet.')
    return found
  }, MAX_WAIT)

async function scheduleImage(): Promise<void> {
  await mara.runCommand({ channel, text: '/upnext use Northwind' })
  await waitFor(() => JSON.stringify(mara.state().messages[channel])?.includes('linked') || undefined)
  await mara.runCommand({ channel, text: '/schedule-post Launch day! 1 december 2030 9am on Facebook' })
  const view = await waitFor(() => {
    const shown = findView()
    return JSON.stringify(shown).includes('"block_id":"project"') ? shown : undefined
  })
  const file = await pickFile(shared.slack, mara, 'lamp.jpg', await takePhoto())
  const input = view.blocks.find(({ block_id }) => block_id === 'MediaFile') as {
    element: { action_id: string }
  }
  await mara.submitView({ view: view.id, values: { MediaFile: { [input.element.action_id]: [file] } } })
}
const directMessages = () =>
  Object.entries(mara.state().messages)
    .filter(([id]) => id.startsWith('D'))
    .flatMap(([, messages]) => messages.map(({ blocks }) => JSON.stringify(blocks)))
/** Waits until the bot knows the message that shows the progress. */
const waitForProgress = () =>
  vi.waitFor(
    async () =>
      expect(await countRows('outbox_item where progress_ts is not null and state = $$uploading$$')).toBe(1),
    MAX_WAIT,
  )
const storedPosts = async () =>
  (await database.pool.query("select media from service.post where content = 'Launch day!'")).rows
const waitForPost = () => vi.waitFor(async () => expect(await storedPosts()).toHaveLength(1), MAX_WAIT)
const countRows = async (table: string) =>
  Number((await database.pool.query(`select count(*) from upnext.${table}`)).rows[0].count)

describe('an upload', () => {
  it('is served by every instance, whichever fetched the file', async () => {
    await startInstances(2)
    await scheduleImage()
    await waitForPost()
    const [{ media }] = await storedPosts()
    for (const instance of instances) {
      const [, url = ''] = /bot +(http\S+)/.exec(instance.output()) ?? []
      const served = await fetch(media.replace(PUBLIC_URL, url))
      expect(served.status).toBe(200)
      expect(served.headers.get('content-type')).toBe('image/jpeg')
    }
  })

  it('is finished after the next start if the bot is stopped during it', async () => {
    await startInstances(1)
    shared.slack.controls.injectFault({ method: 'files.info', delay_ms: 30_000 })
    await scheduleImage()
    await waitForProgress()
    await stopInstances('SIGTERM')
    expect(await storedPosts()).toEqual([])
    await startInstances(1)
    await waitForPost()
    await waitFor(() => directMessages().find((text) => text.includes('Scheduled in Northwind')))
    expect(directMessages().filter((text) => text.includes('Uploading'))).toEqual([])
  })

  it('is finished by another instance if one is killed during it, and leaves nothing behind', async () => {
    const filesBefore = await countRows('media_file')
    await startInstances(1)
    shared.slack.controls.injectFault({ method: 'files.info', delay_ms: 30_000 })
    await scheduleImage()
    await waitForProgress()
    await stopInstances('SIGKILL')
    // Another instance waits until it can be certain that the first one is dead.
    await database.pool.query(
      "update upnext.job set leased_until = now() - interval '1 second' where kind = 'upload'",
    )
    await startInstances(1)
    await waitForPost()
    await waitFor(() => (directMessages().some((text) => text.includes('Uploading')) ? undefined : true))
    expect(await countRows('media_file')).toBe(filesBefore)
    const countUnsent = () => countRows("outbox_item where state <> 'sent'")
    await vi.waitFor(async () => expect(await countUnsent()).toBe(0), MAX_WAIT)
  })
})
