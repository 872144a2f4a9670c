import { once } from 'node:events'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { SocketModeClient } from '@slack/socket-mode'
import { WebSocket as ClientSocket } from 'undici'
import { WebSocketServer } from 'ws'
import { openLocalSlack } from '../index.ts'
import { systemRuntime } from '../runtime.ts'

/**
 * 1,000 slash commands, 50 at a time, through Socket Mode to Slack's own client and back, beside a bare WebSocket
 * that echoes as many bytes to the WebSocket that this client is built on. Rounds are interleaved. The client runs in
 * the same process in both, so what it costs is in both figures.
 */
const COMMANDS = 1000
const AT_ONCE = 50
const ROUNDS = 9
const manifest = join(import.meta.dirname, 'sample-bot/manifest.yml')

const opening: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  const started = performance.now()
  const opened = await openLocalSlack({ manifest, runtime: systemRuntime })
  opening.push(performance.now() - started)
  await opened.close()
}

const slack = await openLocalSlack({ manifest, runtime: systemRuntime })
const mara = slack.openSession('mara')
const channel = mara.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
const client = new SocketModeClient({
  appToken: slack.secrets.appToken,
  clientOptions: { slackApiUrl: slack.apiUrl },
})
const heard = new Map<string, number>()
let frameBytes = 0
client.on('slash_commands', ({ ack, body }) => {
  heard.set(body.text, (heard.get(body.text) ?? 0) + 1)
  frameBytes = JSON.stringify(body).length + 120 // and the envelope around it
  void ack()
})
await client.start()

const echo = await startEcho()

let count = 0
const runCommand = async () => {
  const result = await mara.runCommand({ channel, text: `/book ${count++}` })
  if ('error' in result) throw new Error(result.error)
}

type Round = { p50: number; p99: number; perSecond: number }
const rounds: { slack: Round[]; echo: Round[] } = { slack: [], echo: [] }
await measure(runCommand) // both warm up
await measure(() => echo.roundTrip(frameBytes))
heard.clear()
count = 0
for (let round = 0; round < ROUNDS; round++) {
  rounds.echo.push(await measure(() => echo.roundTrip(frameBytes)))
  rounds.slack.push(await measure(runCommand))
}

const expected = COMMANDS * ROUNDS
const doubled = [...heard.values()].filter((times) => times > 1).length
console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds of ${COMMANDS}, ${AT_ONCE} at a time, ${frameBytes} bytes each`,
)
console.log(`of ${expected} commands ${expected - heard.size} lost, ${doubled} doubled`)
console.log(`a Slack opens in ${median(opening).toFixed(0)} ms; the first in ${opening[0]?.toFixed(0)} ms\n`)
console.log('| | p50 ms | p99 ms | a second |\n|---|--:|--:|--:|')
for (const [name, of] of [
  ['bare WebSocket echo', rounds.echo],
  ['slash command', rounds.slack],
] as const) {
  const [p50, p99, perSecond] = (['p50', 'p99', 'perSecond'] as const).map((figure) =>
    median(of.map((round) => round[figure])),
  ) as [number, number, number]
  console.log(`| ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${perSecond.toFixed(0)} |`)
}
await client.disconnect()
await echo.close()
await slack.close()

async function measure(once: () => Promise<void>): Promise<Round> {
  const times: number[] = []
  let left = COMMANDS
  const started = performance.now()
  const work = async () => {
    while (left-- > 0) {
      const before = performance.now()
      await once()
      times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), perSecond: times.length / seconds }
}

/** The server sends, the client sends it back: the way a command takes. */
async function startEcho() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const socket = new ClientSocket(`ws://127.0.0.1:${port}`)
  const [serverSide] = await once(server, 'connection')
  socket.addEventListener('message', ({ data }) => socket.send(data))
  const waiting = new Map<string, () => void>()
  serverSide.on('message', (data: Buffer) => {
    const id = String(data).slice(0, 8)
    waiting.get(id)?.()
    waiting.delete(id)
  })
  let next = 0
  return {
    roundTrip: (bytes: number) =>
      new Promise<void>((resolve) => {
        const id = String(next++).padStart(8, '0')
        waiting.set(id, resolve)
        serverSide.send(id.padEnd(bytes, 'x'))
      }),
    close: async () => {
      socket.close()
      server.close()
    },
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
