import { once } from 'node:events'
import { SocketModeClient } from '@slack/socket-mode'
import { WebClient } from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type LocalSlack, openLocalSlack } from '../index.ts'
import { fixedRuntime, waitFor } from './fixed-runtime.ts'
import { MANIFEST } from './sample-bot/bot.ts'
import type { Payload } from './workspace.ts'

let slack: LocalSlack
let closers: (() => unknown)[]
beforeEach(async () => {
  closers = []
  slack = await openLocalSlack({ manifest: MANIFEST, runtime: fixedRuntime })
})
afterEach(async () => {
  for (const close of closers) await close()
  await slack.close()
})

const address = async (): Promise<string> => {
  const client = new WebClient(slack.secrets.appToken, { slackApiUrl: slack.apiUrl })
  return (await client.apps.connections.open()).url ?? ''
}

type Line = { socket: WebSocket; frames: Payload[]; ack: (frame: Payload, payload?: unknown) => void }

/** Opens a connection without an SDK, which shows the frames themselves. */
const connectBare = async (): Promise<Line> => {
  const socket = new WebSocket(await address())
  const frames: Payload[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  closers.push(() => socket.terminate())
  await waitFor(() => expect(frames[0]?.type).toBe('hello'))
  const ack: Line['ack'] = ({ envelope_id }, payload) => socket.send(JSON.stringify({ envelope_id, payload }))
  return { socket, frames, ack }
}

/** Long enough for a slow machine. */
const PING_TIMEOUT_MS = 60_000

/** Connects Slack's own client, but without the delay before it reconnects. */
const connectClient = async (
  onCommand: (told: { body: Payload; ack: (answer?: object) => Promise<void> }) => void,
) => {
  const client = new SocketModeClient({
    appToken: slack.secrets.appToken,
    clientOptions: { slackApiUrl: slack.apiUrl },
    clientPingTimeout: PING_TIMEOUT_MS,
  })
  // A new connection gets its ping timeout from the property that also sets the delay.
  const setDelay = (clientPingTimeoutMS: number) => Object.assign(client, { clientPingTimeoutMS })
  client.on('connected', () => setDelay(0))
  client.on('reconnecting', () => setDelay(PING_TIMEOUT_MS))
  client.on('slash_commands', onCommand)
  const start = client.start.bind(client)
  let isClosing = false
  // The client doesn't handle the rejection of a reconnect that its own `disconnect` ends.
  client.start = () =>
    start().catch((error) => {
      if (isClosing) return new Promise<never>(() => {})
      throw error
    })
  closers.push(() => {
    isClosing = true
    return client.disconnect()
  })
  await client.start()
  return client
}

const launch = (handle: string) => {
  const person = slack.openSession(handle)
  const channel = person.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
  return {
    run: (text: string) => person.runCommand({ channel, text }),
    say: (text: string) => person.sendMessage({ channel, text }),
  }
}
const frame = (line: Line, type: string, nth = 0): Promise<Payload> =>
  waitFor(() => {
    const found = line.frames.filter((one) => one.type === type)[nth]
    if (!found) throw new Error(`There was no ${type}.`)
    return found
  })

describe('Socket Mode', () => {
  it('sends hello on each connection, with the number of connections', async () => {
    const first = await connectBare()
    const second = await connectBare()
    expect(first.frames[0]).toMatchObject({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: slack.appId },
    })
    expect(second.frames[0]).toMatchObject({
      num_connections: 2,
      debug_info: { approximate_connection_time: 18_060 },
    })
    expect(slack.controls.socketCount()).toBe(2)
  })

  it('accepts a client that leaves the port out of the Host header, as the SDK for Python does', async () => {
    const socket = new WebSocket(await address(), { headers: { host: '127.0.0.1' } })
    closers.push(() => socket.terminate())
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data)).type).toBe('hello')
  })

  it('accepts one connection per URL, and at most ten', async () => {
    const url = await address()
    const first = new WebSocket(url)
    closers.push(() => first.terminate())
    await once(first, 'open')
    const refused = async (to: string) => (await once(new WebSocket(to), 'error'))[0].message
    expect(await refused(url)).toContain('401')
    for (let count = 1; count < 10; count += 1) await connectBare()
    expect(await refused(await address())).toContain('401')
  })

  it('accepts acknowledgements with and without a response payload', async () => {
    const line = await connectBare()
    const running = launch('mara').run('/book now')
    const envelope = await frame(line, 'slash_commands')
    expect(envelope).toMatchObject({
      envelope_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accepts_response_payload: true,
      payload: { command: '/book', text: 'now' },
    })
    line.ack(envelope, { text: 'Booked' })
    expect(await running).toEqual({ done: true })
    await launch('mara').say('Hello')
    const event = await frame(line, 'events_api')
    expect(event).toMatchObject({ accepts_response_payload: false, retry_attempt: 0, retry_reason: '' })
    const using = slack.openSession('mara').runShortcut({ callback_id: 'book_anywhere' })
    const shortcut = await frame(line, 'interactive')
    expect(shortcut).toMatchObject({ accepts_response_payload: false, payload: { type: 'shortcut' } })
    line.ack(shortcut)
    expect(await using).toEqual({ done: true })
  })

  it('distributes envelopes over all connections', async () => {
    const counts = [0, 0]
    for (const index of [0, 1])
      await connectClient(({ ack }) => {
        counts[index] = (counts[index] ?? 0) + 1
        void ack()
      })
    const { run } = launch('mara')
    for (let count = 0; count < 10; count += 1) expect(await run('/book')).toEqual({ done: true })
    expect(counts).toEqual([5, 5])
  })

  it('delivers 1,000 commands exactly once, 50 at a time over three connections', async () => {
    const heard = new Map<string, number>()
    for (let count = 0; count < 3; count += 1)
      await connectClient(async ({ body, ack }) => {
        heard.set(body.text, (heard.get(body.text) ?? 0) + 1)
        await ack({ text: `Payload ${body.text}` })
      })
    const { run } = launch('mara')
    let next = 0
    const results: unknown[] = []
    const work = async () => {
      while (next < 1000) results.push(await run(`/book ${next++}`))
    }
    await Promise.all(Array.from({ length: 50 }, work))
    expect(results).toHaveLength(1000)
    expect(results.filter((result) => JSON.stringify(result) !== '{"done":true}')).toEqual([])
    expect(heard.size).toBe(1000)
    expect([...heard.values()].filter((count) => count !== 1)).toEqual([])
    const told = slack.controls.appPayloads().filter(({ source }) => source === 'acknowledgement')
    expect(new Set(told.map(({ body }) => (body as { text: string }).text)).size).toBe(1000)
    expect(told).toHaveLength(1000)
  })

  it.each(['warning', 'refresh_requested', 'cut'] as const)(
    'lets the client reconnect after "%s"',
    async (how) => {
      const heard: string[] = []
      const client = await connectClient(({ body, ack }) => {
        heard.push(body.text)
        void ack()
      })
      const reconnected = new Promise((resolve) => client.once('connected', resolve))
      expect(slack.controls.disconnectSockets(how)).toBe(1)
      await reconnected
      await waitFor(() => expect(slack.controls.socketCount()).toBe(1))
      expect(await launch('mara').run('/book again')).toEqual({ done: true })
      expect(heard).toEqual(['again'])
    },
  )

  it('sends an unacknowledged envelope over another connection when one breaks', async () => {
    const lines = [await connectBare(), await connectBare()]
    const running = launch('mara').run('/book')
    const holder = await waitFor(() => {
      const found = lines.find(({ frames }) => frames.length > 1)
      if (!found) throw new Error('Nobody has it yet.')
      return found
    })
    const other = lines.find((line) => line !== holder) as Line
    holder.socket.terminate()
    const again = await frame(other, 'slash_commands')
    expect(again.envelope_id).toBe((await frame(holder, 'slash_commands')).envelope_id)
    other.ack(again)
    expect(await running).toEqual({ done: true })
  })

  it('sends an unacknowledged envelope over the next connection if there is no other', async () => {
    const line = await connectBare()
    const running = launch('mara').run('/book')
    await frame(line, 'slash_commands')
    line.socket.terminate()
    const next = await connectBare()
    next.ack(await frame(next, 'slash_commands'))
    expect(await running).toEqual({ done: true })
  })

  it('fails a command immediately without a connection, and after 3 seconds without an acknowledgement', async () => {
    const failure = (error: string) => ({ error: `/book failed with the error "${error}"` })
    expect(await launch('mara').run('/book')).toEqual(failure('dispatch_failed'))
    const line = await connectBare()
    const running = launch('mara').run('/book')
    const envelope = await frame(line, 'slash_commands')
    slack.controls.advanceClock({ seconds: 3 })
    expect(await running).toEqual(failure('operation_timeout'))
    line.ack(envelope, { text: 'Too late' })
    line.socket.send('no JSON')
    line.ack({ envelope_id: 'unknown' })
    const again = launch('mara').run('/book')
    line.ack(await frame(line, 'slash_commands', 1))
    expect(await again).toEqual({ done: true })
    expect(slack.openSession('mara').state().messages).not.toContain('Too late')
  })

  it('retries an event immediately, after a minute and after five more minutes', async () => {
    const line = await connectBare()
    await launch('mara').say('Is anybody there?')
    const events = () => line.frames.filter(({ type }) => type === 'events_api')
    const attempts = () => events().map(({ retry_attempt }) => retry_attempt)
    await expect.poll(attempts).toEqual([0])
    slack.controls.advanceClock({ seconds: 3 })
    await expect.poll(attempts).toEqual([0, 1])
    slack.controls.advanceClock({ seconds: 3 })
    await settle()
    slack.controls.advanceClock({ seconds: 59 })
    await settle()
    expect(attempts()).toEqual([0, 1])
    slack.controls.advanceClock({ seconds: 1 })
    await expect.poll(attempts).toEqual([0, 1, 2])
    slack.controls.advanceClock({ seconds: 3 })
    await settle()
    slack.controls.advanceClock({ seconds: 300 })
    await expect.poll(attempts).toEqual([0, 1, 2, 3])
    slack.controls.advanceClock({ seconds: 3 })
    await settle()
    slack.controls.advanceClock({ seconds: 3600 })
    await settle()
    expect(attempts()).toEqual([0, 1, 2, 3])
    expect(new Set(events().map(({ payload }) => payload.event_id)).size).toBe(1)
    expect(events()[1].retry_reason).toBe('timeout')
  })

  it('does not retry an acknowledged event', async () => {
    const line = await connectBare()
    await launch('mara').say('Payload')
    line.ack(await frame(line, 'events_api'))
    await settle()
    slack.controls.advanceClock({ seconds: 3600 })
    await settle()
    expect(line.frames.filter(({ type }) => type === 'events_api')).toHaveLength(1)
  })
})

/** Round trips through the server: frames that were already on their way arrive before them. */
const settle = async () => {
  await fetch(`${slack.url}/control/clock`)
  await fetch(`${slack.url}/control/clock`)
}
