import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { findFreePort } from '../support/servers.ts'
import { median } from './load.ts'
import { startSlackApi } from './slack-api.ts'

/**
 * Sends bursts of signed slash commands to Upnext with its own service and database, and to two bare Bolt apps whose only
 * command opens a view: a form with one field, and the form that Upnext opens. Measures the time to the acknowledgement
 * and to the call of views.open. The rounds of the three alternate, and each burst begins when the previous one is
 * finished.
 */
const SIGNING_SECRET = 'a-signing-secret-to-measure-with'
const ROUNDS = 9
/** V8 goes on optimizing the code of each program for about 2,000 commands. */
const WARM_UP_ROUNDS = 3
const PAUSE_MS = 50
const LATENCY_MS = 80
const BURSTS_PER_ROUND = { 1: 100, 10: 20, 100: 5 }
const BURST_SIZES = [1, 10, 100] as const

type BurstSize = keyof typeof BURSTS_PER_ROUND
/** Durations in milliseconds. */
type Durations = { acknowledged: number[]; opened: number[] }

const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
const slack = await startSlackApi()
const [botPort, barePort, sameFormPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
const env = {
  DATA_DIR: folder,
  SERVICE_PORT: '0',
  SERVICE_REQUESTS_PER_MINUTE: '0',
  USER_ACTIONS_PER_MINUTE: '0',
  WORKSPACE_ACTIONS_PER_MINUTE: '0',
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_API_URL: slack.url,
  PORT: String(botPort),
}

const firstStart = await startBot()
await firstStart.bot.stop('SIGTERM')
const { bot, startupMs } = await startBot()
const oneFieldApp = await startBareBolt(barePort)
const memoryWhenReady = await readMemory(bot.pid)

const agent = new Agent({ keepAlive: true, maxSockets: 100 })
let commandCount = 0

// The second bare app opens the same view.
await measureBursts(botPort, 1)
const sameFormApp = await startBareBolt(sameFormPort, slack.readLastView())
const baselines = [
  { name: 'bare Bolt, one field', port: barePort },
  { name: 'bare Bolt, the same form', port: sameFormPort },
]
const upnext = { name: 'Upnext', port: botPort }
for (let round = 0; round < WARM_UP_ROUNDS; round++)
  for (const { port } of [upnext, ...baselines])
    for (const size of BURST_SIZES) await measureBursts(port, size)
console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds\n`,
)
console.log('In parentheses: the fastest and the slowest round.\n')
console.log('| concurrent | | ack p50 ms | ack p99 ms | views.open p50 ms | views.open p99 ms |')
console.log('|--:|---|--:|--:|--:|--:|')
for (const size of BURST_SIZES) await compare(size)
await measureLatency()
console.log(
  `\nmemory: Upnext ${memoryWhenReady.toFixed(0)} MB when ready, ${(await readMemory(bot.pid)).toFixed(0)} MB at the end; bare Bolt under tsx ${(await readMemory(oneFieldApp.pid)).toFixed(0)} MB`,
)
agent.destroy()
await bot.stop('SIGTERM')
for (const program of [oneFieldApp, sameFormApp]) await program.stop('SIGTERM')
console.log(
  `the built program is ready in ${firstStart.startupMs.toFixed(0)} ms at the first start, which creates a database, and in ${startupMs.toFixed(0)} ms later`,
)
console.log(`npm start is ready in ${(await measureNpmStart()).toFixed(0)} ms if nothing changed`)
await slack.close()
await rm(folder, { recursive: true, force: true })

async function startBot() {
  const startedAt = performance.now()
  const bot = runProgram('dist/main.js', [], env)
  await bot.waitForLine('ready')
  return { bot, startupMs: performance.now() - startedAt }
}

async function startBareBolt(port: number, view?: string): Promise<RunningProgram> {
  const tsx = join(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs')
  const file = join(import.meta.dirname, 'bare-bolt.ts')
  const program = runProgram(tsx, [file, String(port), slack.url, SIGNING_SECRET, ...(view ? [view] : [])])
  await program.waitForLine('ready')
  return program
}

/** In megabytes. */
async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function compare(size: BurstSize): Promise<void> {
  const measured = [...baselines, upnext].map((app) => ({ ...app, rounds: [] as Durations[] }))
  for (let round = 0; round < ROUNDS; round++)
    for (const { port, rounds } of measured) rounds.push(await measureBursts(port, size))
  const rows = measured.map(({ name, rounds }) => ({ name, figures: summarize(rounds) }))
  for (const { name, figures } of rows) printRow(size, name, figures)
  const ours = rows.at(-1)?.figures ?? []
  for (const { name, figures } of rows.slice(0, -1)) {
    const ratios = ours.map(({ value }, index) => ({ value: value / (figures[index]?.value ?? Number.NaN) }))
    printRow(size, `ratio to ${name}`, ratios)
  }
}

/** A median over all rounds. The lowest and the highest round show how far to trust it. */
type Figure = { value: number; lowest?: number; highest?: number }

function printRow(size: BurstSize, name: string, figures: Figure[]): void {
  const cells = figures.map(({ value, lowest, highest }) =>
    lowest === undefined || highest === undefined
      ? value.toFixed(2)
      : `${value.toFixed(2)} (${lowest.toFixed(0)} to ${highest.toFixed(0)})`,
  )
  console.log(`| ${size} | ${name} | ${cells.join(' | ')} |`)
}

/** The columns of the table. */
function summarize(rounds: Durations[]): Figure[] {
  return (['acknowledged', 'opened'] as const).flatMap((event) => {
    const percentiles = (share: number) => rounds.map((durations) => percentile(durations[event], share))
    const slowest = percentiles(0.99)
    const spread = { lowest: Math.min(...slowest), highest: Math.max(...slowest) }
    return [{ value: median(percentiles(0.5)) }, { value: median(slowest), ...spread }]
  })
}

/** Slow calls to Slack, and each command from a new user, so that the bot asks for the user first. */
async function measureLatency(): Promise<void> {
  slack.settings.latencyMs = LATENCY_MS
  console.log(`\nWith ${LATENCY_MS} ms for each call to Slack, and each command from another user:\n`)
  console.log('| concurrent | | ack p50 ms | ack p99 ms | views.open p50 ms | views.open p99 ms |')
  console.log('|--:|---|--:|--:|--:|--:|')
  const [lookupsBefore, commandsBefore] = [slack.countLookups(), commandCount]
  for (const size of BURST_SIZES) {
    const rounds: Durations[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await measureBursts(botPort, size, () => `U${commandCount}`))
    printRow(size, 'Upnext', summarize(rounds))
  }
  const lookups = slack.countLookups() - lookupsBefore
  console.log(`\n${lookups} calls to Slack before ${commandCount - commandsBefore} forms`)
  slack.settings.latencyMs = 0
}

function percentile(durations: number[], share: number): number {
  const sorted = [...durations].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

async function measureBursts(port: number, size: BurstSize, nextUser = () => 'U1'): Promise<Durations> {
  const durations: Durations = { acknowledged: [], opened: [] }
  const measureCommand = async () => {
    const trigger_id = `trigger-${commandCount++}`
    const opening = slack.whenOpened(trigger_id)
    const sentAt = performance.now()
    await sendCommand(port, trigger_id, nextUser())
    durations.acknowledged.push(performance.now() - sentAt)
    durations.opened.push((await opening) - sentAt)
  }
  for (let burst = 0; burst < BURSTS_PER_ROUND[size]; burst++) {
    await Promise.all(Array.from({ length: size }, measureCommand))
    // Each program has some work left after their last request to Slack.
    await sleep(PAUSE_MS)
  }
  return durations
}

async function sendCommand(port: number, trigger_id: string, user_id: string): Promise<void> {
  const body = new URLSearchParams({
    command: '/schedule-post',
    text: 'Launch day! tomorrow 9am on LinkedIn and X',
    team_id: 'T1',
    user_id,
    channel_id: 'C1',
    channel_name: 'launch',
    response_url: `${slack.url}respond`,
    trigger_id,
  }).toString()
  const timestamp = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', SIGNING_SECRET).update(`v0:${timestamp}:${body}`).digest('hex')
  const { statusCode } = await post(port, body, {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(timestamp),
    'x-slack-signature': `v0=${signature}`,
  })
  if (statusCode !== 200) throw new Error(`The command was answered with ${statusCode}.`)
}

function post(port: number, body: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: '/slack/events', method: 'POST' }
    const outgoing = request({ ...target, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // While one app is measured, the others close their idle connections.
      const wasClosedWhileIdle = outgoing.reusedSocket && error.code === 'ECONNRESET'
      if (wasClosedWhileIdle) resolve(post(port, body, headers))
      else reject(error)
    })
    outgoing.end(body)
  })
}

/** The time until the program is ready, with an existing data folder. */
async function measureNpmStart(): Promise<number> {
  const startedAt = performance.now()
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
  const durationMs = performance.now() - startedAt
  child.kill('SIGTERM')
  await once(child, 'close')
  return durationMs
}
