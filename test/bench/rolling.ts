import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/database/database.ts'
import { readSecretFile } from '../../src/database/secret-keys.ts'
import { openSharedServer } from '../../src/database/shared-server.ts'
import { addMs, systemRuntime } from '../../src/runtime.ts'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { insertProject } from '../../src/service/stores/projects-store.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { runProgram } from '../support/run-program.ts'
import { findFreePort } from '../support/servers.ts'
import { createTempFolder } from '../support/temp-folder.ts'
import { createCommandSender } from './command-sender.ts'
import { startSlackApi } from './slack-api.ts'

/**
 * Restarts two instances behind a proxy one after the other, while people send commands, a client uses the service, and
 * posts are due every second. The proxy is Caddy with the settings of compose.yml. Prints the failures, and how late posts
 * were, before and during the restarts.
 */
const COMMANDS_A_SECOND = 20
const REQUESTS_A_SECOND = 20
const POSTS_A_SECOND = 5
const CALM_SECONDS = 60
const MAX_SECONDS = 300
/** After a restart, before the next one. */
const PAUSE_SECONDS = 10
const SIGNING_SECRET = 'a-signing-secret-to-measure-with'
const BOT_TOKEN = '123456:token-of-the-bench-bot'
/** Enough that no chat has two posts within a second. */
const CHATS = 50
const chatId = (index: number) => -1_000_000_000_000 - index

const folder = await createTempFolder('upnext-rolling-')
const { url, close: closeServer } = await openSharedServer(folder, systemRuntime.randomBytes)
const { secret } = await readSecretFile(folder, systemRuntime)
const slack = await startSlackApi()
const telegram = await startFakeTelegram({ latencyMs: 100 })
telegram.addBot({ token: BOT_TOKEN, username: 'bench_bot' })

const database = await openDatabase({
  config: { DATABASE_URL: url, SECRET_KEY: [secret], DATA_DIR: folder },
  onError: () => {},
  runtime: systemRuntime,
})
const db = await openServiceDatabase(database)
const projects: string[] = []
for (let index = 0; index < CHATS; index++) {
  const chat = {
    id: chatId(index),
    title: `Chat ${index}`,
    botStatus: 'administrator',
    canPost: true,
  } as const
  telegram.addChat({ type: 'channel', ...chat })
  const project = await insertProject(db, `Bench ${index}`)
  const project_id = project?.id ?? ''
  const account = { project_id, name: chat.title, target: String(chat.id), credentials: BOT_TOKEN }
  const kind = {
    platform: 'TELEGRAM',
    publisher: 'TELEGRAM',
    settings: '{}',
    checked_at: new Date(),
  } as const
  await connectAccount(db, await saveAccount(db, { ...account, ...kind }))
  projects.push(project_id)
}
const firstDueAt = addMs(new Date(), 40_000)
const dueAt = (index: number) => addMs(firstDueAt, Math.floor(index / POSTS_A_SECOND) * 1000)
for (let index = 0; index < MAX_SECONDS * POSTS_A_SECOND; index++)
  await insertPost(db, {
    project_id: projects[index % CHATS] ?? '',
    content: `Post ${index}`,
    schedule_date: dueAt(index),
    timezone: 'UTC',
    platforms: ['TELEGRAM'],
    status: 'SCHEDULED',
  })
await database.close()

async function administer(...args: string[]): Promise<string> {
  const env = { DATABASE_URL: url, SECRET_KEY: secret, DATA_DIR: folder }
  const program = runProgram('dist/service/command-line.js', args, env)
  if (await program.exitCode) throw new Error(program.errors())
  return program.output().trim()
}
await administer('user', 'add', 'bench@upnext.example', '--project', 'Bench 0', '--role', 'ADMIN')
const [API_TOKEN = ''] = /upn_\S+/.exec(await administer('token', 'add', 'bench@upnext.example')) ?? []

const instances = await Promise.all(
  [1, 2].map(async () => ({ port: await findFreePort(), servicePort: await findFreePort() })),
)
type Instance = (typeof instances)[number]
const start = async ({ port, servicePort }: Instance) => {
  const program = runProgram('dist/main.js', [], {
    DATABASE_URL: url,
    SECRET_KEY: secret,
    DATA_DIR: folder,
    API_TOKEN,
    SERVICE_REQUESTS_PER_MINUTE: '0',
    USER_ACTIONS_PER_MINUTE: '0',
    WORKSPACE_ACTIONS_PER_MINUTE: '0',
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: SIGNING_SECRET,
    SLACK_API_URL: slack.url,
    TELEGRAM_API_URL: telegram.url,
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DRAIN_SECONDS: '5',
    LOG_LEVEL: 'error',
  })
  await program.waitForLine('ready')
  return program
}
const running = await Promise.all(instances.map(start))
const programs = [...running]

