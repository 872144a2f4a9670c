import type { ServerResponse } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { fetchSlackFile } from '../../../src/bot/features/media/fetch-slack-file.ts'
import { systemRuntime } from '../../../src/runtime.ts'
import { startHttpServer } from '../../support/servers.ts'

const BOT_TOKEN = 'xoxb-secret'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Respond = (response: ServerResponse, url: string) => void

/** A Slack that answers like this, and the headers of the requests that it received. */
async function startSlack(respond: Respond) {
  const server = await startHttpServer((request, response) => respond(response, request.url ?? ''))
  closing.push(server.close)
  return server
}
const get = (
  url: string,
  { allowedOrigin = new URL(url).origin, maxBytes = 1000, signal = new AbortController().signal } = {},
) => fetchSlackFile(systemRuntime, { url, botToken: BOT_TOKEN, allowedOrigin, maxBytes, signal })
async function read(result: Awaited<ReturnType<typeof get>>) {
  if (typeof result === 'string') return result
  const chunks: Uint8Array[] = []
  for await (const chunk of result) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

it('fetches a file of Slack with the token of the bot', async () => {
  const slack = await startSlack((response) => response.end('image'))
  expect(await read(await get(`${slack.url}/files-pri/T1-F1/lamp.png`))).toBe('image')
  expect(slack.received[0]?.headers.authorization).toBe(`Bearer ${BOT_TOKEN}`)
})

it.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://localhost/x',
  'http://10.0.0.1/x',
  'http://0x7f000001/x',
  'https://files.slack.com.evil.example/x',
  'https://evil.example/files.slack.com/x',
  'https://files.slack.com@evil.example/x',
  'https://files.slack.com:8443/x',
  'http://files.slack.com/x',
  'ftp://files.slack.com/x',
  'file:///etc/passwd',
  'data:text/plain,secret',
  '//files.slack.com/x',
  'not a url',
])('sends no request to %s', async (url) => {
  let requestCount = 0
  const fetch = async () => {
    requestCount += 1
    return new Response('secret')
  }
  const options = { url, botToken: BOT_TOKEN, maxBytes: 1000, signal: new AbortController().signal }
  const result = await fetchSlackFile(
    { nodeFetch: fetch },
    { ...options, allowedOrigin: 'https://files.slack.com' },
  )
  expect([result, requestCount]).toEqual(['no access', 0])
})

it.each([301, 302, 303, 307, 308])('does not follow a redirect with status %s', async (status) => {
  const elsewhere = await startSlack((response) => response.end('secret'))
  const slack = await startSlack((response) => response.writeHead(status, { location: elsewhere.url }).end())
  expect(await read(await get(`${slack.url}/x`))).toBe('no access')
  expect(elsewhere.received).toHaveLength(0)
})

it('reports "no access" for a sign-in page', async () => {
  const slack = await startSlack((response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html>Sign in'),
  )
  expect(await read(await get(`${slack.url}/x`))).toBe('no access')
})

it.each([
  [401, 'no access'],
  [403, 'no access'],
  [404, 'no access'],
  [429, 'unreachable'],
  [500, 'unreachable'],
])('reports status %s as "%s"', async (status, problem) => {
  const slack = await startSlack((response) => response.writeHead(status).end('secret'))
  expect(await read(await get(`${slack.url}/x`))).toBe(problem)
})

it('does not read a file that is announced as too large', async () => {
  const slack = await startSlack((response) => response.end('x'.repeat(1001)))
  expect(await read(await get(`${slack.url}/x`))).toBe('too large')
})

it('gives up an endless file at the limit', async () => {
  let sentBytes = 0
  const slack = await startSlack((response) => {
    const send = () => {
      sentBytes += 100_000
      if (!response.destroyed) response.write(Buffer.alloc(100_000), () => setImmediate(send))
    }
    send()
  })
  const reading = read(await get(`${slack.url}/x`, { maxBytes: 1_000_000 }))
  await expect(reading).rejects.toMatchObject({ problem: 'too large' })
  expect(sentBytes).toBeLessThan(20_000_000)
})

it('gives up a file that stops arriving when the signal aborts', async () => {
  const slack = await startSlack((response) => response.write('half'))
  const stopping = new AbortController()
  const reading = read(await get(`${slack.url}/x`, { signal: stopping.signal }))
  stopping.abort()
  await expect(reading).rejects.toMatchObject({ problem: 'unreachable' })
})

it('fails if the connection is cut off within the file', async () => {
  const slack = await startSlack((response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('half', () => response.destroy())
  })
  await expect(get(`${slack.url}/x`).then(read)).rejects.toMatchObject({ problem: 'unreachable' })
})

it('reports "unreachable" if Slack cannot be reached', async () => {
  expect(await read(await get('http://127.0.0.1:1/x'))).toBe('unreachable')
})
