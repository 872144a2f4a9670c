import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from '../support/run-program.ts'
import { findFreePort } from '../support/servers.ts'
import { median } from './load.ts'
import { startSlackApi } from './slack-api.ts'

/**
 * Signed slash commands, so many at once, to the whole bot on its own service and database, and to a bare Bolt app with
 * one command that opens a view: how long until the acknowledgement, and until views.open has come. Rounds are
 * interleaved. Each burst begins when the one before is done with.
 */
const SECRET = 'a-signing-secret-to-measure-with'
const ROUNDS = 9
const REST_MS = 20
const BURSTS: Record<number, number> = { 1: 100, 10: 20, 100: 5 }

const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
const slack = await startSlackApi()
const [botPort, barePort] = [await findFreePort(), await findFreePort()]

const env = {
  DATA_DIR: folder,
  SERVICE_PORT: '0',
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_SIGNING_SECRET: SECRET,
  SLACK_API_URL: slack.url,
  PORT: String(botPort),
}
const started = { first: 0, later: 0 }
let bot = await startBot('first')
await bot.stop('SIGTERM')
bot = await startBot('later')
const bare = runProgram(join(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs'), [
  join(import.meta.dirname, 'bare-bolt.ts'),
  String(barePort),
  slack.url,
  SECRET,
])
await bare.waitForLine('ready')

async function startBot(which: keyof typeof started) {
  const before = performance.now()
  const program = runProgram('dist/main.js', [], env)
  await program.waitForLine('ready')
  started[which] = performance.now() - before
  return program
}

const memory = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
const memoryAtFirst = await memory(bot.pid)

const agent = new Agent({ keepAlive: true, maxSockets: 100 })
type Times = { ack: number[]; open: number[] }
let count = 0

for (const port of [botPort, barePort]) for (const atOnce of [1, 10, 100]) await bursts(port, atOnce)

console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds\n`,
)
console.log(
  '| at once | | ack p50 ms | ack p99 ms | views.open p50 ms | views.open p99 ms |\n|--:|---|--:|--:|--:|--:|',
)
for (const atOnce of [1, 10, 100]) {
  const rounds: Record<'bare' | 'bot', Times[]> = { bare: [], bot: [] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.bare.push(await bursts(barePort, atOnce))
    rounds.bot.push(await bursts(botPort, atOnce))
  }
  const figures = (of: Times[]) =>
    (['ack', 'open'] as const).flatMap((what) =>
      [0.5, 0.99].map((share) => median(of.map((times) => at(times[what], share)))),
    )
  const [bareFigures, botFigures] = [figures(rounds.bare), figures(rounds.bot)]
  const row = (name: string, some: number[], digits: number) =>
    console.log(`| ${atOnce} | ${name} | ${some.map((one) => one.toFixed(digits)).join(' | ')} |`)
  row('bare Bolt', bareFigures, 2)
  row('Upnext', botFigures, 2)
  row(
    'ratio',
    botFigures.map((figure, index) => figure / (bareFigures[index] ?? Number.NaN)),
    2,
  )
}

console.log(
  `\nmemory: Upnext ${memoryAtFirst.toFixed(0)} MB when ready, ${(await memory(bot.pid)).toFixed(0)} MB after all that; bare Bolt, under tsx, ${(await memory(bare.pid)).toFixed(0)} MB`,
)
agent.destroy()
await bot.stop('SIGTERM')
await bare.stop('SIGTERM')
await slack.close()
console.log(
  `the built program is ready in ${started.first.toFixed(0)} ms the first time, with a database to make, and ${started.later.toFixed(0)} ms later`,
)
console.log(`npm start is ready in ${(await npmStart()).toFixed(0)} ms, the build included`)
await rm(folder, { recursive: true, force: true })

/** The time until the program is ready, with an existing data folder. */
async function npmStart(): Promise<number> {
  const before = performance.now()
  const child = spawn('npm', ['start'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (/^ready/m.test(output)) resolve()
    })
  })
  const took = performance.now() - before
  child.kill('SIGTERM')
  await once(child, 'close')
  return took
}

function at(times: number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

async function bursts(port: number, atOnce: number): Promise<Times> {
  const times: Times = { ack: [], open: [] }
  for (let burst = 0; burst < (BURSTS[atOnce] ?? 1); burst++) {
    const updatesBefore = slack.updates()
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const trigger_id = `trigger-${count++}`
        const before = performance.now()
        await sendCommand(port, trigger_id)
        times.ack.push(performance.now() - before)
        await until(() => slack.opened.has(trigger_id))
        times.open.push((slack.opened.get(trigger_id) ?? Number.NaN) - before)
        slack.opened.delete(trigger_id)
      }),
    )
    if (port === botPort) await until(() => slack.updates() === updatesBefore + atOnce)
    // By then, both apps have finished what follows their last response.
    await sleep(REST_MS)
  }
  return times
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await sleep(1)
}

function sendCommand(port: number, trigger_id: string): Promise<void> {
  const body = new URLSearchParams({
    command: '/schedule-post',
    text: 'Launch day! tomorrow 9am on LinkedIn and X',
    team_id: 'T1',
    user_id: 'U1',
    channel_id: 'C1',
    channel_name: 'launch',
    response_url: `${slack.url}respond`,
    trigger_id,
  }).toString()
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${body}`).digest('hex')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${signature}`,
  }
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port, path: '/slack/events', method: 'POST', headers },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
