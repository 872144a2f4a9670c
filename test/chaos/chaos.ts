import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { UserSession } from 'local-slack'
import { DateTime } from 'luxon'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startProxy } from '../support/servers.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { checkSubmissions, type Submission } from './check-submissions.ts'
import { startFaultyProxy } from './faulty-proxy.ts'
import { startInstances, startKilling } from './instances.ts'
import { hang, refuse, runFault, startNetworkFaults, stopConnections } from './network-faults.ts'
import { isConfirmation, readConfirmation } from './post-editor.ts'
import { createReshape } from './shapes.ts'

/**
 * Many users schedule posts through two instances of the bot, which are killed every few seconds, over a connection that
 * delays, cuts and forges responses. Slack fails for seconds, connections to the database and the service stop without being
 * closed, the clock of one instance is wrong, and the service has over 1,000 posts at the minute of every other submission.
 * Checks that in the end every post that Slack showed as accepted is on the service once, whatever its user was notified of,
 * unless one of these faults keeps Upnext from knowing that. With `--shape`, the service answers as another one might.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    submissions: { type: 'string', default: '1000' },
    people: { type: 'string', default: '200' },
    shape: { type: 'string', default: 'own' },
    /** How many posts the service has at the minute of every other submission. */
    crowd: { type: 'string', default: '1500' },
    /** By how many seconds the clock of one instance is wrong. Every other seed, it is behind. */
    skew: { type: 'string', default: '55' },
    /** Whether Slack fails, and whether connections stop: `slack`, `stops`, both or `none`. */
    network: { type: 'string', default: 'slack,stops' },
  },
})
const seed = Number(values.seed)
const [submissionCount, userCount, crowd] = [values.submissions, values.people, values.crowd].map(Number) as [
  number,
  number,
  number,
]
console.log(
  `npm run chaos -- ${Object.entries({ ...values, seed })
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')}`,
)
const random = createSeededRandom(seed)
const MAX_RECOVERY_MS = 4 * 60_000
const MAX_OPENED_FORMS = 20
const MAX_SUBMITS = 20
const SUBMIT_PAUSE_MS = 300
const FORM_TIMEOUT_MS = 3000
/** Longer than Slack's SDK tries to connect again. */
const LAST_FAULT_MS = 15_000
const MAX_RECONNECT_MS = 2 * 60_000
/** So many forms in a row show that no instance is stuck. */
const LAST_FORMS = 6
const CROWDED_HOUR = 10
const POST = /Post (\d+)!/
/** The share of the requests for the crowded minute whose response is lost. */
const LOST_CROWD_ANSWERS = 0.4
/** The share of the other requests that arrive late, so that a clock that is wrong has time to send a second one. */
const LATE_REQUESTS = 0.4

const handles = Array.from({ length: userCount }, (_, index) => `person-${index}`)
const { slack, serviceUrl, env, token, findDatabase, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'chaos',
  people: handles.map((handle) => ({ handle, name: handle, tz: 'Europe/Berlin' })),
  channels: [{ name: 'launch' }],
  disableRateLimits: true,
})
const crowdRandom = createSeededRandom(seed + 3)
const proxy = await startFaultyProxy(serviceUrl, {
  random: createSeededRandom(seed + 1),
  reshape: createReshape(values.shape),
  losesAnswer: (body) => isCrowded(body) && crowdRandom.next() < LOST_CROWD_ANSWERS,
  delays: (body) => isPost(body) && !isCrowded(body) && crowdRandom.next() < LATE_REQUESTS,
})
const database = await findDatabase()
const slackConnections = { name: 'Slack', proxy: await startProxy(slack.url, { rewritesAddress: true }) }
const skew = seed % 2 ? Number(values.skew) : -Number(values.skew)

const instances = await startInstances({
  count: 2,
  env: { ...env, ...database, SLACK_API_URL: `${slackConnections.proxy.url}/api/` },
  databaseUrl: database.DATABASE_URL,
  serviceUrl: proxy.url,
  skew,
})
const { connections } = instances
const botDatabase = await openBotDatabase()

