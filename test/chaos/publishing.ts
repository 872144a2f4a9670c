import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/database/database.ts'
import { addMs, systemRuntime } from '../../src/runtime.ts'
import { connectAccount, saveAccount } from '../../src/service/stores/accounts-store.ts'
import { openServiceDatabase } from '../../src/service/stores/database.ts'
import { findOrCreatePerson, insertProjectUser } from '../../src/service/stores/people-store.ts'
import { insertPost } from '../../src/service/stores/posts-store.ts'
import { insertProject } from '../../src/service/stores/projects-store.ts'
import type { PublishResult } from '../../src/service/stores/tables.ts'
import { saveToken } from '../../src/service/stores/tokens-store.ts'
import type { Platform } from '../../src/service/values.ts'
import { startFakePostiz } from '../support/fake-postiz.ts'
import { startFakeTelegram } from '../support/fake-telegram.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { createSeededRandom } from '../support/seeded-random.ts'

/**
 * Two instances of the service publish many posts on three platforms, and are killed every few seconds. Every fourth request
 * to a network fails in some way, and the response to every tenth is lost after it has taken effect. Meanwhile, people edit
 * and cancel posts that are about to go out. Checks that each post is out once on each platform, or that a person is asked.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    posts: { type: 'string', default: '500' },
    /** Over how many seconds the posts' dates are spread. */
    seconds: { type: 'string', default: '60' },
    /** How many of the posts someone edits or cancels close to their dates. */
    changes: { type: 'string', default: '100' },
  },
})
const seed = Number(values.seed)
const [postCount, seconds, changeCount] = [values.posts, values.seconds, values.changes].map(Number) as [
  number,
  number,
  number,
]
console.log(
  `npm run chaos:publishing -- --seed ${seed} --posts ${postCount} --seconds ${seconds} --changes ${changeCount}`,
)
const random = createSeededRandom(seed)
const PLATFORMS: Platform[] = ['TELEGRAM', 'X', 'LINKEDIN']
const FAULTY_REQUESTS = 0.25
const LOST_ANSWERS = 0.1
const MEAN_LIFE_MS = 4000
const MAX_WAIT_MS = 10 * 60_000
const BOT_TOKEN = '123456:token-of-the-chaos-bot'
const CHAT = -1001234567890

const decideFault = () => {
  if (random.next() < LOST_ANSWERS) return { kind: 'lost' as const }
  if (random.next() >= FAULTY_REQUESTS) return undefined
  return random.oneOf([
    { kind: 'dropped' as const },
    { kind: 'status' as const, status: 429, description: 'Too Many Requests: retry after 1', retryAfter: 1 },
    { kind: 'status' as const, status: 502, body: '<h1>Bad Gateway</h1>', contentType: 'text/html' },
    { kind: 'status' as const, status: 503, body: '<h1>Try later</h1>', contentType: 'text/html' },
  ])
}

const telegram = await startFakeTelegram()
telegram.addBot({ token: BOT_TOKEN, username: 'chaos_bot' })
telegram.addChat({ id: CHAT, type: 'channel', title: 'Chaos', botStatus: 'administrator', canPost: true })
telegram.plan(decideFault)
const postiz = await startFakePostiz({ autoPublish: true, limit: 1_000_000 })
const channels = [postiz.addChannel({ identifier: 'x' }), postiz.addChannel({ identifier: 'linkedin' })]
postiz.plan(decideFault)

const folder = await mkdtemp(join(tmpdir(), 'upnext-chaos-'))
await chmod(folder, 0o755)
const database = await openDatabase({
  config: { DATA_DIR: folder, SECRET_KEY: [] },
  onError: () => {},
  runtime: systemRuntime,
})
const db = await openServiceDatabase(database)
const project_id = (await insertProject(db, 'Chaos'))?.id ?? ''
const person = await findOrCreatePerson(db, 'editor@upnext.example')
const names = { first_name: null, last_name: null, phone_number: null }
await insertProjectUser(db, { project_id, user_id: person.id, role: 'EDITOR', status: 'ACTIVE', ...names })
const token = 'the-token-of-the-chaos-editor'
await saveToken(db, { user_id: person.id, token, label: 'chaos' })
const accounts = [
  {
    platform: 'TELEGRAM' as const,
    publisher: 'TELEGRAM' as const,
    target: String(CHAT),
    credentials: BOT_TOKEN,
  },
  ...channels.map(({ id }, index) => ({
    platform: PLATFORMS[index + 1] ?? 'X',
    publisher: 'POSTIZ' as const,
    target: id,
    credentials: null,
  })),
]
for (const account of accounts)
  await connectAccount(
    db,
    await saveAccount(db, { ...account, project_id, name: 'Chaos', settings: '{}', checked_at: new Date() }),
  )

