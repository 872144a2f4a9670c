import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebClient } from '@slack/web-api'
import type { DigestSection } from '../../src/bot/database/tables.ts'
import { insertDigest } from '../../src/bot/digests/digest-store.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { startTcpServer } from '../support/servers.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { median } from './load.ts'

/**
 * Measures how many digests a second one and two instances schedule with the local Slack, without its rate limits. All
 * digests are due in ten minutes, each in a workspace of its own. For comparison, a bare loop schedules the same messages in
 * the same rounds. Finally counts the database queries of an idle instance.
 */
const DIGEST_COUNT = 400
const ROUNDS = 3
const BARE_CONCURRENCY = 50
const WARM_UP_MS = 10_000
const IDLE_MS = 30_000

const { slack, env, findProject, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'bench',
  people: [{ handle: 'ada', name: 'Ada', role: 'owner', tz: 'Europe/Berlin' }],
  channels: Array.from({ length: DIGEST_COUNT }, (_, index) => ({ name: `channel-${index}` })),
  disableRateLimits: true,
})
const ada = slack.openSession('ada')
const channels = ada.state().channels.filter(({ name }) => name?.startsWith('channel-'))
const { database, db } = await openBotDatabase()
const project_id = await findProject()

let queryCount = 0
const databaseUrl = new URL(database.pool.options.connectionString ?? '')
/** Stands between the instances and the database, and counts their queries. */
const proxy = await startTcpServer((client) => {
  const upstream = connect(Number(databaseUrl.port), databaseUrl.hostname)
  client.pipe(upstream).pipe(client)
  countQueries(client)
  for (const socket of [client, upstream]) socket.on('error', () => client.destroy())
})
const proxyUrl = Object.assign(new URL(databaseUrl), { host: new URL(proxy.url).host }).href

/** A message of PostgreSQL starts with a letter and its length. "Q" is a simple query, "E" executes a prepared one. */
function countQueries(socket: Socket): void {
  let rest = Buffer.alloc(0)
  // The first message has no letter.
  let isFirst = true
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const letterLength = isFirst ? 0 : 1
      if (rest.length < letterLength + 4) return
      const length = letterLength + rest.readInt32BE(letterLength)
      if (rest.length < length) return
      if (!isFirst && 'QE'.includes(String.fromCharCode(rest[0] ?? 0))) queryCount += 1
      isFirst = false
      rest = rest.subarray(length)
    }
  })
}

async function startInstance(): Promise<RunningProgram> {
  const SECRET_KEY = await readFile(join(env.DATA_DIR ?? '', 'secret-key'), 'utf8')
  const instance = runProgram('dist/main.js', [], { ...env, DATABASE_URL: proxyUrl, SECRET_KEY })
  await instance.waitForLine('ready')
  return instance
}

async function createDigests(sections: DigestSection[]): Promise<void> {
  slack.controls.clearAppPayloads()
  const at = new Date(Date.now() + 10 * 60_000)
  for (let index = 0; index < DIGEST_COUNT; index++) {
    const digest = {
      id: randomUUID(),
      team_id: `T${index}`,
      channel_id: channels[index]?.id ?? '',
      project_id,
      project_name: 'Northwind',
      recurrence: {
        days: { every: 'week' as const, weekdays: [at.getUTCDay() || 7] },
        clocks: [{ hour: 9, minute: 0 }],
        zone: 'UTC',
      },
      sections,
      when_empty: 'post' as const,
      owner_id: ada.userId,
      created_at: at,
    }
    await insertDigest(db, digest, at)
  }
}

const listScheduled = () =>
  slack.controls
    .appPayloads()
    .filter(({ name, problems }) => name === 'chat.scheduleMessage' && !problems.length)

/** Waits for all messages, and returns how many Slack accepted per second. */
async function measureRate(): Promise<number> {
  while (listScheduled().length < DIGEST_COUNT) await sleep(50)
  const times = listScheduled().map(({ at }) => Date.parse(String(at)))
  return (DIGEST_COUNT - 1) / ((Math.max(...times) - Math.min(...times)) / 1000)
}

const client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })

/** Schedules the messages that Slack accepted last once more. */
async function measureBareLoop(): Promise<number> {
  const messages = listScheduled().map(
    ({ body }) => body as { channel: string; text: string; blocks: string },
  )
  slack.controls.clearAppPayloads()
  const post_at = Math.floor(Date.now() / 1000) + 600
  await Promise.all(
    Array.from({ length: BARE_CONCURRENCY }, async () => {
      for (let message = messages.pop(); message; message = messages.pop()) {
        const { channel, text, blocks } = message
        await client.chat.scheduleMessage({ channel, text, blocks: JSON.parse(blocks), post_at })
      }
    }),
  )
  return measureRate()
}

const TEXT_SECTIONS: DigestSection[] = ['upcoming', 'published', 'drafts', 'problems']
const SETUPS: { label: string; instanceCount: number; sections: DigestSection[] }[] = [
  { label: '1 instance, without charts', instanceCount: 1, sections: TEXT_SECTIONS },
  { label: '2 instances, without charts', instanceCount: 2, sections: TEXT_SECTIONS },
  { label: '1 instance, with charts', instanceCount: 1, sections: [...TEXT_SECTIONS, 'chart'] },
  { label: '2 instances, with charts', instanceCount: 2, sections: [...TEXT_SECTIONS, 'chart'] },
]
const BARE_LOOP = 'a bare loop'

const rates = new Map<string, number[]>()
const addRate = (label: string, rate: number) => rates.set(label, [...(rates.get(label) ?? []), rate])

for (let round = 0; round < ROUNDS; round++)
  for (const [index, { label, instanceCount, sections }] of SETUPS.entries()) {
    const instances = await Promise.all(Array.from({ length: instanceCount }, startInstance))
    await createDigests(sections)
    addRate(label, await measureRate())
    for (const instance of instances) await instance.stop('SIGTERM')
    await database.pool.query('delete from upnext.digest')
    if (index === 0) addRate(BARE_LOOP, await measureBareLoop())
  }

console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds of ${DIGEST_COUNT} digests\n`,
)
console.log('| | digests per second | of the bare loop |\n|---|--:|--:|')
const bareRate = median(rates.get(BARE_LOOP) ?? [])
for (const [label, values] of rates) {
  const rate = median(values)
  console.log(`| ${label} | ${rate.toFixed(1)} | ${((100 * rate) / bareRate).toFixed(1)} % |`)
}

const idleInstance = await startInstance()
await sleep(WARM_UP_MS)
queryCount = 0
await sleep(IDLE_MS)
console.log(
  `\nAn idle instance makes ${(queryCount / (IDLE_MS / 1000)).toFixed(1)} database queries per second.`,
)
await idleInstance.stop('SIGTERM')
await proxy.close()
await database.close()
await stop()
process.exit()
