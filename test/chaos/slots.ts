import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findVersioned, replaceIfUnchanged } from '../../src/bot/database/versioned-row.ts'
import { listOutboxPosts } from '../../src/bot/features/posts/find/project-posts.ts'
import { listSlots, readSlotRules } from '../../src/bot/features/slots/slot-rules.ts'
import { listReservations } from '../../src/bot/features/slots/slot-store.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { startInstances, startKilling } from './instances.ts'
import { openPostEditor, type PostEditor } from './post-editor.ts'

/**
 * Many people at a time schedule posts into free slots, move them to others and cancel them, while two instances of the
 * bot are killed every few seconds. Some ask for slots of the nights in which clocks change. In the end, no two posts of a
 * platform may have the same slot, every post that its author saw is there, and every slot without a post is free.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    actions: { type: 'string', default: '1000' },
    people: { type: 'string', default: '20' },
  },
})
const seed = Number(values.seed)
const random = createSeededRandom(seed)
const names = Array.from({ length: Number(values.people) }, (_, index) => `person-${index}`)
console.log(`npm run slots -- --seed ${seed} --actions ${values.actions} --people ${names.length}`)

const ZONE = 'Europe/Berlin'
const TIMES = [
  '01:30',
  '02:00',
  '02:30',
  '03:00',
  ...Array.from({ length: 15 }, (_, index) => `${index + 8}:00`),
  '23:30',
]
/** A rule has up to six times a day. */
const RULES = [TIMES.slice(0, 6), TIMES.slice(6, 12), TIMES.slice(12, 18), TIMES.slice(18)]
  .map((times) => `every day at ${times.join(' and ')}`)
  .join('\n')
const WORDS = [
  // The nights have few slots, so most people ask for another.
  ...Array.from({ length: 15 }, () => 'next free slot'),
  'next slot',
  ...['28 march', '29 march', '31 october', '1 november'].map((day) => `slot ${day} 2027`),
]
const MAX_PAUSE_MS = 300
/** A reservation without a post counts for two minutes. */
const RESERVED_MS = 130_000
const MAX_RECOVERY_MS = 5 * 60_000

const { slack, serviceUrl, env, getData, findDatabase, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'slots',
  people: names.map((handle) => ({ handle, name: handle, tz: ZONE, role: 'admin' })),
  channels: names.map((name) => ({ name, members: [name] })),
  disableRateLimits: true,
})
const settings = await findDatabase()
const instances = await startInstances({
  count: 2,
  env: { ...env, ...settings },
  databaseUrl: settings.DATABASE_URL,
  serviceUrl,
  skew: 0,
})
const { database, db } = await openBotDatabase()
const editors = names.map((name) => openPostEditor(slack.openSession(name), name))
for (const editor of editors) await editor.useProject('Northwind')
const scope = await db
  .selectFrom('channel_project')
  .select(['team_id', 'project_id'])
  .executeTakeFirstOrThrow()
const read = readSlotRules(RULES, { now: new Date(), zone: ZONE })
if ('error' in read) throw new Error(read.error)
const { rules } = read
const { version: seen } = await findVersioned(db, 'slot_rules', scope)
await replaceIfUnchanged(db, 'slot_rules', scope, { seen, row: { ...scope, rules: JSON.stringify(rules) } })

type Post = { marker: string; isCancelled: boolean; isUnclear: boolean }

let actionsLeft = Number(values.actions)
const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
const posts: Post[] = []
const stopKilling = startKilling(instances, { random, minPauseMs: 10_000, maxPauseMs: 20_000 })
const startedAt = Date.now()
await Promise.all(editors.map((editor, index) => work(editor, names[index] ?? '')))
await stopKilling()
const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)

