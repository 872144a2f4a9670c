import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openLocalSlack } from 'local-slack'
import { DateTime } from 'luxon'
import { openDatabase } from '../../src/database/database.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { connectStore } from '../../src/store/connect.ts'
import { addDigest } from '../../src/store/digests.ts'
import { nextOccurrence, type Recurrence } from '../../src/time/recurrence.ts'
import { chanceFrom } from '../chaos/chance.ts'
import { run } from '../support/service-process.ts'

/**
 * Weeks of digests by a clock that is moved on, on three instances that are killed at random: whether each channel gets
 * each of its digests once, at the right time of its zone. Slack's limits hold; pictures are off.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    channels: { type: 'string', default: '500' },
    zones: { type: 'string', default: '12' },
    days: { type: 'string', default: '60' },
    from: { type: 'string', default: '2027-03-01' },
  },
})
const seed = Number(values.seed)
const [channels, days] = [Number(values.channels), Number(values.days)]
console.log(
  `npm run days -- --seed ${seed} --channels ${channels} --zones ${values.zones} --days ${days} --from ${values.from}`,
)
const chance = chanceFrom(seed)

/** In March and April the clocks of the north go forward, and those of the south back. */
const ZONES = [
  'Europe/Berlin',
  'Australia/Sydney',
  'America/New_York',
  'Asia/Kolkata',
  'Europe/London',
  'America/Santiago',
  'Pacific/Auckland',
  'America/Los_Angeles',
  'Asia/Tokyo',
  'Africa/Nairobi',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
].slice(0, Number(values.zones))

const TOKEN = 'a-token-for-days-and-nothing-else'
const INSTANCES = 3
const KILL_EACH = 12

const folder = await mkdtemp(join(tmpdir(), 'upnext-days-'))
await chmod(folder, 0o755) // as root, PostgreSQL runs as another account
const dataDir = join(folder, 'data')
const service = run('dist/service/command-line.js', [], {
  DATA_DIR: dataDir,
  SERVICE_PORT: '0',
  API_TOKEN: TOKEN,
})
const [, serviceUrl = ''] = /service (http\S+)/.exec(await service.printed('ready')) ?? []
const seedFile = join(folder, 'seed.yml')
const names = Array.from({ length: channels }, (_, index) => `channel-${index}`)
await writeFile(
  seedFile,
  JSON.stringify({
    team: { name: 'Days', domain: 'days' },
    users: [{ handle: 'ada', name: 'Ada', role: 'owner', tz: 'Europe/Berlin' }],
    channels: names.map((name) => ({ name, members: ['ada'], app: true })),
  }),
)
const slack = await openLocalSlack({
  manifest: resolve('manifest.yml'),
  runtime: systemRuntime,
  seed: seedFile,
  onError: () => {},
})
const ada = slack.openSession('ada')

const start = DateTime.fromISO(values.from, { zone: 'utc' })
let aheadMs = 0
const now = () => Date.now() + aheadMs
const children: ChildProcess[] = []
function moveTo(at: number): void {
  const by = at - now()
  if (by <= 0) return
  aheadMs += by
  slack.controls.advanceClock({ seconds: by / 1000 })
  for (const child of children) if (child.connected) child.send({ aheadMs })
}
moveTo(start.toMillis())

type Channel = { id: string; name: string; rhythm: Recurrence; digest: string; came: number[] }
const database = await openDatabase({ config: { DATA_DIR: dataDir }, onError: () => {}, randomBytes })
const db = await connectStore(database.pool)
const answer = await fetch(`${serviceUrl}/api/v1/projects`, { headers: { authorization: `Bearer ${TOKEN}` } })
const project = JSON.stringify(await answer.json()).match(/"Id":"([^"]+)"/)?.[1] ?? ''
const known: Channel[] = []
for (const [index, { id, name }] of ada
  .state()
  .channels.filter(({ name }) => name?.startsWith('channel-'))
  .entries()) {
  const zone = ZONES[index % ZONES.length] ?? ''
  const rhythm: Recurrence = {
    days: { every: 'week', weekdays: chance.below(4) ? [1, 2, 3, 4, 5] : [1, 2, 3, 4, 5, 6, 7] },
    // Some of them at an hour that the clocks skip or show twice.
    clock: chance.below(10) ? { hour: 9, minute: 0 } : { hour: 2, minute: 30 },
    zone,
  }
  const digest = randomUUID()
  known.push({ id, name: name ?? '', rhythm, digest, came: [] })
  await addDigest(db, {
    id: digest,
    team_id: 'T',
    channel_id: id,
    project_id: project,
    project_name: 'Northwind',
    rhythm,
    includes: ['coming', 'published', 'drafts', 'wrong'],
    if_empty: 'say',
    set_by: ada.userId,
    set_at: new Date(now()),
    next_at: nextOccurrence(rhythm, new Date(now())).toJSDate(),
  })
}

/** By the minutes of that day, and by nothing of the bot's: the first that its clocks show that late. */
function dueOn(day: string, { clock, zone }: Recurrence): number {
  const from = DateTime.fromISO(`${day}T00:00`, { zone: 'utc' }).minus({ hours: 15 }).toMillis()
  for (let at = from; at < from + 42 * 3_600_000; at += 60_000) {
    const there = DateTime.fromMillis(at, { zone })
    if (there.toISODate() !== day) continue
    if (there.hour * 60 + there.minute >= clock.hour * 60 + clock.minute) return at
  }
  throw new Error(`${day} has no such time in ${zone}.`)
}

