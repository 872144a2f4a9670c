import { afterEach, describe, expect, it } from 'vitest'
import { openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

describe.each([
  ['Socket Mode', false],
  ['HTTP', true],
])('The HTTP server with %s', (_mode, overHttp) => {
  const request = async (path: string, init?: RequestInit) => {
    const response = await fetch(upnext.botUrl + path, init)
    return { status: response.status, body: await response.text() }
  }

  it('says that the bot runs and is ready', async () => {
    upnext = await openUpnext({ overHttp })
    expect(await request('/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' })
    expect(await request('/readyz?verbose')).toEqual({ status: 200, body: '{"status":"ready"}' })
    expect(await request('/healthz', { method: 'HEAD' })).toEqual({ status: 200, body: '' })
    expect((await request('/healthz', { method: 'POST' })).status).not.toBe(200)
  })

  it('has nothing else', async () => {
    upnext = await openUpnext({ overHttp })
    for (const path of ['/', '/healthz/', '/HEALTHZ', '/..%2fhealthz', '/slack/nowhere'])
      expect((await request(path)).status, path).toBe(404)
  })
})
