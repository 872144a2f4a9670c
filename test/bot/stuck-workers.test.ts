import { afterEach, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { captureLog } from '../support/capture-log.ts'
import { fetchUnreachable } from '../support/servers.ts'
import { openUpnext, type Upnext } from './workspace.ts'

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
afterEach(() => upnext.close())

const probe = async () => {
  const response = await fetch(`${upnext.botUrl}/readyz`)
  return { code: response.status, ...((await response.json()) as { status: string }) }
}
const listContents = async () => {
  const { rows } = await upnext.service.pool.query('select content from service.post')
  return rows.map(({ content }) => content)
}

it('replaces a worker that hangs, and is not ready until it works again', async () => {
  const { log, entries } = captureLog()
  upnext = await openUpnext({ log })
  const lockHolder = await upnext.service.pool.connect()
  await lockHolder.query('begin; lock table upnext.job in access exclusive mode')
  await vi.waitFor(async () => {
    const { rowCount } = await upnext.service.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like 'select%from "upnext"."job"%'`,
    )
    expect(rowCount).toBe(1)
  }, MAX_WAIT)
  expect(await probe()).toEqual({ code: 200, status: 'ready' })
  upnext.endRunTime()
  await vi.waitFor(async () => {
    const status = 'The worker that should run jobs hangs or keeps failing. The log says why.'
    expect(await probe()).toEqual({ code: 503, status })
  }, MAX_WAIT)
  const errors = entries.filter(({ msg }) => msg === 'Failed to run jobs')
  expect(errors).toMatchObject([{ err: { message: expect.stringContaining("didn't end within 5 minutes") } }])
  await lockHolder.query('commit')
  lockHolder.release()
  await vi.waitFor(async () => expect(await probe()).toEqual({ code: 200, status: 'ready' }), MAX_WAIT)
})

it('is not ready while a worker fails again and again', async () => {
  const { log, entries } = captureLog()
  upnext = await openUpnext({ log })
  await upnext.service.pool.query('alter table upnext.job rename to hidden')
  const status = 'The worker that should run jobs hangs or keeps failing. The log says why.'
  await vi.waitFor(async () => {
    upnext.wait({ minutes: 0 })
    expect(await probe()).toEqual({ code: 503, status })
  }, MAX_WAIT)
  expect(entries.filter(({ msg }) => msg === 'Failed to run jobs')).toHaveLength(2)
  await upnext.service.pool.query('alter table upnext.hidden rename to job')
  await vi.waitFor(async () => {
    upnext.wait({ minutes: 0 })
    expect(await probe()).toEqual({ code: 200, status: 'ready' })
  }, MAX_WAIT)
  expect(entries.filter(({ msg }) => msg === 'Able to run jobs again')).toHaveLength(1)
})

it('abandons a job that hangs, and retries it only after a lookup', async () => {
  const { log, entries } = captureLog()
  let serviceIs: 'down' | 'hanging' | 'up' = 'up'
  let attempts = 0
  upnext = await openUpnext({
    log,
    api: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        request.headers.delete('idempotency-key')
        if (serviceIs === 'up' || request.method !== 'POST') return systemRuntime.fetch(request)
        if (serviceIs === 'down') return fetchUnreachable()
        attempts += 1
        // Not even the deadline of the request ends it.
        return new Promise(() => {})
      },
    },
  })
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id: view } = await mara.form('Schedule a post')
  serviceIs = 'down'
  expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
  serviceIs = 'hanging'
  upnext.wait({ minutes: 1 })
  await vi.waitFor(() => expect(attempts).toBe(1), MAX_WAIT)
  upnext.endRunTime()
  await vi.waitFor(() => {
    const failedJobs = entries.filter(({ job }) => job)
    expect(failedJobs).toMatchObject([{ msg: 'Failed to send an outbox item' }])
  }, MAX_WAIT)
  // Later than the pause after a failure, earlier than the lookup.
  upnext.wait({ minutes: 0.2 })
  await upnext.settled()
  expect(attempts).toBe(1)
  serviceIs = 'up'
  upnext.wait({ minutes: 2 })
  await mara.hears('Launch day!')
  await upnext.settled()
  expect(await listContents()).toEqual(['Launch day!'])
})