/** Creates the posts of others at the minute of every other submission. */
async function fillMinute(): Promise<void> {
  const { project_id } = await botDatabase.db
    .selectFrom('channel_project')
    .select('project_id')
    .executeTakeFirstOrThrow()
  const POSTS_AT_A_TIME = 10
  const day = DateTime.now().setZone('Europe/Berlin').plus({ days: 3 }).toISODate()
  const create = async (number: number) => {
    const body = {
      Content: `Crowd ${number}`,
      ScheduleDate: `${day}T${CROWDED_HOUR}:00:00`,
      Timezone: 'Europe/Berlin',
      Platforms: ['X'],
      Status: 'SCHEDULED',
    }
    const response = await fetch(`${serviceUrl}/api/v1/projects/${project_id}/posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`The service rejected a post: ${await response.text()}`)
  }
  for (let number = 0; number < crowd; number += POSTS_AT_A_TIME)
    await Promise.all(Array.from({ length: POSTS_AT_A_TIME }, (_, index) => create(number + index)))
}

const submissions: (Submission & { member: UserSession })[] = []
const firstMember = slack.openSession('person-0')
const channel = firstMember.state().channels.find(({ name }) => name === 'launch')?.id ?? ''
await firstMember.runCommand({ channel, text: '/upnext use Northwind' })
const isLinked = () => /linked .* to \*Northwind/.test(JSON.stringify(firstMember.state().messages[channel]))
if (!(await waitUntil(isLinked))) throw new Error('The channel could not be linked to the project.')
if (crowd) await fillMinute()

proxy.setFaults(true)
const kinds = values.network.split(',')
const networkFaults = startNetworkFaults(
  [
    ...(kinds.includes('slack') ? [refuse(slackConnections), hang(slackConnections)] : []),
    ...(kinds.includes('stops') ? connections.map(stopConnections) : []),
  ],
  createSeededRandom(seed + 2),
)
const stopKilling = startKilling(instances, { random, minPauseMs: 2000, maxPauseMs: 5000 })
const startedAt = Date.now()
await Promise.all(
  handles.map(async (handle, index) => {
    const member = slack.openSession(handle)
    for (let number = index; number < submissionCount; number += userCount) await schedulePost(member, number)
  }),
)
await Promise.all([stopKilling(), networkFaults.stop()])
// From here on, nothing restarts an instance that is stuck.
await Promise.all([
  kinds.includes('slack') && runFault(refuse(slackConnections), LAST_FAULT_MS),
  ...connections.map(
    (stopped) => kinds.includes('stops') && runFault(stopConnections(stopped), LAST_FAULT_MS),
  ),
])
proxy.setFaults(false)
const seconds = (Date.now() - startedAt) / 1000
console.log(
  `${submissions.length} submissions in ${seconds.toFixed(0)} s, ${instances.killCount()} kills; no more faults from now on`,
)

/** Schedules one post like a very patient user. */
async function schedulePost(member: UserSession, number: number): Promise<void> {
  // Every tenth post has the same content as the one before.
  const content = `Post ${number % 10 === 9 ? number - 1 : number}!`
  const hour = isCrowded(content) ? CROWDED_HOUR : 9
  const submission: (typeof submissions)[number] = { content, member, view_ids: [] }
  submissions.push(submission)
  for (let opened = 0; opened < MAX_OPENED_FORMS; opened++) {
    const form = await openForm(member, content, `in 3 days at ${hour}:00 on X`)
    if (form) submission.view_ids.push(form.id)
    for (let submits = 0; form && submits < MAX_SUBMITS; submits++) {
      const shown = topViewOf(member)
      if (!shown) break
      if (isConfirmation(shown)) await readConfirmation()
      const result = await member.submitView({ view: shown.id, values: {} })
      const isClosed = !topViewOf(member)
      if ('done' in result && (isClosed || JSON.stringify(topViewOf(member)?.blocks).includes('*Saved.*'))) {
        submission.acceptedView = form.id
        await closeModal(member)
        return
      }
      await sleep(SUBMIT_PAUSE_MS)
    }
    await closeModal(member)
    // After that many submits, the user gives up without knowing whether the post exists.
    if (form) return
  }
}

function isPost(content: string): boolean {
  return POST.test(content)
}

function isCrowded(content: string): boolean {
  return crowd > 0 && Number(POST.exec(content)?.[1]) % 2 === 1
}

function topViewOf(member: UserSession) {
  return member.state().views.at(-1)
}

/** The form for this text, with its project. A form that opened late for another text is none. */
async function openForm(member: UserSession, content: string, rest: string) {
  await member.runCommand({ channel, text: `/schedule-post ${content} ${rest}` })
  const isReady = () => {
    const { blocks = [] } = topViewOf(member) ?? {}
    const hasProject = blocks.some(({ block_id }) => block_id === 'project')
    return hasProject && JSON.stringify(blocks).includes(`"${content}"`)
  }
  return (await waitUntil(isReady, FORM_TIMEOUT_MS)) ? topViewOf(member) : undefined
}

async function closeModal(member: UserSession): Promise<void> {
  const shown = topViewOf(member)
  if (shown) await member.closeView({ view: shown.id, all: true })
}

async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 30_000,
  intervalMs = 50,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (await condition()) return true
    await sleep(intervalMs)
  }
  return false
}

/** Whether every instance is connected to Slack again, and answers. */
async function haveInstancesRecovered(): Promise<boolean> {
  if (slack.controls.socketCount() !== instances.count) return false
  for (let forms = 0; forms < LAST_FORMS; forms++) {
    const form = await openForm(firstMember, 'Back again!', 'in 3 days at 9:00 on X')
    await closeModal(firstMember)
    if (!form) return false
  }
  return true
}

/** Whether the user was notified that the post isn't on the service, or may not be. */
const wasNotified = (content: string) =>
  submissions.some(
    (submission) =>
      submission.content === content &&
      Object.values(submission.member.state().messages)
        .flat()
        .some((message) => {
          const text = JSON.stringify(message)
          return 'bot_id' in message && /:warning:|:question:/.test(text) && text.includes(content)
        }),
  )

async function check() {
  const { rows } = await botDatabase.database.pool.query<{ content: string; count: number }>(
    'select content, count(*)::integer as count from service.post group by content',
  )
  return checkSubmissions({
    submissions,
    items: await botDatabase.db
      .selectFrom('outbox_item')
      .select(['id', 'view_id', 'state', 'needs_answer'])
      .execute(),
    postCounts: new Map(rows.map(({ content, count }) => [content, count])),
    creations: proxy.creations,
    // Services of other shapes count to 1,000, too, but don't say that there are more.
    isUndecidable: (content) => values.shape !== 'own' && isCrowded(content),
    maxLostAnswers: instances.killCount() + (networkFaults.counts.get('database stopped') ?? 0),
    wasNotified,
  })
}

const haveRecovered = await waitUntil(haveInstancesRecovered, MAX_RECONNECT_MS, 500)
await waitUntil(async () => (await check()).isSettled, MAX_RECOVERY_MS, 1000)
// Whatever is still in the outbox must not create more posts.
await sleep(5000)
const { mismatches, summary } = await check()
if (!haveRecovered)
  mismatches.push(
    `Not every instance opens forms again; ${slack.controls.socketCount()} of ${instances.count} are connected to Slack.\n${instances.output().join('\n')}`,
  )
mismatches.push(...instances.crashes)
const faultCounts = [...proxy.counts, ...networkFaults.counts]
console.log(`faults: ${faultCounts.map(([fault, count]) => `${fault} ${count}`).join(', ')}; clock ${skew} s`)
for (const mismatch of mismatches.slice(0, 20)) console.log(mismatch)
console.log(`${summary}; mismatches: ${mismatches.length}`)
await instances.stop()
await botDatabase.database.close()
await slackConnections.proxy.close()
await proxy.close()
await stop()
process.exit(mismatches.length || !submissions.some(({ acceptedView }) => acceptedView) ? 1 : 0)