const start = addMs(new Date(), 8000)
/** The text that each post has, as far as its last confirmed change. Cancelled posts are removed. */
const expected = new Map<string, Set<string>>()
const dates = new Map<string, Date>()
for (let index = 0; index < postCount; index++) {
  const content = `Post ${index} <&> 🚀\nsecond line`
  const schedule_date = addMs(start, Math.floor((index / postCount) * seconds) * 1000)
  const row = {
    project_id,
    content,
    schedule_date,
    timezone: 'UTC',
    platforms: PLATFORMS,
    status: 'SCHEDULED' as const,
  }
  const { id } = await insertPost(db, row)
  expected.set(id, new Set([content]))
  dates.set(id, schedule_date)
}

const env = {
  DATA_DIR: folder,
  SERVICE_PORT: '0',
  SERVICE_REQUESTS_PER_MINUTE: '0',
  TELEGRAM_API_URL: telegram.url,
  POSTIZ_URL: postiz.url,
  POSTIZ_API_KEY: postiz.key,
  LOG_LEVEL: 'fatal',
}
const urls: (string | undefined)[] = []
const programs: RunningProgram[] = []
let isStopping = false
let kills = 0
async function keepRunning(index: number): Promise<void> {
  while (!isStopping) {
    const program = runProgram('dist/service/command-line.js', [], env)
    programs[index] = program
    urls[index] = await program
      .waitForLine('ready')
      .then((line) => /service (http\S+)/.exec(line)?.[1])
      .catch(() => undefined)
    await program.exitCode
    urls[index] = undefined
  }
}
const loops = [0, 1].map(keepRunning)

async function killUntil(end: Date): Promise<void> {
  while (new Date() < end) {
    await sleep(-Math.log(1 - random.next()) * MEAN_LIFE_MS)
    const index = random.below(2)
    if (!urls[index]) continue
    await programs[index]?.stop('SIGKILL')
    kills++
  }
}

/** Edits or cancels posts from three seconds before their dates to one second after. */
async function changePosts(): Promise<{ edited: number; cancelled: number; refused: number }> {
  const counts = { edited: 0, cancelled: 0, refused: 0 }
  const ids = [...dates.keys()].filter(() => random.next() < changeCount / postCount)
  const change = async (id: string) => {
    const at = addMs(dates.get(id) ?? start, random.below(4000) - 3000)
    await sleep(Math.max(0, at.getTime() - Date.now()))
    const url = urls[random.below(2)] ?? urls[0] ?? urls[1]
    if (!url) return
    const path = `${url}/extensions/v1/projects/${project_id}/posts/${id}`
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    try {
      const current = await fetch(path, { headers })
      const etag = current.headers.get('etag') ?? ''
      const isCancelled = random.next() < 0.5
      const Content = `Edited ${id}`
      const body = {
        Content,
        ScheduleDate: addMs(new Date(), 3000).toISOString(),
        Timezone: 'UTC',
        Platforms: PLATFORMS,
      }
      // Without a response, either text may go out.
      if (isCancelled) expected.get(id)?.add('nothing')
      else expected.get(id)?.add(Content)
      const response = await fetch(path, {
        method: isCancelled ? 'DELETE' : 'PUT',
        headers: { ...headers, 'if-match': etag },
        ...(!isCancelled && { body: JSON.stringify(body) }),
      })
      if (!response.ok) counts.refused++
      else if (isCancelled) counts.cancelled++
      else counts.edited++
      if (response.ok) expected.set(id, new Set([isCancelled ? 'nothing' : Content]))
      else if (response.status < 500) expected.get(id)?.delete(isCancelled ? 'nothing' : Content)
    } catch {
      // The instance was killed. What it did isn't known.
    }
  }
  await Promise.all(ids.map(change))
  return counts
}

