import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openLocalSlack, type UserSession } from 'local-slack'
import { systemRuntime } from '../../src/runtime.ts'
import { type Running, run } from '../support/service-process.ts'
import { chanceFrom } from './chance.ts'
import { startProxy } from './proxy.ts'

/**
 * Many people schedule posts through two instances of the bot, which are killed every few seconds, over a connection that
 * delays, cuts and lies. At the end every post that Slack showed as accepted is on the service once, or its person has
 * been told that it is not.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    submissions: { type: 'string', default: '1000' },
    people: { type: 'string', default: '200' },
  },
})
const [seed, submissions, people] = [values.seed, values.submissions, values.people].map(Number) as [
  number,
  number,
  number,
]
console.log(`npm run chaos -- --seed ${seed} --submissions ${submissions} --people ${people}`)
const chance = chanceFrom(seed)
const TOKEN = 'a-token-for-chaos-and-nothing-else'
const QUIET_MS = 4 * 60_000

const folder = await mkdtemp(join(tmpdir(), 'upnext-chaos-'))
await chmod(folder, 0o755) // as root, PostgreSQL runs as another account
const handles = Array.from({ length: people }, (_, index) => `person-${index}`)
const seedFile = join(folder, 'seed.yml')
await writeFile(
  seedFile,
  JSON.stringify({
    team: { name: 'Chaos', domain: 'chaos' },
    users: handles.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin' })),
    channels: [{ name: 'launch', members: handles, app: true }],
  }),
)
const dataDir = join(folder, 'data')
const service = run('dist/service/command-line.js', [], {
  DATA_DIR: dataDir,
  SERVICE_PORT: '0',
  API_TOKEN: TOKEN,
})
const [, serviceUrl = ''] = /service (http\S+)/.exec(await service.printed('ready')) ?? []
const slack = await openLocalSlack({
  manifest: resolve('manifest.yml'),
  runtime: systemRuntime,
  seed: seedFile,
  disableRateLimits: true,
  onError: () => {},
})
const proxy = await startProxy(serviceUrl, chanceFrom(seed + 1))

const startInstance = () =>
  run('dist/main.js', [], {
    DATA_DIR: dataDir,
    API_BASE_URL: proxy.url,
    API_TOKEN: TOKEN,
    SLACK_BOT_TOKEN: slack.secrets.botToken,
    SLACK_APP_TOKEN: slack.secrets.appToken,
    SLACK_API_URL: slack.apiUrl,
    LOG_LEVEL: 'fatal',
  })
const instances: Running[] = [startInstance(), startInstance()]
await Promise.all(instances.map((instance) => instance.printed('ready')))

type Attempt = { content: string; member: UserSession; isAccepted: boolean }
const attempts: Attempt[] = []
const first = slack.openSession('person-0')
const channel = first.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
await first.runCommand({ channel, text: '/upnext use Northwind' })
await until(async () => JSON.stringify(first.state().messages[channel]).includes('is about'))
proxy.storm()

let isOver = false
let kills = 0
const killing = (async () => {
  while (!isOver) {
    await sleep(2000 + chance.below(3000))
    if (isOver) return
    const index = chance.below(instances.length)
    await instances[index]?.end('SIGKILL')
    kills += 1
    const instance = startInstance()
    instances[index] = instance
    await instance.printed('ready').catch(() => {})
  }
})()

const started = Date.now()
await Promise.all(
  handles.map(async (handle, index) => {
    const member = slack.openSession(handle)
    for (let number = index; number < submissions; number += people) await schedule(member, number)
  }),
)
isOver = true
await killing
const took = (Date.now() - started) / 1000
console.log(`${attempts.length} submissions in ${took.toFixed(0)} s, ${kills} kills; quiet from here on`)
proxy.calm()

/** One post, as somebody would do it who does not give up easily. */
async function schedule(member: UserSession, number: number): Promise<void> {
  // Every tenth is the same as the one before, on purpose.
  const content = `Post ${number % 10 === 9 ? number - 1 : number}!`
  const attempt: Attempt = { content, member, isAccepted: false }
  attempts.push(attempt)
  const view = () => member.state().views.at(-1)
  for (let opening = 0; opening < 20; opening++) {
    await member.runCommand({ channel, text: `/schedule-post ${content} in 3 days at 9am on X` })
    const ready = await until(
      async () => view()?.blocks.some(({ block_id }) => block_id === 'project') ?? false,
      3000,
    )
    const open = view()
    if (!open) continue
    for (let press = 0; ready && press < 20; press++) {
      const result = await member.submitView({ view: open.id, values: {} })
      const now = JSON.stringify(view()?.blocks ?? null)
      if ('done' in result && (!view() || now.includes('Saved, and on its way.'))) {
        attempt.isAccepted = true
        if (view()) await member.closeView({ view: open.id })
        return
      }
      await sleep(300)
    }
    await member.closeView({ view: open.id })
    // Whoever presses that often and closes it then has given it up, and does not know.
    if (ready) return
  }
}

