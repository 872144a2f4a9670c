import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DateTime } from 'luxon'
import { insertDigest } from '../../src/bot/features/digests/digest-store.ts'
import { nextOccurrence, type Recurrence } from '../../src/time/recurrence.ts'
import { type Connections, type NetworkFault, refuse, stopConnections } from '../chaos/network-faults.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startProxy } from '../support/servers.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import type { ClockMessage } from './instance.ts'

/**
 * Simulates weeks of digests on a clock that this program moves, with three instances that are killed at random. The clock of
 * one of them is wrong; Slack fails for minutes, and connections to the database and the service stop without being closed.
 * Checks that each channel gets each digest once, at the right time of its time zone. Slack's rate limits apply; charts are
 * left out.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    channels: { type: 'string', default: '500' },
    zones: { type: 'string', default: '12' },
    days: { type: 'string', default: '60' },
    from: { type: 'string', default: '2027-03-01' },
    /** By how many seconds the clock of one instance is wrong. With an even seed, it is behind. */
    skew: { type: 'string', default: '55' },
    /** Whether Slack fails, and whether connections stop: `slack`, `stops`, both or `none`. */
    network: { type: 'string', default: 'slack,stops' },
  },
})
const seed = Number(values.seed)
const [channelCount, days] = [Number(values.channels), Number(values.days)]
console.log(
  `npm run days -- --seed ${seed} --channels ${channelCount} --zones ${values.zones} --days ${days} --from ${values.from} --skew ${values.skew} --network ${values.network}`,
)
const random = createSeededRandom(seed)

/** In March and April, the clocks of some of these zones go forward, and those of others back. */
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

const INSTANCE_COUNT = 3
/** An instance is killed at about one of so many due times. */
const KILL_INTERVAL = 12
/** The network fails before about one of so many due times. */
const FAULT_INTERVAL = 6

const { slack, serviceUrl, env, findProject, findDatabase, openBotDatabase, stop } =
  await startServiceAndSlack({
    name: 'days',
    people: [{ handle: 'ada', name: 'Ada', role: 'owner', tz: 'Europe/Berlin' }],
    channels: Array.from({ length: channelCount }, (_, index) => ({ name: `channel-${index}` })),
  })
const ada = slack.openSession('ada')

const start = DateTime.fromISO(values.from, { zone: 'utc' })
const end = start.plus({ days })
const skewMs = (seed % 2 ? 1000 : -1000) * Number(values.skew)
let offsetMs = 0
const now = () => Date.now() + offsetMs
const instances: ChildProcess[] = []

/** Moves the clocks of Slack and all instances forward. */
function moveClock(time: number): void {
  const stepMs = time - now()
  if (stepMs <= 0) return
  offsetMs += stepMs
  slack.controls.advanceClock({ seconds: stepMs / 1000 })
  // With a callback, the message to an instance that was killed a moment ago ends nothing.
  for (const [index, instance] of instances.entries())
    if (instance.connected) instance.send(clockOf(index), () => {})
}

/** The clock of the first instance is wrong. */
function clockOf(index: number): ClockMessage {
  return { offsetMs: index ? offsetMs : offsetMs + skewMs }
}
moveClock(start.toMillis())

type DigestChannel = { id: string; name: string; recurrence: Recurrence; postedAt: number[] }

const { database, db } = await openBotDatabase()
const project_id = await findProject()
const channels: DigestChannel[] = []
for (const { id, name = '' } of ada.state().channels) {
  if (!name.startsWith('channel-')) continue
  const recurrence: Recurrence = {
    days: { every: 'week', weekdays: random.below(4) ? [1, 2, 3, 4, 5] : [1, 2, 3, 4, 5, 6, 7] },
    // Some of them are at an hour that clock changes skip or repeat.
    clocks: [random.below(10) ? { hour: 9, minute: 0 } : { hour: 2, minute: 30 }],
    zone: ZONES[channels.length % ZONES.length] ?? '',
  }
  channels.push({ id, name, recurrence, postedAt: [] })
  const digest = {
    id: randomUUID(),
    team_id: 'T',
    channel_id: id,
    project_id,
    project_name: 'Northwind',
    recurrence,
    sections: ['upcoming' as const, 'published' as const, 'drafts' as const, 'problems' as const],
    when_empty: 'post' as const,
    owner_id: ada.userId,
    created_at: new Date(now()),
  }
  await insertDigest(db, digest, nextOccurrence(recurrence, new Date(now())).toJSDate())
}

