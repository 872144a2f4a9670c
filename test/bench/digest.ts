import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebClient } from '@slack/web-api'
import { insertDigest } from '../../src/bot/features/digests/digest-store.ts'
import type { DigestSectionName } from '../../src/bot/features/digests/tables.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { startTcpServer } from '../support/servers.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { median } from './load.ts'

/**
 * Measures how many digests a second one and two instances schedule with the local Slack, without its rate limits, and
 * the CPU time of the instances for each. All digests are due in ten minutes, each for its own workspace and
 * project. For comparison, a bare loop schedules the same messages in the same rounds. Finally counts the
 * database queries of an idle instance.
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

/** Copies the demo project. Each copy's posts have different text. */
async function copyProject(id: string, count: number): Promise<string[]> {
  const { rows } = await database.pool.query(
    `with copy as (
      insert into service.project (name) select 'Copy ' || gen_random_uuid() from generate_series(1, $2) returning id
    ), copied_user as (
      insert into service.project_user (project_id, user_id, first_name, last_name, role, status)
      select copy.id, user_id, first_name, last_name, role, status from copy, service.project_user where project_id = $1
    ), copied_post as (
      insert into service.post (project_id, content, media, schedule_date, timezone, platforms, status, published_at)
      select copy.id, left(copy.id::text, 4) || ' ' || content, media, schedule_date, timezone, platforms, status, published_at
      from copy, service.post where project_id = $1
    ), copied_log as (
      insert into service.log (project_id, level, action, message, actor)
      select copy.id, level, action, message, actor from copy, service.log where project_id = $1
    ) select id from copy`,
    [id, count],
  )
  return rows.map((row) => row.id)
}

/** The time that the instances have used so far, in milliseconds. */
async function readCpuTime(instances: RunningProgram[]): Promise<number> {
  const times = instances.map(async ({ pid }) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [userTicks, systemTicks] = stat.split(') ')[1]?.split(' ').slice(11, 13) ?? []
    return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK
  })
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10

async function startInstance(): Promise<RunningProgram> {
  const SECRET_KEY = await readFile(join(env.DATA_DIR ?? '', 'secret-key'), 'utf8')
  const instance = runProgram('dist/main.js', [], { ...env, DATABASE_URL: proxyUrl, SECRET_KEY })
  await instance.waitForLine('ready')
  return instance
}

async function createDigests(sections: DigestSectionName[]): Promise<void> {
  // New projects each time, so that no image is reused.
  const projects = await copyProject(project_id, DIGEST_COUNT)
  slack.controls.clearAppPayloads()
  const at = new Date(Date.now() + 10 * 60_000)
  for (let index = 0; index < DIGEST_COUNT; index++) {
    const digest = {
      id: randomUUID(),
      team_id: `T${index}`,
      channel_id: channels[index]?.id ?? '',
      project_id: projects[index] ?? '',
      project_name: 'Northwind',
      recurrence: {
        days: { every: 'week' as const, weekdays: [at.getUTCDay() || 7] },
        clocks: [{ hour: 9, minute: 0 }],
        zone: 'UTC',
      },
      sections,
      when_empty: 'post' as const,
      owner_id: ada.userId,
      created_at: new Date(),
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

const TEXT_SECTIONS: DigestSectionName[] = ['upcoming', 'published', 'drafts', 'problems']
const SETUPS: { label: string; instanceCount: number; sections: DigestSectionName[] }[] = [
  { label: '1 instance, without charts', instanceCount: 1, sections: TEXT_SECTIONS },
  { label: '2 instances, without charts', instanceCount: 2, sections: TEXT_SECTIONS },
  { label: '1 instance, with charts', instanceCount: 1, sections: [...TEXT_SECTIONS, 'chart'] },
  { label: '2 instances, with charts', instanceCount: 2, sections: [...TEXT_SECTIONS, 'chart'] },
]
const BARE_LOOP = 'a bare loop'

type Figures = { rate: number; cpuMs: number }

const figures = new Map<string, Figures[]>()
const addFigures = (label: string, measured: Figures) =>
  figures.set(label, [...(figures.get(label) ?? []), measured])

for (let round = 0; round < ROUNDS; round++)
  for (const [index, { label, instanceCount, sections }] of SETUPS.entries()) {
    const instances = await Promise.all(Array.from({ length: instanceCount }, startInstance))
    const cpuBefore = await readCpuTime(instances)
    await createDigests(sections)
    const rate = await measureRate()
    const cpuMs = ((await readCpuTime(instances)) - cpuBefore) / DIGEST_COUNT
    addFigures(label, { rate, cpuMs })
    for (const instance of instances) await instance.stop('SIGTERM')
    await database.pool.query('delete from upnext.digest')
    await database.pool.query("delete from service.project where name like 'Copy %'")
    if (index === 0) addFigures(BARE_LOOP, { rate: await measureBareLoop(), cpuMs: 0 })
  }

console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds of ${DIGEST_COUNT} digests\n`,
)
console.log('| | digests a second | of the bare loop | CPU ms for each |\n|---|--:|--:|--:|')
const medianOf = (measured: Figures[], figure: keyof Figures) => median(measured.map((each) => each[figure]))
const bareRate = medianOf(figures.get(BARE_LOOP) ?? [], 'rate')
for (const [label, measured] of figures) {
  const rate = medianOf(measured, 'rate')
  const cpuMs = medianOf(measured, 'cpuMs')
  const cells = [
    label,
    rate.toFixed(1),
    `${((100 * rate) / bareRate).toFixed(1)} %`,
    cpuMs ? cpuMs.toFixed(1) : '',
  ]
  console.log(`| ${cells.join(' | ')} |`)
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