const [botPort, servicePort] = [await findFreePort(), await findFreePort()]
const site = (port: number, upstreams: number[]) => `
http://127.0.0.1:${port} {
  reverse_proxy ${upstreams.map((upstream) => `127.0.0.1:${upstream}`).join(' ')} {
    health_uri /readyz
    health_interval 2s
    lb_try_duration 5s
  }
}`
const caddyfile = join(folder, 'Caddyfile')
const sites = [
  site(
    botPort,
    instances.map(({ port }) => port),
  ),
  site(
    servicePort,
    instances.map((instance) => instance.servicePort),
  ),
]
await writeFile(caddyfile, `{\n  admin off\n  auto_https off\n}${sites.join('')}\n`)
const proxy = spawn('caddy', ['run', '--config', caddyfile, '--adapter', 'caddyfile'], {
  env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  stdio: 'ignore',
})
const isReady = async (port: number) =>
  (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
for (let tries = 0; !((await isReady(botPort)) && (await isReady(servicePort))); tries++) {
  if (tries > 100) throw new Error(`Caddy doesn't answer. Try "caddy run --config ${caddyfile}".`)
  await sleep(100)
}

const sendCommand = createCommandSender({ port: botPort, slackUrl: slack.url, signingSecret: SIGNING_SECRET })
type Phase = {
  name: string
  startedAt: Date
  acknowledgments: (number | undefined)[]
  openings: number[]
  statuses: number[]
}
const startPhase = (name: string): Phase => ({
  name,
  startedAt: new Date(),
  acknowledgments: [],
  openings: [],
  statuses: [],
})
const phases = [startPhase('before')]
let isOver = false
const pending = new Set<Promise<unknown>>()
const track = (work: Promise<unknown>) => {
  pending.add(work)
  void work.finally(() => pending.delete(work))
}

async function sendAtRate(perSecond: number, send: (phase: Phase) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  for (let index = 0; !isOver; index++) {
    await sleep(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()))
    track(send(phases.at(-1) as Phase))
  }
}

let count = 0
const load = [
  sendAtRate(COMMANDS_A_SECOND, async ({ acknowledgments, openings }) => {
    const trigger_id = `trigger-${count}`
    const sentAt = performance.now()
    void slack.whenOpened(trigger_id).then((at) => openings.push(at - sentAt))
    acknowledgments.push((await sendCommand(trigger_id, count++))?.ms)
  }),
  sendAtRate(REQUESTS_A_SECOND, async ({ statuses }) => {
    const headers = { authorization: `Bearer ${API_TOKEN}` }
    const url = `http://127.0.0.1:${servicePort}/api/v1/projects`
    const request = fetch(url, { headers }).then(async (response) => {
      await response.text()
      return response.status
    })
    statuses.push(await request.catch(() => 0))
  }),
]
await sleep(firstDueAt.getTime() - Date.now() + CALM_SECONDS * 1000)
phases.push(startPhase('restarts'))
for (const [index, instance] of instances.entries()) {
  await running[index]?.stop('SIGTERM')
  running[index] = await start(instance)
  programs.push(running[index])
  await sleep(PAUSE_SECONDS * 1000)
}
const endedAt = new Date()
isOver = true
await Promise.all(load)
await Promise.race([Promise.all(pending), sleep(30_000)])
await sleep(10_000)

const numberOf = (text: string) => Number(text.slice('Post '.length))
const describe = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(0)
  return `${at(0.5)} ms (p50), ${at(0.99)} ms (p99), ${at(1)} ms (all)`
}
for (const [index, { name, startedAt, acknowledgments, openings, statuses }] of phases.entries()) {
  const end = phases[index + 1]?.startedAt ?? endedAt
  console.log(`${name}, ${((end.getTime() - startedAt.getTime()) / 1000).toFixed(0)} s`)
  const acknowledged = acknowledgments.flatMap((ms) => ms ?? [])
  console.log(
    `  ${acknowledgments.length} commands, ${acknowledgments.length - acknowledged.length} not acknowledged, ${describe(acknowledged)}; ` +
      `${openings.filter((ms) => ms < 3000).length} forms opened within 3 s, ${describe(openings)}`,
  )
  console.log(
    `  ${statuses.length} requests to the service, ${statuses.filter((status) => status !== 200).length} failed`,
  )
  const posts = Array.from({ length: MAX_SECONDS * POSTS_A_SECOND }, (_, number) => number).filter(
    (number) => dueAt(number) >= startedAt && dueAt(number) < end,
  )
  const messages = telegram.sent.filter(({ text }) => posts.includes(numberOf(text)))
  const sent = new Set(messages.map(({ text }) => numberOf(text)))
  const late = messages.map(({ text, at }) => at.getTime() - dueAt(numberOf(text)).getTime())
  console.log(
    `  ${posts.length} posts due, ${sent.size} sent, ${messages.length - sent.size} again, late by ${describe(late)}`,
  )
}
for (const program of programs) if (program.errors()) console.log(program.errors())
for (const program of running) await program.stop('SIGTERM')
proxy.kill()
await slack.close()
await telegram.close()
await closeServer()
process.exit()
