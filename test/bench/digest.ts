import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebClient } from '@slack/web-api'
import { openLocalSlack } from 'local-slack'
import { openDatabase } from '../../src/database/database.ts'
import { systemRuntime } from '../../src/runtime.ts'
import { connectStore } from '../../src/store/connect.ts'
import { addDigest } from '../../src/store/digests.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { startTcpServer } from '../support/servers.ts'
import { median } from './load.ts'

/**
 * Digests that are all due in ten minutes, each in a workspace of its own, as one and as two whole instances hand them over
 * to the local Slack with its limits off, on one service and one database. Beside them, in the same rounds: the same
 * messages, so many at once, from a loop that does nothing else. Then what an instance asks of the database when there is
 * nothing to do.
 */
const DIGESTS = 400
const ROUNDS = 3
const AT_ONCE = 50
const IDLE_MS = 30_000
const TOKEN = 'a-token-for-measuring-and-nothing-else'

const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
await chmod(folder, 0o755) // as root, PostgreSQL runs as another account
const dataDir = join(folder, 'data')
const service = runProgram('dist/service/command-line.js', [], {
  DATA_DIR: dataDir,
  SERVICE_PORT: '0',
  API_TOKEN: TOKEN,
})
const [, serviceUrl = ''] = /service (http\S+)/.exec(await service.waitForLine('ready')) ?? []
const seed = join(folder, 'seed.yml')
const names = Array.from({ length: DIGESTS }, (_, index) => `channel-${index}`)
await writeFile(
  seed,
  JSON.stringify({
    team: { name: 'Bench', domain: 'bench' },
    people: [{ handle: 'ada', name: 'Ada', role: 'owner', tz: 'Europe/Berlin' }],
    channels: names.map((name) => ({ name, members: ['ada'], app: true })),
  }),
)
const slack = await openLocalSlack({
  manifest: resolve('manifest.yml'),
  runtime: systemRuntime,
  seed,
  disableRateLimits: true,
  onError: () => {},
})
const ada = slack.openSession('ada')
const channels = ada.state().channels.filter(({ name }) => name?.startsWith('channel-'))
const database = await openDatabase({ config: { DATA_DIR: dataDir }, onError: () => {}, randomBytes })
const db = await connectStore(database.pool)
const answer = await fetch(`${serviceUrl}/api/v1/projects`, { headers: { authorization: `Bearer ${TOKEN}` } })
const project_id = JSON.stringify(await answer.json()).match(/"Id":"([^"]+)"/)?.[1] ?? ''

/** Between an instance and the database, counting what it asks. */
let queries = 0
const real = new URL(database.pool.options.connectionString ?? '')
const between = await startTcpServer((near) => {
  const far = connect(Number(real.port), real.hostname)
  near.pipe(far).pipe(near)
  countQueries(near)
  for (const end of [near, far]) end.on('error', () => near.destroy())
})

/** PostgreSQL's messages are a letter and a length; Q is a simple query, E the execution of one. */
function countQueries(socket: Socket): void {
  let rest = Buffer.alloc(0)
  let isStarted = false
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      if (isStarted && 'QE'.includes(String.fromCharCode(rest[0] ?? 0))) queries += 1
      isStarted = true
      rest = rest.subarray(length)
    }
  })
}
const url = Object.assign(new URL(real), { host: new URL(between.url).host }).href

async function startInstance(): Promise<RunningProgram> {
  const instance = runProgram('dist/main.js', [], {
    DATABASE_URL: url,
    API_BASE_URL: serviceUrl,
    API_TOKEN: TOKEN,
    SLACK_BOT_TOKEN: slack.secrets.botToken,
    SLACK_APP_TOKEN: slack.secrets.appToken,
    SLACK_API_URL: slack.apiUrl,
    LOG_LEVEL: 'fatal',
  })
  await instance.waitForLine('ready')
  return instance
}

const PARTS = ['coming', 'published', 'drafts', 'wrong']

async function setUp(includes: string[]): Promise<void> {
  slack.controls.clearAppPayloads()
  const at = new Date(Date.now() + 10 * 60_000)
  for (let index = 0; index < DIGESTS; index++)
    await addDigest(db, {
      id: randomUUID(),
      team_id: `T${index}`,
      channel_id: channels[index]?.id ?? '',
      project_id,
      project_name: 'Northwind',
      rhythm: {
        days: { every: 'week', weekdays: [at.getUTCDay() || 7] },
        clock: { hour: 9, minute: 0 },
        zone: 'UTC',
      },
      includes,
      if_empty: 'say',
      set_by: ada.id,
      set_at: at,
      next_at: at,
    })
}

const taken = () =>
  slack.controls
    .appPayloads()
    .filter(({ name, problems }) => name === 'chat.scheduleMessage' && !problems.length)

/** How many a second, from the first to the last that Slack took. */
async function handedOver(): Promise<number> {
  while (taken().length < DIGESTS) await sleep(50)
  const times = taken().map(({ at }) => Date.parse(String(at)))
  return (DIGESTS - 1) / ((Math.max(...times) - Math.min(...times)) / 1000)
}

const client = new WebClient(slack.secrets.botToken, { slackApiUrl: slack.apiUrl })

/** The messages that Slack took last, once more. */
async function bareLoop(): Promise<number> {
  const messages = taken().map(({ body }) => Object(body))
  slack.controls.clearAppPayloads()
  const post_at = Math.floor(Date.now() / 1000) + 600
  const left = [...messages]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = left.pop(); one; one = left.pop()) {
        const { channel, text, blocks } = one
        await client.chat.scheduleMessage({ channel, text, blocks: JSON.parse(blocks), post_at })
      }
    }),
  )
  return handedOver()
}

const figures: Record<string, number[]> = {}
const note = (what: string, figure: number) => {
  figures[what] = [...(figures[what] ?? []), figure]
}

for (let round = 0; round < ROUNDS; round++) {
  for (const [count, kind, includes] of [
    [1, 'without pictures', PARTS],
    [2, 'without pictures', PARTS],
    [1, 'with pictures', [...PARTS, 'picture']],
    [2, 'with pictures', [...PARTS, 'picture']],
  ] as const) {
    const instances = await Promise.all(Array.from({ length: count }, startInstance))
    await setUp([...includes])
    note(`${count} ${count === 1 ? 'instance' : 'instances'}, ${kind}`, await handedOver())
    for (const instance of instances) await instance.stop('SIGTERM')
    await database.pool.query('delete from upnext.digest')
    if (count === 1 && kind === 'without pictures') note('a bare loop', await bareLoop())
  }
}

console.log(
  `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds of ${DIGESTS} digests\n`,
)
console.log('| | digests a second | of the bare loop |\n|---|--:|--:|')
const bare = median(figures['a bare loop'] ?? [])
for (const [what, some] of Object.entries(figures))
  console.log(`| ${what} | ${median(some).toFixed(1)} | ${((100 * median(some)) / bare).toFixed(1)} % |`)

const idle = await startInstance()
await sleep(10_000)
queries = 0
await sleep(IDLE_MS)
console.log(`\nan idle instance asks the database ${(queries / (IDLE_MS / 1000)).toFixed(1)} times a second`)
await idle.stop('SIGTERM')
await between.close()
await database.close()
await slack.close()
await service.stop('SIGTERM')
await rm(folder, { recursive: true, force: true })
process.exit()
