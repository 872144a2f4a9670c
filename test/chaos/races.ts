import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { listOutboxPosts } from '../../src/bot/features/posts/find/project-posts.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { type Attempt, findViolations, type Round } from './find-violations.ts'
import { startInstances, startKilling } from './instances.ts'
import { runFault, startNetworkFaults, stopConnections } from './network-faults.ts'
import { openPostEditor, type PostEditor } from './post-editor.ts'

/**
 * Three people at a time edit, reschedule and cancel the same post from its message in a channel, while its time comes:
 * the service publishes it, or, with `--held`, Upnext hands it over to a service that can't change posts. Two instances of
 * the bot are killed every few seconds, the clock of one of them is wrong, the connection to the service is faulty, and
 * connections to it and to the database stop without being closed. In the end, everything that a person was told must be true.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    changes: { type: 'string', default: '5000' },
    groups: { type: 'string', default: '8' },
    held: { type: 'boolean', default: false },
    /** By how many seconds the clock of one instance is wrong. With an even seed, it is behind. */
    skew: { type: 'string', default: '55' },
    /** Whether connections stop: `stops` or `none`. */
    network: { type: 'string', default: 'stops' },
  },
})
const seed = Number(values.seed)
const changeCount = Number(values.changes)
const groupNames = Array.from({ length: Number(values.groups) }, (_, index) => `group-${index}`)
console.log(
  `npm run races -- --seed ${seed} --changes ${changeCount} --groups ${groupNames.length}${values.held ? ' --held' : ''} --skew ${values.skew} --network ${values.network}`,
)
const random = createSeededRandom(seed)
const MEMBERS_PER_GROUP = 3
const MAX_CHANGES_PER_MEMBER = 3
const MAX_PAUSE_MS = 400
const MAX_DUE_DELAY_MS = 3000
/** After so many posts that stay in the outbox, one after the other, a group has nothing left to change. */
const MAX_FAILURES_IN_A_ROW = 5
/** The pauses before a message is updated grow with the outage, so the last one may be twice as long as the whole run. */
const MAX_RECOVERY_MS = 10 * 60_000
const LAST_FAULT_MS = 5000
/** Ends a run in which the instances answer too seldom. */
const MAX_RUN_MS = 2 * 60_000 + 500 * changeCount

const handlesOf = (group: string) =>
  Array.from({ length: MEMBERS_PER_GROUP }, (_, index) => `${group}-person-${index}`)
const { slack, serviceUrl, env, getData, findDatabase, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'races',
  people: groupNames
    .flatMap(handlesOf)
    .map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin', role: 'admin' })),
  channels: groupNames.map((name) => ({ name, members: handlesOf(name) })),
  disableRateLimits: true,
})
const hideExtensions = (_method: string, text: string) =>
  text.startsWith('{"openapi"') ? '{"paths":{}}' : text
const proxy = await startFaultyProxy(serviceUrl, {
  random: createSeededRandom(seed + 1),
  reshape: values.held ? hideExtensions : undefined,
})
const settings = await findDatabase()
const instances = await startInstances({
  count: 2,
  env: { ...env, ...settings },
  databaseUrl: settings.DATABASE_URL,
  serviceUrl: proxy.url,
  skew: seed % 2 ? Number(values.skew) : -Number(values.skew),
})
const stops = values.network === 'stops' ? instances.connections.map(stopConnections) : []
const { database, db } = await openBotDatabase()
const groups = groupNames.map((name) =>
  handlesOf(name).map((handle) => openPostEditor(slack.openSession(handle), name)),
)
for (const [first] of groups) await first?.useProject('Northwind')
// A post that has been there for some time shows that the list of the service can be trusted. Otherwise, authors are asked.
if (!(await groups[0]?.[0]?.schedule('Certainly there', { isHeld: false })))
  throw new Error('The first post could not be scheduled.')
await database.pool.query("update upnext.outbox_item set finished_at = finished_at - interval '1 hour'")
proxy.setFaults(true)

let changesLeft = changeCount
const waitingGroups: string[] = []
const rounds: Round[] = []
const stopKilling = startKilling(instances, { random, minPauseMs: 5000, maxPauseMs: 10_000 })
const networkFaults = startNetworkFaults(stops, createSeededRandom(seed + 2))
const startedAt = Date.now()
await Promise.all(groups.map((editors, index) => runGroup(editors, groupNames[index] ?? '')))
await Promise.all([stopKilling(), networkFaults.stop()])
// From here on, nothing restarts an instance that is stuck.
await Promise.all(stops.map((fault) => runFault(fault, LAST_FAULT_MS)))
proxy.setFaults(false)
const killCount = instances.killCount()
const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)
const attempts = rounds.flatMap((round) => round.attempts)
console.log(`${attempts.length} changes of ${rounds.length} posts in ${seconds} s, ${killCount} kills`)

async function runGroup(editors: PostEditor[], group: string): Promise<void> {
  let failuresInARow = 0
  for (let number = 0; changesLeft > 0 && Date.now() < startedAt + MAX_RUN_MS; number++) {
    const marker = `[${group}.${number}]`
    const [author] = editors
    const isShown = await author?.schedule(`${marker} v0`, { isHeld: values.held })
    if (!isShown) {
      // Its result was lost, and the post may appear later.
      failuresInARow += 1
      if (failuresInARow < MAX_FAILURES_IN_A_ROW) continue
      waitingGroups.push(group)
      return
    }
    failuresInARow = 0
    const round: Round = { marker, group, attempts: [], isDue: random.next() < 0.5 }
    rounds.push(round)
    const dueChange = round.isDue ? makeDue(marker, editors[0]?.channel ?? '') : undefined
    await Promise.all(editors.map((editor, index) => changePost(editor, round, index)))
    await dueChange
  }
}

