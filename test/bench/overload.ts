import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runProgram } from '../support/run-program.ts'
import { findFreePort } from '../support/servers.ts'
import { createTempFolder } from '../support/temp-folder.ts'
import { type Acknowledgment, createCommandSender } from './command-sender.ts'
import { median } from './load.ts'
import { startSlackApi } from './slack-api.ts'

/**
 * Finds out how many commands a second one instance can take, then sends three times as many, and measures the
 * acknowledgments, the refusals, the memory, and how long it takes until a form opens within a second again.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '300' } } })
const SECONDS = Number(values.seconds)
const SIGNING_SECRET = 'a-signing-secret-to-measure-with'
const FACTOR = 3

const slack = await startSlackApi()
const [port, metricsPort] = [await findFreePort(), await findFreePort()]
const program = runProgram('dist/main.js', [], {
  DATA_DIR: await createTempFolder('upnext-overload-'),
  SERVICE_PORT: '0',
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_API_URL: slack.url,
  WORKSPACE_ACTIONS_PER_MINUTE: '0',
  USER_ACTIONS_PER_MINUTE: '0',
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  LOG_LEVEL: 'fatal',
})
await program.waitForLine('ready')
const sendNext = createCommandSender({ port, slackUrl: slack.url, signingSecret: SIGNING_SECRET })
let count = 0
const sendCommand = (trigger_id: string) => sendNext(trigger_id, count++)

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(name))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}
const readMegabytes = async () => (await readMetric('process_memory_usage_bytes')) / 2 ** 20

/** How many forms a second open if 20 commands are always under way. */
async function measureCapacity(seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  const sendUntilEnd = async () => {
    while (performance.now() < end) {
      const trigger_id = `trigger-${count}`
      const opened = slack.whenOpened(trigger_id)
      if ((await sendCommand(trigger_id))?.isRefused !== false) continue
      if (await Promise.race([opened, sleep(3000)])) done++
    }
  }
  await Promise.all(Array.from({ length: 20 }, sendUntilEnd))
  return done / seconds
}

await measureCapacity(20)
const capacity = await measureCapacity(10)
await sleep(60_000)
const memoryBefore = await readMegabytes()
/** Ten times a second, so that the sender keeps up with its own schedule. */
const perTenth = Math.round((capacity * FACTOR) / 10)
console.log(
  `one instance takes ${capacity.toFixed(0)} commands a second; sending ${perTenth * 10} for ${SECONDS} s`,
)

const answers: (Acknowledgment | undefined)[] = []
/** How long it took until the forms opened. Slack lets none open after three seconds. */
const openings: number[] = []
const memory: number[] = []
const running = new Set<Promise<void>>()
const startedAt = performance.now()
/** If the sender itself is late, answers seem to be. */
const senderDelay = monitorEventLoopDelay({ resolution: 10 })
senderDelay.enable()
for (let second = 0; second < SECONDS; second++) {
  for (let tenth = 0; tenth < 10; tenth++) {
    for (let index = 0; index < perTenth; index++) {
      const trigger_id = `trigger-${count}`
      const sentAt = performance.now()
      void slack.whenOpened(trigger_id).then((at) => openings.push(at - sentAt))
      const sent = sendCommand(trigger_id).then((answer) => void answers.push(answer))
      running.add(sent)
      void sent.then(() => running.delete(sent))
    }
    await sleep(Math.max(0, startedAt + second * 1000 + (tenth + 1) * 100 - performance.now()))
  }
  if (second % 10 === 0) memory.push(await readMegabytes().catch(() => Number.NaN))
}
const lastedMs = performance.now() - startedAt
senderDelay.disable()
const endedAt = performance.now()
let recoveredMs = Number.NaN
while (performance.now() - endedAt < 120_000) {
  const trigger_id = `recovery-${count}`
  const opened = slack.whenOpened(trigger_id)
  const sentAt = performance.now()
  void sendCommand(trigger_id)
  const at = await Promise.race([opened, sleep(1000).then(() => undefined)])
  if (at && at - sentAt < 1000) {
    recoveredMs = performance.now() - endedAt
    break
  }
}
await Promise.race([Promise.all(running), sleep(60_000)])
const acknowledged = answers.flatMap((answer) => answer ?? [])
function describe(name: string, times: number[]): void {
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? Number.NaN).toFixed(0)
  const late = times.filter((ms) => ms > 3000).length
  console.log(
    `${times.length} ${name}, within ${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (all); ${late} later than 3 s`,
  )
}
console.log(
  `${answers.length} sent in ${(lastedMs / 1000).toFixed(0)} s, ${answers.length - acknowledged.length} not answered`,
)
const timesOf = (isRefused: boolean) =>
  acknowledged.filter((answer) => answer.isRefused === isRefused).map(({ ms }) => ms)
describe('accepted', timesOf(false))
describe('refused', timesOf(true))
describe('forms opened', openings)
const late = acknowledged.filter(({ ms }) => ms > 1000)
const lateSeconds = [...new Set(late.map(({ sentAt }) => Math.floor((sentAt - startedAt) / 1000)))]
console.log(
  `acknowledgments that took longer than a second belong to commands of the seconds ${lateSeconds.sort((a, b) => a - b).join(', ')}`,
)
console.log(`the sender itself was up to ${(senderDelay.max / 1e6).toFixed(0)} ms late`)
console.log(
  `memory: ${memoryBefore.toFixed(0)} MB before, median ${median(memory).toFixed(0)} MB, at most ${Math.max(...memory).toFixed(0)} MB`,
)
console.log(`a form opens within a second again after ${(recoveredMs / 1000).toFixed(1)} s`)
await program.stop('SIGTERM')
await slack.close()
process.exit()
