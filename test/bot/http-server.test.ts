import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { openUpnext, type Upnext } from './workspace.ts'

let upnext: Upnext
afterEach(() => upnext.close())

describe.each([
  ['Socket Mode', false],
  ['HTTP', true],
])('the HTTP server with %s', (_mode, overHttp) => {
  const request = async (path: string, init?: RequestInit) => {
    const response = await fetch(upnext.botUrl + path, init)
    return { status: response.status, body: await response.text() }
  }

  it('says that the bot runs and is ready', async () => {
    upnext = await openUpnext({ overHttp })
    expect(await request('/healthz')).toEqual({
      status: 200,
      body: JSON.stringify({ status: 'ok', version: VERSION }),
    })
    expect(await request('/readyz?verbose')).toEqual({ status: 200, body: '{"status":"ready"}' })
    expect(await request('/healthz', { method: 'HEAD' })).toEqual({ status: 200, body: '' })
    expect((await request('/healthz', { method: 'POST' })).status).not.toBe(200)
  })

  it('returns 404 for other paths', async () => {
    upnext = await openUpnext({ overHttp })
    for (const path of ['/', '/healthz/', '/HEALTHZ', '/..%2fhealthz', '/slack/nowhere'])
      expect((await request(path)).status, path).toBe(404)
  })
})

it('announces that it keeps idle connections for longer than proxies do', async () => {
  upnext = await openUpnext()
  const socket = connect(Number(new URL(upnext.botUrl).port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: upnext\r\n\r\n')
  const [response] = await once(socket, 'data')
  socket.destroy()
  const [, seconds] = /Keep-Alive: timeout=(\d+)/.exec(String(response)) ?? []
  // Caddy keeps one for two minutes, nginx for one.
  expect(Number(seconds)).toBeGreaterThan(120)
})

it('keeps at most a thousand idle connections, and frees them when their clients disconnect', async () => {
  upnext = await openUpnext()
  const { hostname, port } = new URL(upnext.botUrl)
  const sockets: Socket[] = []
  const open = async () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  for (let count = 0; count < 1000; count++) await open()
  const refused = await open()
  await once(refused, 'close')
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect((await fetch(`${upnext.botUrl}/healthz`)).status).toBe(200), {
    timeout: 60_000,
  })
})
