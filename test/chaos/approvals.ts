import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { WebClient } from '@slack/web-api'
import type { UserSession } from 'local-slack'
import { findVersioned, replaceIfUnchanged } from '../../src/bot/database/versioned-row.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { startServiceAndSlack } from '../support/service-and-slack.ts'
import { startInstances, startKilling } from './instances.ts'
import { openPostEditor, type PostEditor } from './post-editor.ts'

/**
 * Authors schedule posts, edit and cancel them, while approvers decide about what their messages show, one of them loses and
 * regains the right to approve in several ways, the rule changes, and two instances of the bot are killed every few seconds. In the end, the service has no
 * post that nobody with the right has approved in exactly this version, and every post that a message calls approved.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    actions: { type: 'string', default: '1000' },
    people: { type: 'string', default: '12' },
    /** Nothing is written after this time. */
    minutes: { type: 'string', default: '60' },
  },
})
const seed = Number(values.seed)
const random = createSeededRandom(seed)
const authors = Array.from({ length: Number(values.people) }, (_, index) => `person-${index}`)
const approvers = ['first-approver', 'second-approver', 'third-approver']
console.log(`npm run approvals -- --seed ${seed} --actions ${values.actions} --people ${authors.length}`)

const MAX_PAUSE_MS = 300
/** Long enough for authors to change what waits. */
const MAX_DECISION_PAUSE_MS = 5000
const PAGE_SIZE = 100
const GROUP = 'editors'
const RIGHT_LASTS_MS = 8000
/** A press that is on its way when the right ends may count or not. */
const UNCLEAR_MS = 5000
const MAX_RECOVERY_MS = 5 * 60_000

const { slack, serviceUrl, env, getData, findDatabase, openBotDatabase, stop } = await startServiceAndSlack({
  name: 'approvals',
  people: [...authors, ...approvers].map((handle) => ({ handle, name: handle, tz: 'UTC', role: 'member' })),
  channels: authors.map((name) => ({ name, members: [name] })),
  userGroups: [{ handle: GROUP, name: GROUP, members: approvers }],
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
const editors = authors.map((name) => openPostEditor(slack.openSession(name), name))
for (const editor of editors) await editor.useProject('Northwind')
const scope = await db
  .selectFrom('channel_project')
  .select(['team_id', 'project_id'])
  .executeTakeFirstOrThrow()
const sessions = approvers.map((name) => slack.openSession(name))

const [others, lastOne] = [approvers.slice(0, -1), approvers.slice(-1)]
const ids = Object.fromEntries(
  sessions.map((session, index) => [approvers[index] ?? '', session.state().userId]),
)
const client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })
const { usergroups = [] } = await client.usergroups.list()
const user_group = usergroups[0]?.id ?? ''

type Rule = { named: string[]; group?: string[]; needsAll?: boolean }

/** The rules that follow each other. In every second one, the last approver has no right. */
const RULES: Rule[] = [
  { named: approvers },
  { named: others },
  { named: others, group: lastOne },
  { named: others, group: [] },
  { named: approvers },
  { named: others, needsAll: true },
]

async function setRule({ named, group, needsAll = false }: Rule): Promise<void> {
  if (group) slack.controls.changeUserGroup({ handle: GROUP, members: group })
  const rule = {
    ...scope,
    approvers: named.map((name) => ids[name] ?? ''),
    user_group: group ? user_group : null,
    channel_id: null,
    is_optional: false,
    admins_may_approve: false,
    needs_all: needsAll,
    authors_may_approve: false,
  }
  const { version: seen } = await findVersioned(db, 'approval_rule', scope)
  await replaceIfUnchanged(db, 'approval_rule', scope, { seen, row: rule })
}
await setRule({ named: approvers })

/** When the last approver had no right to approve. */
const withoutRight: { from: number; to: number }[] = []
type Press = { content: string; by: number; at: number }
const presses: Press[] = []
const cancelled = new Set<string>()
let actionsLeft = Number(values.actions)
let isOver = false
const counts = new Map<string, number>()
const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
const stopKilling = startKilling(instances, { random, minPauseMs: 10_000, maxPauseMs: 20_000 })
const startedAt = Date.now()
const endsAt = startedAt + Number(values.minutes) * 60_000
const deciding = [...sessions.map((session, index) => decide(session, index)), changeRights()]
await Promise.all(editors.map((editor, index) => write(editor, authors[index] ?? '')))
await stopKilling()
const seconds = ((Date.now() - startedAt) / 1000).toFixed(0)

async function write(editor: PostEditor, name: string): Promise<void> {
  for (let number = 0; actionsLeft > 0 && Date.now() < endsAt; number++) {
    actionsLeft -= 1
    const marker = `[${name}.${number}]`
    const isShown = await editor.schedule(`${marker} v0`, { isHeld: false })
    count(isShown ? 'schedule: shown' : 'schedule: not shown')
    for (let version = 1; isShown && actionsLeft > 0 && random.next() < 0.6; version++) {
      await sleep(random.below(MAX_PAUSE_MS))
      actionsLeft -= 1
      const kind = random.next() < 0.8 ? ('edit' as const) : ('cancel' as const)
      const attempt = { kind, version: `v${version}`, day: 0, overwrites: true, startedAt: Date.now() }
      const told = await editor.change(marker, { ...attempt, told: 'nothing' })
      count(`${kind}: ${told}`)
      if (kind !== 'cancel') continue
      cancelled.add(marker)
      break
    }
  }
}

