import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { startInstances } from './instances.ts'
import { openPostEditor } from './post-editor.ts'

/**
 * One person imports a plan of many rows and schedules it, while others schedule single posts. The only instance of the bot
 * can be killed in the middle. In the end, each row is one post, and the last message says so.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    rows: { type: 'string', default: '500' },
    kills: { type: 'string', default: '3' },
  },
})
const seed = Number(values.seed)
const random = createSeededRandom(seed)
const [rowCount, killCount] = [Number(values.rows), Number(values.kills)]
console.log(`npm run plans -- --seed ${seed} --rows ${rowCount} --kills ${killCount}`)

const OTHERS = ['yuki', 'noor', 'priya']
const MAX_WAIT_MS = 10 * 60_000
const POLL_MS = 20
const OTHERS_PAUSE_MS = 3000

const { slack, serviceUrl, env, getData, findDatabase, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'plans',
  people: ['mara', ...OTHERS].map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin', role: 'admin' })),
  channels: ['mara', ...OTHERS].map((name) => ({ name, members: [name] })),
  disableRateLimits: true,
})
const settings = await findDatabase()
const instances = await startInstances({
  count: 1,
  env: { ...env, ...settings },
  databaseUrl: settings.DATABASE_URL,
  serviceUrl,
  skew: 0,
})
const { database, db } = await openBotDatabase()
const mara = slack.openSession('mara')
for (const name of ['mara', ...OTHERS])
  await openPostEditor(slack.openSession(name), name).useProject('Northwind')
const channel = mara.state().channels.find(({ name }) => name === 'mara')?.id ?? ''
const { project_id } = await db.selectFrom('channel_project').select('project_id').executeTakeFirstOrThrow()

async function waitFor<T>(find: () => T | undefined): Promise<T> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const found = find()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`Waited too long: ${find}`)
    await sleep(POLL_MS)
  }
}

const topView = () => mara.state().views.at(-1)
const viewText = () => JSON.stringify(topView()?.blocks ?? [])
const directMessages = () =>
  Object.entries(mara.state().messages)
    .filter(([id]) => id.startsWith('D'))
    .flatMap(([, messages]) => messages.map(({ text = '' }) => text))

/** Rows of a few months, so that they don't collide. */
function writePlan(): string {
  const rows = Array.from({ length: rowCount }, (_, index) => {
    const at = new Date(Date.now() + (2 * 24 + index * 4) * 3_600_000)
    return `Row ${index}!,${at.toISOString().slice(0, 16).replace('T', ' ')} UTC,X`
  })
  return ['Text,Date,Platforms', ...rows].join('\n')
}

async function importPlan(): Promise<number> {
  await mara.runCommand({ channel, text: '/upnext import' })
  const form = await waitFor(() => {
    const view = topView()
    return view?.blocks.some(({ block_id }) => block_id === 'project') ? view : undefined
  })
  const query = new URLSearchParams({ session: mara.sessionId, name: 'plan.csv' })
  const uploaded = await fetch(`${slack.url}/page/files?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: writePlan(),
  })
  const { id } = (await uploaded.json()) as { id: string }
  const block = form.blocks.find(({ block_id }) => block_id === 'PlanFile') as {
    element?: { action_id: string }
  }
  const startedAt = Date.now()
  await mara.submitView({ view: form.id, values: { PlanFile: { [block.element?.action_id ?? '']: [id] } } })
  await waitFor(() => viewText().includes(`*${rowCount} posts*`))
  return (Date.now() - startedAt) / 1000
}

let isSending = true
const waits: number[] = []
async function scheduleOthers(name: string): Promise<void> {
  const editor = openPostEditor(slack.openSession(name), name)
  for (let number = 0; isSending; number++) {
    const startedAt = Date.now()
    if (await editor.schedule(`[${name}.${number}]`, { isHeld: false }))
      waits.push((Date.now() - startedAt) / 1000)
    await sleep(OTHERS_PAUSE_MS)
  }
}

const reviewSeconds = await importPlan()
const others = OTHERS.map(scheduleOthers)
const startedAt = Date.now()
const block = topView()?.blocks.find((one) => JSON.stringify(one).includes('plan:schedule'))
await mara.dispatchAction({
  container: { view: topView()?.id ?? '' },
  block_id: block?.block_id ?? '',
  action_id: 'plan:schedule',
})
const killing = (async () => {
  for (let count = 0; count < killCount; count++) {
    await sleep(1500 + random.below(2500))
    await instances.kill(0)
  }
})()
await waitFor(() => directMessages().some((text) => /^Saved/.test(text)))
const sendSeconds = (Date.now() - startedAt) / 1000
isSending = false
await Promise.all([killing, ...others])

const PAGE_SIZE = 100
const found = new Map<string, number>()
for (let skip = 0; ; skip += PAGE_SIZE) {
  const path = `/api/v1/projects/${project_id}/posts?status=SCHEDULED&skip=${skip}&limit=${PAGE_SIZE}`
  const data: { Content: string }[] =
    Object.values((await getData(path)) as object).find((value) => Array.isArray(value)) ?? []
  for (const { Content } of data) found.set(Content, (found.get(Content) ?? 0) + 1)
  if (data.length < PAGE_SIZE) break
}
const rows = Array.from({ length: rowCount }, (_, index) => found.get(`Row ${index}!`) ?? 0)
const lost = rows.filter((count) => count === 0).length
const doubled = rows.filter((count) => count > 1).length
const last = directMessages().find((text) => text.startsWith('Saved')) ?? ''
waits.sort((a, b) => a - b)
console.log(
  `review ${reviewSeconds.toFixed(1)} s, sent in ${sendSeconds.toFixed(1)} s, ${instances.killCount()} kills`,
)
console.log(
  `${waits.length} single posts meanwhile, median ${waits[Math.floor(waits.length / 2)]?.toFixed(1)} s, slowest ${waits.at(-1)?.toFixed(1)} s`,
)
console.log(`lost ${lost}, doubled ${doubled}, last message: ${last}`)
for (const crash of instances.crashes) console.log(crash)
await instances.stop()
await database.close()
await stop()
const isTrue = last.startsWith(`Saved ${rowCount} posts`)
process.exit(lost || doubled || !isTrue || instances.crashes.length ? 1 : 0)