async function until(is: () => Promise<boolean>, patienceMs = 30_000): Promise<boolean> {
  const end = Date.now() + patienceMs
  while (Date.now() < end) {
    if (await is()) return true
    await sleep(50)
  }
  return false
}

async function postsThere(): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const call = async (path: string): Promise<object> => {
    const answer = await fetch(serviceUrl + path, { headers: { authorization: `Bearer ${TOKEN}` } })
    return ((await answer.json()) as { data: object }).data
  }
  const projects: { Id: string }[] = listIn(await call('/api/v1/projects'))
  for (const { Id } of projects)
    for (let skip = 0; ; skip += 100) {
      const items: { Content: string }[] = listIn(
        await call(`/api/v1/projects/${Id}/posts?skip=${skip}&limit=100`),
      )
      for (const { Content } of items) counts.set(Content, (counts.get(Content) ?? 0) + 1)
      if (items.length < 100) break
    }
  return counts
}

/** Bare, or under a name. */
const listIn = <T>(data: object): T[] =>
  Array.isArray(data) ? data : (Object.values(data).find((one) => Array.isArray(one)) ?? [])

const toldOf = ({ member, content }: Attempt) =>
  Object.values(member.state().messages)
    .flat()
    .some(
      (message) =>
        'bot_id' in message &&
        /:warning:|:question:/.test(JSON.stringify(message)) &&
        JSON.stringify(message).includes(content),
    )

type Wrong = { content: string; wanted: string; there: number }

/** What there should be of each content: as often as it was accepted; a few more where a form was given up in doubt. */
async function wrongOnes(): Promise<Wrong[]> {
  const there = await postsThere()
  const wrong: Wrong[] = []
  for (const content of new Set(attempts.map((attempt) => attempt.content))) {
    const of = attempts.filter((attempt) => attempt.content === content)
    const accepted = of.filter(({ isAccepted }) => isAccepted)
    const told = accepted.filter(toldOf).length
    const count = there.get(content) ?? 0
    const least = accepted.length - told
    if (count < least || count > of.length)
      wrong.push({ content, wanted: `${least} to ${of.length}`, there: count })
  }
  return wrong
}

await until(async () => (await wrongOnes()).length === 0, QUIET_MS)
const wrong = await wrongOnes()
const accepted = attempts.filter(({ isAccepted }) => isAccepted)
const told = accepted.filter(toldOf)
// What still lies in the outbox might be sent yet: it must come to nothing more.
await sleep(5000)
const later = await wrongOnes()
console.log(`met: ${[...proxy.met].map(([trouble, times]) => `${trouble} ${times}`).join(', ')}`)
console.log(
  `${accepted.length} of ${attempts.length} accepted, ${told.length} of them told of; wrong: ${wrong.length}, later ${later.length}`,
)
for (const one of later.slice(0, 20)) console.log(one)
for (const instance of instances) await instance.end('SIGTERM')
await slack.close()
await proxy.close()
await service.end('SIGTERM')
await rm(folder, { recursive: true, force: true })
process.exit(later.length || !accepted.length ? 1 : 0)