const end = start.plus({ days })
const duesOf = new Map<string, number[]>()
for (const { rhythm } of known) {
  const key = JSON.stringify(rhythm)
  if (duesOf.has(key)) continue
  const dues: number[] = []
  for (let day = start.minus({ days: 1 }); day <= end.plus({ days: 1 }); day = day.plus({ days: 1 })) {
    if (rhythm.days.every !== 'week' || !rhythm.days.weekdays.includes(day.weekday)) continue
    const due = dueOn(day.toISODate() ?? '', rhythm)
    if (due > start.toMillis() && due < end.toMillis()) dues.push(due)
  }
  duesOf.set(key, dues)
}
const duesFor = ({ rhythm }: Channel) => duesOf.get(JSON.stringify(rhythm)) ?? []
const moments = [...new Set([...duesOf.values()].flat())].sort((one, other) => one - other)

async function startInstance(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'instance.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      SERVICE_URL: serviceUrl,
      API_TOKEN: TOKEN,
      SLACK_URL: slack.apiUrl,
      BOT_TOKEN: slack.secrets.botToken,
    },
  })
  await once(child, 'message')
  child.send({ aheadMs })
  await once(child, 'message')
  return child
}
for (let count = 0; count < INSTANCES; count++) children.push(await startInstance())

let kills = 0
let reviving = Promise.resolve()
function killOne(): void {
  const index = chance.below(children.length)
  children[index]?.kill('SIGKILL')
  kills += 1
  reviving = reviving.then(async () => {
    children[index] = await startInstance()
  })
}

const AHEAD_MS = 20 * 60_000
const STEP_MS = 15_000
const PAUSE_MS = 60

const isAllDone = async (until: number) => {
  const { rows } = await database.pool.query(
    `select 1 from upnext.digest where next_at <= $1
     union all select 1 from upnext.digest_run where due_at <= $1 and state in ('planned', 'intended') limit 1`,
    [new Date(until)],
  )
  return rows.length === 0
}

const MOST_WAITS = 10

const isInHand = async () => {
  const { rows } = await database.pool.query(
    "select 1 from upnext.digest_run where state in ('planned', 'intended') and leased_until > $1 limit 1",
    [new Date(now())],
  )
  return rows.length > 0
}

/** What has come since it was looked for last. */
let seenUntil = now() / 1000
function collect(): void {
  const until = now() / 1000
  const { messages } = ada.state()
  for (const channel of known)
    for (const { ts, text } of messages[channel.id] ?? [])
      if (Number(ts) > seenUntil && Number(ts) <= until && text?.startsWith('Up next in'))
        channel.came.push(Number(ts) * 1000)
  seenUntil = until
  slack.controls.clearAppPayloads()
}

const began = Date.now()
let day = ''
for (const moment of moments) {
  moveTo(moment - AHEAD_MS)
  const killsHere = chance.below(KILL_EACH) === 0
  const killAt = chance.below(8)
  for (let step = 0; now() < moment - 2 * STEP_MS; step++) {
    if (killsHere && step === killAt) killOne()
    await sleep(PAUSE_MS)
    // Work takes its real time: the clock does not run away from what is in hand, unless its holder was killed.
    for (let wait = 0; wait < MOST_WAITS && (await isInHand()); wait++) await sleep(PAUSE_MS)
    if (await isAllDone(moment)) break
    moveTo(now() + STEP_MS)
  }
  if (!(await isAllDone(moment))) console.log(`not all handed over for ${new Date(moment).toISOString()}`)
  moveTo(moment + 1000)
  const today = new Date(moment).toISOString().slice(0, 10)
  if (today !== day) collect()
  day = today
}
await reviving
moveTo(end.toMillis() + 4 * 3_600_000)
await sleep(3000)
collect()

const wrong: string[] = []
let due = 0
let came = 0
for (const channel of known) {
  const dues = duesFor(channel)
  due += dues.length
  came += channel.came.length
  const left = channel.came.filter((at) => at < end.toMillis())
  for (const at of dues) {
    const index = left.findIndex((one) => one >= at - 1000 && one < at + 60_000)
    if (index < 0)
      wrong.push(`${channel.name} (${channel.rhythm.zone}) lacks that of ${new Date(at).toISOString()}`)
    else left.splice(index, 1)
  }
  for (const at of left)
    wrong.push(`${channel.name} (${channel.rhythm.zone}) has one too many at ${new Date(at).toISOString()}`)
}
console.log(
  `${due} due in ${known.length} channels, ${came} came; ${kills} kills in ${Math.round((Date.now() - began) / 1000)} s; wrong: ${wrong.length}`,
)
for (const one of wrong.slice(0, 20)) console.log(one)
for (const child of children) child.kill('SIGKILL')
await database.close()
await slack.close()
await service.end('SIGTERM')
await rm(folder, { recursive: true, force: true })
process.exit(wrong.length || !due ? 1 : 0)