const [changes] = await Promise.all([changePosts(), killUntil(addMs(start, (seconds + 5) * 1000))])

const countOpen = async () => {
  const open = db.selectFrom('post').select('id').where('status', '=', 'SCHEDULED')
  return (await open.execute()).length
}
/** Posts whose response was lost are looked up for ten minutes, so the run moves what they wait for into the past. */
async function skipWaiting(): Promise<void> {
  await database.pool.query(
    `update service.post set results = (
       select jsonb_agg(case when r ? 'sent_at' then r || jsonb_build_object('sent_at',
         to_char((r->>'sent_at')::timestamptz at time zone 'UTC' - interval '11 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         else r end) from jsonb_array_elements(results) r)
     where status = 'SCHEDULED' and results is not null`,
  )
  await database.pool.query("update service.job set due_at = now() where kind = 'confirm publication'")
}
const deadline = Date.now() + MAX_WAIT_MS
let quietSince = Date.now()
let before = await countOpen()
while ((await countOpen()) && Date.now() < deadline) {
  await sleep(1000)
  const open = await countOpen()
  if (open !== before) quietSince = Date.now()
  before = open
  const publishing = await database.pool.query("select count(*) as n from service.job where kind = 'publish'")
  if (Date.now() - quietSince > 5000 && Number(publishing.rows[0].n) === 0) await skipWaiting()
}

const posts = await db.selectFrom('post').selectAll().execute()
const outOn: Record<string, string[]> = {
  TELEGRAM: telegram.sent.map(({ text }) => text),
  X: postiz.posts.filter(({ channel }) => channel === channels[0]).map(({ published }) => published),
  LINKEDIN: postiz.posts.filter(({ channel }) => channel === channels[1]).map(({ published }) => published),
}
const violations: string[] = []
const counts = { published: 0, failed: 0, asked: 0, 'asked although it is out': 0 }
for (const [id, texts] of expected) {
  const post = posts.find((post) => post.id === id)
  const own = (text: string) => texts.has(text) || text === `Edited ${id}` || text.startsWith(originalOf(id))
  for (const platform of PLATFORMS) {
    const out = (outOn[platform] ?? []).filter(own)
    const wrong = out.filter((text) => !texts.has(text))
    const result = post?.results?.find((result: PublishResult) => result.platform === platform)
    if (wrong.length)
      violations.push(`${id} on ${platform}: "${wrong[0]}" is out, but was replaced or cancelled`)
    if (out.length > 1) violations.push(`${id} on ${platform} is out ${out.length} times`)
    if (!post) {
      if (!texts.has('nothing')) violations.push(`${id} is gone`)
      if (out.length) violations.push(`${id} on ${platform} is out, but was cancelled`)
    } else if (!result) violations.push(`${id} on ${platform} has no result`)
    else if (result.state === 'PUBLISHED') {
      counts.published++
      if (out.length !== 1) violations.push(`${id} on ${platform} is PUBLISHED, but out ${out.length} times`)
    } else if (result.state === 'FAILED') {
      counts.failed++
      if (out.length) violations.push(`${id} on ${platform} FAILED, but is out`)
    } else if (result.state === 'UNKNOWN') {
      counts.asked++
      if (out.length) counts['asked although it is out']++
    } else violations.push(`${id} on ${platform} is still ${result.state}`)
  }
}

function originalOf(id: string): string {
  const index = [...dates.keys()].indexOf(id)
  return `Post ${index} <`
}

const lateness = telegram.sent
  .flatMap(({ text, at }) => {
    const id = [...expected].find(([, texts]) => texts.has(text))?.[0]
    const date = id && dates.get(id)
    return date ? at.getTime() - date.getTime() : []
  })
  .sort((a, b) => a - b)
console.log({ kills, changes, ...counts, medianLatenessMs: lateness[Math.floor(lateness.length / 2)] })
isStopping = true
await Promise.all(programs.map((program) => program.stop('SIGTERM')))
await Promise.all(loops)
await database.close()
await telegram.close()
await postiz.close()
await rm(folder, { recursive: true, force: true })
for (const violation of violations.slice(0, 20)) console.log(`violation: ${violation}`)
console.log(
  violations.length ? `${violations.length} violations` : 'Every post is out once, or a person is asked.',
)
process.exit(violations.length ? 1 : 0)