async function work(editor: PostEditor, name: string): Promise<void> {
  for (let number = 0; actionsLeft > 0; number++) {
    if (number % 10 === 9) console.log(`${actionsLeft} actions left`)
    actionsLeft -= 1
    const marker = `[${name}.${number}]`
    const when = random.oneOf(WORDS)
    const post: Post = { marker, isCancelled: false, isUnclear: false }
    const isShown = await editor.schedule(`${marker} v0`, { isHeld: false, when })
    count(isShown ? 'schedule: shown' : 'schedule: not shown')
    // The day's slots may all be taken, or the result was lost.
    if (!isShown) continue
    posts.push(post)
    while (actionsLeft > 0 && !post.isCancelled && random.next() < 0.6) {
      await sleep(random.below(MAX_PAUSE_MS))
      actionsLeft -= 1
      const kind = random.oneOf(['reschedule', 'reschedule', 'cancel'] as const)
      const attempt = {
        kind,
        version: '',
        day: 0,
        overwrites: true,
        startedAt: Date.now(),
        told: 'nothing' as const,
      }
      const told = await editor.change(marker, { ...attempt, when: random.oneOf(WORDS) })
      count(`${kind}: ${told}`)
      if (told === 'cancelled' || told === 'gone') post.isCancelled = true
      else if (kind === 'cancel') post.isUnclear = true
    }
  }
}

const PAGE_SIZE = 100
type Found = { Content: string; ScheduleDate: string; Platforms: string[] }

async function listPosts(): Promise<Found[]> {
  const found: Found[] = []
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const path = `/api/v1/projects/${scope.project_id}/posts?status=SCHEDULED&skip=${skip}&limit=${PAGE_SIZE}`
    const page: Found[] =
      Object.values((await getData(path)) as object).find((value) => Array.isArray(value)) ?? []
    found.push(...page)
    if (page.length < PAGE_SIZE) return found.filter(({ Content }) => Content.startsWith('['))
  }
}

async function check(): Promise<string[]> {
  const found = [...(await listPosts()), ...((await listOutboxPosts({ db }, scope)) as unknown as Found[])]
  const violations: string[] = []
  const seen = new Map<string, string>()
  for (const { Content, ScheduleDate, Platforms } of found) {
    const at = new Date(ScheduleDate)
    if (!listSlots(rules, at, at).length) violations.push(`${Content} has no slot: ${ScheduleDate}`)
    for (const platform of Platforms) {
      const key = `${platform} ${at.toISOString()}`
      if (seen.has(key)) violations.push(`${Content} and ${seen.get(key)} have the same slot: ${key}`)
      seen.set(key, Content)
    }
  }
  for (const { marker, isCancelled, isUnclear } of posts) {
    const isThere = found.some(({ Content }) => Content.startsWith(`${marker} `))
    if (isThere === isCancelled && !isUnclear)
      violations.push(`${marker} is ${isThere ? 'still there' : 'lost'}`)
  }
  const period = { from: new Date(), to: new Date('2028-01-01') }
  for (const { platform, at } of await listReservations(db, scope, period, new Date()))
    if (!seen.has(`${platform} ${at.toISOString()}`))
      violations.push(`Nobody can take ${platform} ${at.toISOString()}`)
  return violations
}

await sleep(RESERVED_MS)
const deadline = Date.now() + MAX_RECOVERY_MS
let violations = await check()
while (violations.length && Date.now() < deadline) {
  await sleep(3000)
  violations = await check()
}
console.log(`${Number(values.actions)} actions in ${seconds} s, ${instances.killCount()} kills`)
for (const [what, number] of [...counts].sort()) console.log(`  ${what} ${number}`)
const atChange = (await listPosts()).filter(({ ScheduleDate }) =>
  /2027-(?:03-2[78]|10-3[01])/.test(ScheduleDate),
)
console.log(`${posts.length} posts were shown, ${atChange.length} have slots in the nights of the changes`)
console.log(`violations: ${violations.length}`)
for (const violation of violations.slice(0, 20)) console.log(violation)
for (const crash of instances.crashes) console.log(crash)
await instances.stop()
await database.close()
await stop()
process.exit(violations.length || instances.crashes.length || !posts.length ? 1 : 0)