/** Searches the minutes of a day for the first at or after the digest's time. Uses none of the bot's code. */
function findDueTime(day: string, { clocks: [clock = { hour: 0, minute: 0 }], zone }: Recurrence): number {
  const from = DateTime.fromISO(`${day}T00:00`, { zone: 'utc' }).minus({ hours: 15 }).toMillis()
  for (let time = from; time < from + 42 * 3_600_000; time += 60_000) {
    const local = DateTime.fromMillis(time, { zone })
    if (local.toISODate() !== day) continue
    if (local.hour * 60 + local.minute >= clock.hour * 60 + clock.minute) return time
  }
  throw new Error(`${day} has no such time in ${zone}.`)
}

const dueTimesByRecurrence = new Map<string, number[]>()

function listDueTimes(recurrence: Recurrence): number[] {
  const key = JSON.stringify(recurrence)
  const cached = dueTimesByRecurrence.get(key)
  if (cached) return cached
  const dueTimes: number[] = []
  for (let day = start.minus({ days: 1 }); day <= end.plus({ days: 1 }); day = day.plus({ days: 1 })) {
    if (recurrence.days.every !== 'week' || !recurrence.days.weekdays.includes(day.weekday)) continue
    const dueTime = findDueTime(day.toISODate() ?? '', recurrence)
    if (dueTime > start.toMillis() && dueTime < end.toMillis()) dueTimes.push(dueTime)
  }
  dueTimesByRecurrence.set(key, dueTimes)
  return dueTimes
}

const databaseSettings = await findDatabase()
const slackConnections = { name: 'Slack', proxy: await startProxy(slack.url, { rewritesAddress: true }) }
const networks: { connections: Connections[]; settings: Record<string, string> }[] = []
for (let count = 0; count < INSTANCE_COUNT; count++) {
  const databaseProxy = await startProxy(databaseSettings.DATABASE_URL)
  const serviceProxy = await startProxy(serviceUrl)
  networks.push({
    connections: [
      { name: 'database', proxy: databaseProxy },
      { name: 'service', proxy: serviceProxy },
    ],
    settings: { DATABASE_URL: databaseProxy.url, API_BASE_URL: serviceProxy.url },
  })
}
const kinds = values.network.split(',')
const allConnections = networks.flatMap(({ connections }) => connections)
const stopsOf = (server: string) => allConnections.filter(({ name }) => name === server).map(stopConnections)
/** Of each kind of fault, those that one instance can have. */
const networkFaults: NetworkFault[][] = [
  // What hangs must not arrive late: by then, hours may have passed here, but only seconds for the timeout of a request.
  ...(kinds.includes('slack') ? [[refuse(slackConnections)], [stopConnections(slackConnections)]] : []),
  ...(kinds.includes('stops') ? [stopsOf('database'), stopsOf('service')] : []),
]
const faultCounts = new Map<string, number>()

async function startInstance(index: number): Promise<ChildProcess> {
  const SLACK_API_URL = `${slackConnections.proxy.url}/api/`
  const settings = { ...databaseSettings, ...networks[index]?.settings, SLACK_API_URL }
  const instance = fork(join(import.meta.dirname, 'instance.ts'), {
    execArgv: ['--import', 'tsx'],
    env: { PATH: process.env.PATH, ...env, ...settings },
  })
  await once(instance, 'message')
  instance.send(clockOf(index))
  await once(instance, 'message')
  return instance
}
for (let count = 0; count < INSTANCE_COUNT; count++) instances.push(await startInstance(count))

let killCount = 0
let restarting = Promise.resolve()

function killInstance(): void {
  const index = random.below(instances.length)
  instances[index]?.kill('SIGKILL')
  killCount += 1
  restarting = restarting.then(async () => {
    instances[index] = await startInstance(index)
  })
}

/** Digests are scheduled with Slack up to a quarter of an hour ahead. */
const LEAD_MS = 20 * 60_000
const STEP_MS = 15_000
const PAUSE_MS = 60
const MAX_PAUSES_PER_STEP = 10
const MAX_FAULT_STEPS = 16

async function isEverythingScheduled(until: number): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select 1 from upnext.digest where next_at <= $1 and message_id is null limit 1',
    [new Date(until)],
  )
  return rows.length === 0
}

