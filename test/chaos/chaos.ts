import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { UserSession } from 'local-slack'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { createReshape } from './shapes.ts'

/**
 * Many users schedule posts through two instances of the bot, which are killed every few seconds, over a connection that
 * delays, cuts and forges responses. Checks that in the end every post that Slack showed as accepted is on the service once,
 * or that its user was notified that it is not. With `--shape`, the service answers as another one might.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    submissions: { type: 'string', default: '1000' },
    people: { type: 'string', default: '200' },
    shape: { type: 'string', default: 'own' },
  },
})
const seed = Number(values.seed)
const [submissionCount, userCount] = [Number(values.submissions), Number(values.people)]
console.log(
  `npm run chaos -- --seed ${seed} --submissions ${submissionCount} --people ${userCount} --shape ${values.shape}`,
)
const random = createSeededRandom(seed)
const MAX_RECOVERY_MS = 4 * 60_000
const MAX_OPENED_FORMS = 20
const MAX_SUBMITS = 20
const SUBMIT_PAUSE_MS = 300
const FORM_TIMEOUT_MS = 3000

const handles = Array.from({ length: userCount }, (_, index) => `person-${index}`)
const { slack, serviceUrl, env, getData, stop } = await startServiceAndSlack({
  name: 'chaos',
  people: handles.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin' })),
  channels: [{ name: 'launch' }],
  disableRateLimits: true,
})
const proxy = await startFaultyProxy(serviceUrl, createSeededRandom(seed + 1), createReshape(values.shape))

const startInstance = () => runProgram('dist/main.js', [], { ...env, API_BASE_URL: proxy.url })
const instances: RunningProgram[] = [startInstance(), startInstance()]
await Promise.all(instances.map((instance) => instance.waitForLine('ready')))

type Submission = { content: string; member: UserSession; isAccepted: boolean }
const submissions: Submission[] = []
const firstMember = slack.openSession('person-0')
const channel = firstMember.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
await firstMember.runCommand({ channel, text: '/upnext use Northwind' })
const isLinked = () => /linked .* to \*Northwind/.test(JSON.stringify(firstMember.state().messages[channel]))
if (!(await waitUntil(isLinked))) throw new Error('The channel could not be linked to the project.')
proxy.setFaults(true)

let isFinished = false
let killCount = 0
const killing = killInstances()

async function killInstances(): Promise<void> {
  // A short run has at least one kill, too.
  while (!isFinished || !killCount) {
    await sleep(2000 + random.below(3000))
    if (isFinished && killCount) return
    const index = random.below(instances.length)
    await instances[index]?.stop('SIGKILL')
    killCount += 1
    const instance = startInstance()
    instances[index] = instance
    await instance.waitForLine('ready').catch(() => {})
  }
}

const startedAt = Date.now()
await Promise.all(
  handles.map(async (handle, index) => {
    const member = slack.openSession(handle)
    for (let number = index; number < submissionCount; number += userCount) await schedulePost(member, number)
  }),
)
isFinished = true
await killing
const seconds = (Date.now() - startedAt) / 1000
console.log(
  `${submissions.length} submissions in ${seconds.toFixed(0)} s, ${killCount} kills; no more faults from now on`,
)
proxy.setFaults(false)

/** Schedules one post like a very patient user. */
async function schedulePost(member: UserSession, number: number): Promise<void> {
  // Every tenth post has the same content as the one before.
  const content = `Post ${number % 10 === 9 ? number - 1 : number}!`
  const submission: Submission = { content, member, isAccepted: false }
  submissions.push(submission)
  const topView = () => member.state().views.at(-1)
  const isFormReady = () => topView()?.blocks.some(({ block_id }) => block_id === 'project') ?? false
  for (let opened = 0; opened < MAX_OPENED_FORMS; opened++) {
    await member.runCommand({ channel, text: `/schedule-post ${content} in 3 days at 9am on X` })
    const isReady = await waitUntil(isFormReady, FORM_TIMEOUT_MS)
    const form = topView()
    if (!form) continue
    for (let submits = 0; isReady && submits < MAX_SUBMITS; submits++) {
      const result = await member.submitView({ view: form.id, values: {} })
      const isClosed = !topView()
      if ('done' in result && (isClosed || JSON.stringify(topView()?.blocks).includes('*Saved.*'))) {
        submission.isAccepted = true
        if (!isClosed) await member.closeView({ view: form.id })
        return
      }
      await sleep(SUBMIT_PAUSE_MS)
    }
    await member.closeView({ view: form.id })
    // After that many submits, the user gives up without knowing whether the post exists.
    if (isReady) return
  }
}

async function waitUntil(condition: () => boolean | Promise<boolean>, timeoutMs = 30_000): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (await condition()) return true
    await sleep(50)
  }
  return false
}

/** How many posts with each content the service has. */
async function countPosts(): Promise<Map<string, number>> {
  const PAGE_SIZE = 100
  const counts = new Map<string, number>()
  const projects: { Id: string }[] = findList(await getData('/api/v1/projects'))
  for (const { Id } of projects)
    for (let skip = 0; ; skip += PAGE_SIZE) {
      const path = `/api/v1/projects/${Id}/posts?skip=${skip}&limit=${PAGE_SIZE}`
      const posts: { Content: string }[] = findList(await getData(path))
      for (const { Content } of posts) counts.set(Content, (counts.get(Content) ?? 0) + 1)
      if (posts.length < PAGE_SIZE) break
    }
  return counts
}

/** A response's data is a list, or an object with a list. */
const findList = <T>(data: unknown): T[] =>
  Array.isArray(data) ? data : (Object.values(data as object).find((value) => Array.isArray(value)) ?? [])

/** Whether the user was notified that the post isn't on the service, or may not be. */
const wasNotified = ({ member, content }: Submission) =>
  Object.values(member.state().messages)
    .flat()
    .some(
      (message) =>
        'bot_id' in message &&
        /:warning:|:question:/.test(JSON.stringify(message)) &&
        JSON.stringify(message).includes(content),
    )

type Mismatch = { content: string; expected: string; actual: number }

/** Each accepted post must be there. There may be one more for each form that was given up. */
async function findMismatches(): Promise<Mismatch[]> {
  const counts = await countPosts()
  const mismatches: Mismatch[] = []
  for (const content of new Set(submissions.map((submission) => submission.content))) {
    const same = submissions.filter((submission) => submission.content === content)
    const accepted = same.filter(({ isAccepted }) => isAccepted)
    const minCount = accepted.filter((submission) => !wasNotified(submission)).length
    const actual = counts.get(content) ?? 0
    if (actual < minCount || actual > same.length)
      mismatches.push({ content, expected: `${minCount} to ${same.length}`, actual })
  }
  return mismatches
}

await waitUntil(async () => (await findMismatches()).length === 0, MAX_RECOVERY_MS)
// Whatever is still in the outbox must not create more posts.
await sleep(5000)
const mismatches = await findMismatches()
const accepted = submissions.filter(({ isAccepted }) => isAccepted)
const notifiedCount = accepted.filter(wasNotified).length
console.log(`faults: ${[...proxy.counts].map(([fault, count]) => `${fault} ${count}`).join(', ')}`)
console.log(
  `${accepted.length} of ${submissions.length} accepted, ${notifiedCount} of them with a notification; mismatches: ${mismatches.length}`,
)
for (const mismatch of mismatches.slice(0, 20)) console.log(mismatch)
for (const instance of instances) await instance.stop('SIGTERM')
await proxy.close()
await stop()
process.exit(mismatches.length || !accepted.length ? 1 : 0)