async function changePost(editor: PostEditor, round: Round, index: number): Promise<void> {
  const count = 1 + random.below(MAX_CHANGES_PER_MEMBER)
  for (let number = 1; number <= count; number++) {
    await sleep(random.below(MAX_PAUSE_MS))
    changesLeft -= 1
    const kind = random.oneOf(['edit', 'edit', 'edit', 'reschedule', 'reschedule', 'cancel'] as const)
    const version = `v${index + 1}.${number}`
    const [day, overwrites] = [4 + random.below(300), random.next() < 0.5]
    const attempt: Attempt = { kind, version, day, overwrites, startedAt: Date.now(), told: 'nothing' }
    round.attempts.push(attempt)
    attempt.told = await editor.change(round.marker, attempt)
    attempt.endedAt = Date.now()
    if (!['changed', 'conflict', 'nothing'].includes(attempt.told)) return
  }
}

/** An instance that was cut off keeps its locks until the server notices, so a statement that timed out is repeated. */
async function queryPatiently(text: string, values: unknown[]) {
  for (;;) {
    try {
      return await database.pool.query(text, values)
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error
    }
  }
}

/** The time of the post comes in the middle of the changes. */
async function makeDue(marker: string, channel: string): Promise<void> {
  await sleep(random.below(MAX_DUE_DELAY_MS))
  if (values.held) {
    // Two statements, because a run locks its job before its item, and one statement would lock them the other way round.
    const { rows } = await queryPatiently(
      `update upnext.outbox_item set held_until = now() where channel_id = $1 and state = 'held' returning id::text`,
      [channel],
    )
    const ids = rows.map(({ id }) => id)
    await queryPatiently('update upnext.job set due_at = now() where id = any($1)', [ids])
  } else
    await queryPatiently(
      "update service.post set schedule_date = now() where status = 'SCHEDULED' and content like $1",
      [`${marker}%`],
    )
}

const untracked = new Set<Round>()
/** Rounds whose author has been asked what became of their post. */
const asked = new Set<Round>()

async function check() {
  const scope = await db
    .selectFrom('channel_project')
    .select(['team_id', 'project_id'])
    .executeTakeFirstOrThrow()
  const service = await listServicePosts(scope.project_id)
  const waiting = await listOutboxPosts({ db }, scope)
  const rows = await db
    .selectFrom('post_message')
    .select(['ts', 'post_id', 'uncertain_until', 'last_change'])
    .execute()
  const items = await db.selectFrom('outbox_item').select('body').where('needs_answer', '=', true).execute()
  const askedPosts: { Content?: string }[] = items.map(({ body }) => body ?? {})
  untracked.clear()
  asked.clear()
  return rounds.flatMap((round) => {
    const isOfRound = ({ Content = '' }) => Content.startsWith(round.marker)
    const editors = groups[groupNames.indexOf(round.group)] ?? []
    const message = editors[0]?.channelMessage(round.marker)
    const isFirst = /\*(Scheduled|Held)/.test(message?.text ?? '')
    const row = rows.find(({ ts }) => ts === message?.ts)
    const isTracked = !isFirst || row !== undefined
    if (!isTracked) untracked.add(round)
    const posts = [...service, ...waiting].filter(isOfRound)
    const isAsked = askedPosts.some(isOfRound)
    if (isAsked) asked.add(round)
    const found = findViolations(round, { posts, message: message?.text, isTracked, isAsked })
    return found.map((violation) => `${violation} ${JSON.stringify({ row, isAsked })}`)
  })
}

const PAGE_SIZE = 100

async function listServicePosts(project_id: string) {
  const posts: { Content: string; ScheduleDate: string; Platforms: string[]; Status: string }[] = []
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const data = await getData(`/api/v1/projects/${project_id}/posts?skip=${skip}&limit=${PAGE_SIZE}`)
    const page = Object.values(data as object).find((value) => Array.isArray(value)) ?? []
    posts.push(...page)
    if (page.length < PAGE_SIZE) return posts
  }
}

const deadline = Date.now() + MAX_RECOVERY_MS
let violations = await check()
while (violations.length && Date.now() < deadline) {
  await sleep(3000)
  violations = await check()
}
// Whatever is still under way must not make anything untrue.
await sleep(5000)
violations = await check()
const counts = new Map<string, number>()
for (const { kind, told } of attempts)
  counts.set(`${kind}: ${told}`, (counts.get(`${kind}: ${told}`) ?? 0) + 1)
for (const [what, count] of [...counts].sort()) console.log(`  ${what} ${count}`)
console.log(
  `faults: ${[...proxy.counts, ...networkFaults.counts].map(([fault, count]) => `${fault} ${count}`).join(', ')}`,
)
console.log(
  `${rounds.filter(({ isDue }) => isDue).length} posts became due; ${asked.size} authors were asked; violations: ${violations.length}`,
)
console.log(`${untracked.size} messages that an instance was killed before it stored`)
for (const violation of violations.slice(0, 20)) console.log(violation)
for (const crash of instances.crashes) console.log(crash)
await instances.stop()
await database.close()
await proxy.close()
await stop()
if (changesLeft > 0) console.log(`stopped early, with ${changesLeft} changes left`)
if (waitingGroups.length) console.log(`stopped early, waiting for their outbox: ${waitingGroups.join(', ')}`)
// A kill or a stopped connection interrupts at most a few messages between posting and storing them.
const isTracking = untracked.size <= killCount + (networkFaults.counts.get('database stopped') ?? 0)
// Authors are asked only if several faults meet.
const isKnown = asked.size <= rounds.length / 4
const hasFailed = violations.length || instances.crashes.length || !isTracking || !isKnown
process.exit(hasFailed || !attempts.some(({ told }) => told === 'changed') ? 1 : 0)
