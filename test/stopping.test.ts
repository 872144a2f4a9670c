import { rm } from 'node:fs/promises'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { openUpnext } from './bot/workspace.ts'
import { runProgram } from './support/run-program.ts'
import { createTempFolder } from './support/temp-folder.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

it('reports that it is not ready before it stops', async () => {
  const DATA_DIR = await createTempFolder('upnext-stopping-')
  const program = runProgram('dist/main.js', [], {
    DATA_DIR,
    SERVICE_PORT: '0',
    LOCAL_SLACK_PORT: '0',
    DRAIN_SECONDS: '3',
  })
  await program.waitForLine('ready')
  const urls = ['bot', 'service'].map(
    (part) => new RegExp(`^${part} +(http://\\S+)`, 'm').exec(program.output())?.[1] ?? '',
  )
  const probe = () => Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status))
  await vi.waitFor(async () => expect(await probe()).toEqual([200, 200]), MAX_WAIT)
  const stopped = program.stop('SIGTERM')
  await vi.waitFor(async () => expect(await probe()).toEqual([503, 503]), MAX_WAIT)
  const health = await fetch(`${urls[0]}/healthz`)
  expect(health.status).toBe(200)
  expect(await stopped).toBe(0)
  await rm(DATA_DIR, { recursive: true })
})

it('finishes submissions that have just arrived', async () => {
  let isSlow = false
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const upnext = await openUpnext({
    relaxTimeouts: true,
    respond: async ({ method }) => {
      if (isSlow && method === 'POST') await released
      return undefined
    },
  })
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  isSlow = true
  // Slack's connection ends before the answer, so the form doesn't close.
  void mara.submitView({ view: id, values: {} }).catch(() => {})
  const read = async () => {
    const client = new pg.Client({ connectionString: upnext.service.databaseUrl })
    await client.connect()
    const { rows } = await client.query('select state from upnext.outbox_item')
    await client.end()
    return rows
  }
  await vi.waitFor(async () => expect(await read()).toEqual([{ state: 'unconfirmed' }]), MAX_WAIT)
  const stopping = upnext.stopBot()
  release()
  await stopping
  expect(await read()).toEqual([{ state: 'sent' }])
  await upnext.close()
})
