import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../src/log.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { fetchUnreachable, startProxy } from '../support/servers.ts'
import { openUpnext } from './workspace.ts'

it('continues with the outbox and messages when its database connections forward nothing', async () => {
  const lines: string[] = []
  let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
  let isServiceDown = false
  const upnext = await openUpnext({
    log: createLog('info', { write: (line) => void lines.push(line) }),
    api: {
      fetch: async (input, init) => (isServiceDown ? fetchUnreachable() : systemRuntime.fetch(input, init)),
    },
    databaseUrl: async (url) => {
      proxy = await startProxy(url)
      onTestFinished(proxy.close)
      return proxy.url
    },
    queryTimeoutMs: 2000,
  })
  onTestFinished(upnext.close)
  const mara = upnext.person('mara')
  await mara.run('/schedule-post Launch day! tomorrow 9am Berlin time on X')
  const { id: view } = await mara.form('Schedule a post')
  isServiceDown = true
  expect(await mara.submitView({ view, values: {} })).toEqual({ done: true })
  proxy?.forgetConnections()
  isServiceDown = false
  upnext.wait({ minutes: 1 })
  await mara.hears(/Done, after a delay[\s\S]*Launch day!/)
  expect(lines.join('')).toContain("PostgreSQL didn't answer")
  const isReady = async () => (await fetch(`${upnext.botUrl}/readyz`)).ok
  await vi.waitUntil(isReady, { timeout: 60_000 })
})
