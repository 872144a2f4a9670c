import { afterEach, expect, it, vi } from 'vitest'
import { systemRuntime } from '../../src/runtime.ts'
import { captureLog } from '../support/capture-log.ts'
import { unreachableUrl } from '../support/servers.ts'
import { openUpnext, type Upnext } from './workspace.ts'

const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
afterEach(() => upnext.close())

it('names a submission with the same id in all logs, from its acceptance to its end', async () => {
  const { log, entries } = captureLog()
  let isDown = false
  const unreachable = await unreachableUrl()
  upnext = await openUpnext({
    log,
    relaxTimeouts: true,
    respond: ({ method }) => (isDown && method === 'POST' ? systemRuntime.fetch(unreachable) : undefined),
  })
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Launch day! tomorrow 9am on X')
  const { id } = await mara.form('Schedule a post')
  isDown = true
  await mara.submitView({ view: id, values: {} })
  const read = async (sql: string) => (await upnext.service.pool.query(sql)).rows
  const [item] = await read('select id, team_id from upnext.outbox_item')
  await vi.waitFor(
    () => expect(entries.some(({ msg }) => msg === 'Postponed a submission')).toBe(true),
    MAX_WAIT,
  )
  isDown = false
  upnext.wait({ minutes: 10 })
  await vi.waitFor(() => expect(entries.some(({ msg }) => msg === 'Sent a submission')).toBe(true), MAX_WAIT)
  const about = { request: item.id, workspace: item.team_id, form: 'schedule' }
  const lines = entries.filter((entry) => entry.request === item.id)
  expect(lines[0]).toMatchObject({ ...about, msg: 'Accepted a submission' })
  expect(lines.find(({ msg }) => msg === 'Postponed a submission')).toMatchObject({
    ...about,
    kind: 'unreachable',
    reason: 'connection',
    code: 'ECONNREFUSED',
  })
  expect(lines.at(-1)).toMatchObject({ ...about, msg: 'Sent a submission' })
  expect(entries.filter((entry) => entry.reqId === item.id).length).toBeGreaterThan(0)
  const audited = () => read('select request_id from upnext.audit_entry')
  await vi.waitFor(async () => expect(await audited()).toContainEqual({ request_id: item.id }), MAX_WAIT)
  expect(JSON.stringify(entries)).not.toContain('Launch day!')
})