async function isAnyRunLeased(): Promise<boolean> {
  const { rows } = await database.pool.query(
    "select 1 from upnext.job where kind = 'digest' and leased_until > $1 limit 1",
    [new Date(now())],
  )
  return rows.length > 0
}

let collectedUntil = now() / 1000

/** Notes the digests that were posted since the last call. */
function collectPosted(): void {
  const until = now() / 1000
  const { messages } = ada.state()
  for (const channel of channels)
    for (const { ts, text } of messages[channel.id] ?? [])
      if (Number(ts) > collectedUntil && Number(ts) <= until && text?.startsWith('Up next in'))
        channel.postedAt.push(Number(ts) * 1000)
  collectedUntil = until
  slack.controls.clearAppPayloads()
}

const startedAt = Date.now()
const allDueTimes = new Set(channels.flatMap(({ recurrence }) => listDueTimes(recurrence)))
let currentDay = ''
let upcomingFaults: NetworkFault[][] = []

/** The kinds of faults take turns, so that a short run has all of them. */
function nextFault(): NetworkFault | undefined {
  if (!upcomingFaults.length) upcomingFaults = [...networkFaults]
  const [ofKind] = upcomingFaults.splice(random.below(upcomingFaults.length), 1)
  return ofKind && random.oneOf(ofKind)
}

for (const dueTime of [...allDueTimes].sort((a, b) => a - b)) {
  moveClock(dueTime - LEAD_MS)
  const hasKill = random.below(KILL_INTERVAL) === 0
  const killStep = random.below(8)
  let fault = hasKill || random.below(FAULT_INTERVAL) ? undefined : nextFault()
  const faultSteps = 2 + random.below(MAX_FAULT_STEPS - 1)
  if (fault) {
    // An instance can't start without its database.
    await restarting
    fault.begin()
    faultCounts.set(fault.name, (faultCounts.get(fault.name) ?? 0) + 1)
  }
  for (let step = 0; now() < dueTime - 2 * STEP_MS; step++) {
    if (hasKill && step === killStep) killInstance()
    if (step === faultSteps) {
      fault?.end()
      fault = undefined
    }
    await sleep(PAUSE_MS)
    // Work takes real time, so the clock waits for it, unless the instance that does the work was killed.
    for (let pause = 0; pause < MAX_PAUSES_PER_STEP && (await isAnyRunLeased()); pause++)
      await sleep(PAUSE_MS)
    if ((await isEverythingScheduled(dueTime)) && !fault) break
    moveClock(now() + STEP_MS)
  }
  // Two due times may be closer to each other than a fault is long.
  fault?.end()
  if (!(await isEverythingScheduled(dueTime)))
    console.log(`Not every digest for ${new Date(dueTime).toISOString()} was scheduled in time.`)
  moveClock(dueTime + 1000)
  const day = new Date(dueTime).toISOString().slice(0, 10)
  if (day !== currentDay) collectPosted()
  currentDay = day
}
await restarting
moveClock(end.toMillis() + 4 * 3_600_000)
await sleep(3000)
collectPosted()

const errors: string[] = []
let dueCount = 0
let postedCount = 0
for (const { name, recurrence, postedAt } of channels) {
  const dueTimes = listDueTimes(recurrence)
  dueCount += dueTimes.length
  postedCount += postedAt.length
  const unmatched = postedAt.filter((time) => time < end.toMillis())
  for (const dueTime of dueTimes) {
    const index = unmatched.findIndex((time) => time >= dueTime - 1000 && time < dueTime + 60_000)
    if (index >= 0) unmatched.splice(index, 1)
    else errors.push(`${name} (${recurrence.zone}) lacks the digest of ${new Date(dueTime).toISOString()}`)
  }
  for (const time of unmatched)
    errors.push(`${name} (${recurrence.zone}) has an extra digest at ${new Date(time).toISOString()}`)
}
console.log(`faults: ${[...faultCounts].map(([fault, count]) => `${fault} ${count}`).join(', ')}`)
console.log(
  `${dueCount} digests due in ${channels.length} channels, ${postedCount} posted; ${killCount} kills in ${Math.round((Date.now() - startedAt) / 1000)} s; errors: ${errors.length}`,
)
for (const error of errors.slice(0, 20)) console.log(error)
for (const instance of instances) instance.kill('SIGKILL')
for (const { proxy } of [slackConnections, ...allConnections]) await proxy.close()
await database.close()
await stop()
process.exit(errors.length || !dueCount ? 1 : 0)