type Message = { ts: string; blocks?: { block_id?: string }[] }

type Request = { channel: string; message: Message; json: string }

function requestsOf(session: UserSession): Request[] {
  const conversations = Object.entries(session.state().messages)
  return conversations
    .filter(([channel]) => channel.startsWith('D'))
    .flatMap(([channel, messages]) =>
      messages.map((message) => ({
        channel,
        message: message as Message,
        json: JSON.stringify(message.blocks ?? []),
      })),
    )
}

/** The preview comes after what the post said before a change. */
function contentOf(json: string): string {
  return json.match(/\[[\w.-]+\] v\d+/g)?.at(-1) ?? ''
}

async function decide(session: UserSession, by: number): Promise<void> {
  while (!isOver) {
    const open = requestsOf(session).filter(({ json }) => json.includes('"approval:approve"'))
    const request = open.length ? random.oneOf(open) : undefined
    await sleep(random.below(MAX_DECISION_PAUSE_MS))
    if (!request) continue
    const { channel, message } = request
    // What the message shows at this moment is what the person approves.
    const shown = requestsOf(session).find(({ message: { ts } }) => ts === message.ts)
    const block = shown?.message.blocks?.find((one) => JSON.stringify(one).includes('"approval:approve"'))
    if (!shown || !block) continue
    presses.push({ content: contentOf(shown.json), by, at: Date.now() })
    count('approve')
    const container = { channel, ts: message.ts }
    await session
      .dispatchAction({ container, block_id: block.block_id ?? '', action_id: 'approval:approve' })
      .catch(() => count('approve: refused by Slack'))
    for (let view = session.state().views.at(-1); view; view = session.state().views.at(-1))
      await session.closeView({ view: view.id, all: true })
  }
}

async function changeRights(): Promise<void> {
  for (let number = 1; !isOver; number++) {
    await sleep(RIGHT_LASTS_MS)
    const from = Date.now()
    await setRule(RULES[number % RULES.length] ?? { named: approvers })
    number += 1
    await sleep(RIGHT_LASTS_MS)
    withoutRight.push({ from, to: Date.now() })
    await setRule(RULES[number % RULES.length] ?? { named: approvers })
  }
}

function hadRight({ by, at }: Press): boolean {
  const isWithout = ({ from, to }: { from: number; to: number }) =>
    at > from + UNCLEAR_MS && at < to - UNCLEAR_MS
  return by < approvers.length - 1 || !withoutRight.some(isWithout)
}

async function listContents(): Promise<string[]> {
  const found: string[] = []
  for (let skip = 0; ; skip += PAGE_SIZE) {
    const path = `/api/v1/projects/${scope.project_id}/posts?status=SCHEDULED&skip=${skip}&limit=${PAGE_SIZE}`
    const page = Object.values((await getData(path)) as object).find((value) => Array.isArray(value)) ?? []
    found.push(...page.map(({ Content }: { Content: string }) => Content))
    if (page.length < PAGE_SIZE) return found.filter((content) => content.startsWith('['))
  }
}

async function check(): Promise<string[]> {
  const contents = await listContents()
  const violations: string[] = []
  const approved = new Set(presses.filter(hadRight).map(({ content }) => content))
  for (const content of contents)
    if (!approved.has(content)) violations.push(`${content} is in the service, and nobody approved it`)
  const markers = contents.map((content) => content.split(' ')[0])
  const repeated = markers.filter((marker, index) => markers.indexOf(marker) !== index)
  for (const marker of repeated) violations.push(`${marker} is in the service twice`)
  for (const session of sessions)
    for (const { json } of requestsOf(session)) {
      const content = contentOf(json)
      const [marker = ''] = content.split(' ')
      // A post that was cancelled isn't shown anymore.
      if (!content) continue
      if (!json.includes('Approved by') || json.includes('"approval:approve"') || cancelled.has(marker))
        continue
      // A later version may have been approved since.
      if (!markers.includes(marker)) violations.push(`${content} was approved, and isn't in the service`)
    }
  return violations
}

// The approvers decide about what is left.
const settledBy = Date.now() + 60_000
while (Date.now() < settledBy) await sleep(1000)
isOver = true
await Promise.all(deciding)
const deadline = Date.now() + MAX_RECOVERY_MS
let violations = await check()
while (violations.length && Date.now() < deadline) {
  await sleep(3000)
  violations = await check()
}
const sent = await listContents()
console.log(`${Number(values.actions) - actionsLeft} actions in ${seconds} s, ${instances.killCount()} kills`)
for (const [what, number] of [...counts].sort()) console.log(`  ${what} ${number}`)
console.log(`${sent.length} posts are in the service, ${withoutRight.length} times someone lost the right`)
console.log(`violations: ${violations.length}`)
for (const violation of violations.slice(0, 20)) console.log(violation)
for (const crash of instances.crashes) console.log(crash)
await instances.stop()
await database.close()
await stop()
process.exit(violations.length || instances.crashes.length || !sent.length ? 1 : 0)
