import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openSharedServer } from '../../src/database/shared-server.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { TEST_SECRET } from '../support/test-secret.ts'
import { type Load, type MeasuredRequest, measureLoad, median } from './load.ts'

/**
 * Measures requests in projects of three sizes, each in its own database. The baselines are a floor with the same SQL
 * and a minimal node:http server. The rounds are interleaved, so that other load affects all of them equally.
 */
const SIZES = (process.argv[2] ?? '1000,100000,1000000').split(',').map(Number)
const ROUNDS = 5
const SECONDS_PER_ROUND = 2
const PROJECT_ID = '00000000-0000-4000-8000-000000000001'
const TOKEN = 'a-token-for-the-bench'
const POST = JSON.stringify({
  Content: 'A post of the bench',
  ScheduleDate: '2098-01-01T09:00:00+01:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X', 'LINKEDIN'],
  Status: 'SCHEDULED',
})
const CHANGES = ['PUT', 'DELETE']
/** More than a round can change. */
const POSTS_TO_CHANGE = 20_000
/** Posts of the first version, by the size of their project. Each request takes another one. */
const unchangedPosts = new Map<number, string[]>()

type Measured = { request: MeasuredRequest; loads: Load[] }
type Measurement = Measured & { name: string; size: number; floor?: Measured }

const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
await chmod(folder, 0o755)
const postgres = await openSharedServer(folder, randomBytes)
const programs: RunningProgram[] = []
try {
  const bareUrl = await startBaseline('bare-server.ts')
  const measurements: Measurement[] = []
  for (const size of SIZES) {
    const url = await startService(size)
    const floorUrl = await startBaseline('floor.ts', databaseUrl(size), PROJECT_ID)
    const floors = createFloorRequests(floorUrl, size)
    for (const [name, request] of Object.entries(createRequests(url, size))) {
      const floorRequest = floors[name]
      if (floorRequest)
        measurements.push({ name, size, request, loads: [], floor: { request: floorRequest, loads: [] } })
    }
  }
  const bareRequest: MeasuredRequest = { method: 'GET', url: bareUrl, headers: {}, expectedStatus: 200 }
  const baseline: Measurement = { name: 'bare node:http', size: 0, request: bareRequest, loads: [] }
  for (let round = 0; round < ROUNDS; round++)
    for (const { size, floor, ...ours } of [baseline, ...measurements])
      for (const { request, loads } of [ours, ...(floor ? [floor] : [])]) {
        const { method } = ours.request
        if (CHANGES.includes(method)) await addPostsToChange(size)
        loads.push(await measureLoad(request, SECONDS_PER_ROUND))
        if (method !== 'GET') await deleteCreatedPosts(size)
      }

  const medianOf = (loads: Load[], figure: keyof Load) => median(loads.map((load) => load[figure]))
  console.log(
    `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds, 8 connections`,
  )
  console.log(
    '\n| request | posts in the project | requests/s | p50 ms | p99 ms | floor, requests/s | share of floor | p50 relative to smallest project |',
  )
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|')
  for (const { name, size, loads, floor } of [baseline, ...measurements]) {
    const smallest = measurements.find((candidate) => candidate.name === name && candidate.size === SIZES[0])
    const ratio = smallest ? (medianOf(loads, 'p50') / medianOf(smallest.loads, 'p50')).toFixed(2) : ''
    const floorPerSecond = floor && medianOf(floor.loads, 'perSecond')
    const shares =
      floor?.loads.map(({ perSecond }, round) => (loads[round]?.perSecond ?? 0) / perSecond) ?? []
    const share = shares.length ? `${(100 * median(shares)).toFixed(0)} %` : ''
    const figures = [
      medianOf(loads, 'perSecond').toFixed(0),
      medianOf(loads, 'p50').toFixed(2),
      medianOf(loads, 'p99').toFixed(2),
    ]
    console.log(
      `| ${[name, size ? size.toLocaleString('en') : '', ...figures, floorPerSecond?.toFixed(0) ?? '', share, ratio].join(' | ')} |`,
    )
  }
} finally {
  await Promise.all(programs.map((program) => program.stop('SIGTERM')))
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

function createRequests(url: string, size: number): Record<string, MeasuredRequest> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const get = (path: string): MeasuredRequest => ({
    method: 'GET',
    url: `${url}/api/v1/projects/${PROJECT_ID}${path}`,
    headers,
    expectedStatus: 200,
  })
  const nextPostUrl = () =>
    `${url}/extensions/v1/projects/${PROJECT_ID}/posts/${unchangedPosts.get(size)?.pop()}`
  return {
    'List Posts, first page': get('/posts?limit=20'),
    'List Posts, filtered': get(
      '/posts?limit=20&status=SCHEDULED&platforms=X&platforms=LINKEDIN&schedule_date_from=2030-01-01',
    ),
    'Get Upnext Post': get('/dashboard/upnext-post'),
    'Create Post': {
      method: 'POST',
      url: `${url}/api/v1/projects/${PROJECT_ID}/posts`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: POST,
      expectedStatus: 201,
    },
    'Update Post': {
      method: 'PUT',
      url: nextPostUrl,
      headers: { ...headers, 'content-type': 'application/json', 'if-match': '"1"' },
      body: POST,
      expectedStatus: 200,
    },
    'Delete Post': {
      method: 'DELETE',
      url: nextPostUrl,
      headers: { ...headers, 'if-match': '"1"' },
      expectedStatus: 200,
    },
  }
}

/** The same requests to the floor, by their names. */
function createFloorRequests(url: string, size: number): Record<string, MeasuredRequest> {
  const get = (path: string): MeasuredRequest => ({
    method: 'GET',
    url: `${url}/${path}`,
    headers: {},
    expectedStatus: 200,
  })
  const change = (path: () => string, body = ''): MeasuredRequest => ({
    method: 'POST',
    url: () => `${url}/${path()}`,
    headers: {},
    body,
    expectedStatus: 200,
  })
  const nextId = () => unchangedPosts.get(size)?.pop()
  return {
    'List Posts, first page': get('list'),
    'List Posts, filtered': get('filtered'),
    'Get Upnext Post': get('next'),
    'Create Post': change(() => 'create', POST),
    'Update Post': change(() => `update/${nextId()}`, POST),
    'Delete Post': change(() => `delete/${nextId()}`),
  }
}

async function startBaseline(file: string, ...args: string[]): Promise<string> {
  const tsx = join(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs')
  const server = runProgram(tsx, [join(import.meta.dirname, file), ...args])
  programs.push(server)
  const { port } = JSON.parse((await server.waitForLine('ready')).slice('ready '.length))
  return `http://127.0.0.1:${port}`
}

function databaseUrl(size: number): string {
  return new URL(`/posts_${size}`, postgres.url).href
}

async function startService(size: number): Promise<string> {
  const admin = new pg.Client({ ...postgres.superuser, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database posts_${size} owner ${new URL(postgres.url).username}`)
  await admin.end()
  const env = {
    DATABASE_URL: databaseUrl(size),
    SECRET_KEY: TEST_SECRET,
    SERVICE_PORT: '0',
    LOG_LEVEL: 'error',
    SERVICE_REQUESTS_PER_MINUTE: '0',
  }
  const service = runProgram('dist/service/command-line.js', [], env)
  programs.push(service)
  const ready = await service.waitForLine('ready')
  await addPosts(databaseUrl(size), size)
  return /http:\/\/\S+/.exec(ready)?.[0] ?? ''
}

/** Otherwise, the posts that Create Post adds would multiply the smallest project. */
async function deleteCreatedPosts(size: number): Promise<void> {
  const db = new pg.Client(databaseUrl(size))
  await db.connect()
  await db.query("delete from service.post where content = 'A post of the bench'")
  await db.query('truncate service.log')
  await db.query('vacuum analyze service.post')
  await db.end()
}

async function addPostsToChange(size: number): Promise<void> {
  const db = new pg.Client(databaseUrl(size))
  await db.connect()
  const { rows } = await db.query(`
    insert into service.post (project_id, content, timezone, status, schedule_date, platforms)
    select '${PROJECT_ID}', 'A post of the bench', 'Europe/Berlin', 'SCHEDULED', timestamptz '2098-01-01', array['X']
    from generate_series(1, ${POSTS_TO_CHANGE}) returning id`)
  await db.query('vacuum analyze service.post')
  await db.end()
  unchangedPosts.set(
    size,
    rows.map(({ id }) => id),
  )
}

/** 85% of the posts are published, 10% scheduled and 5% drafts. Each has one to three platforms. */
async function addPosts(url: string, size: number): Promise<void> {
  const db = new pg.Client(url)
  await db.connect()
  await db.query(`insert into service.project (id, name) values ('${PROJECT_ID}', 'Bench')`)
  await db.query(`
    with person as (insert into service.person (email) values ('bench@upnext.example') returning id),
    member as (
      insert into service.project_user (project_id, user_id, role, status)
      select '${PROJECT_ID}', id, 'ADMIN', 'ACTIVE' from person
    )
    insert into service.token (user_id, hash, label) select id, sha256('${TOKEN}'), 'bench' from person`)
  await db.query(`
    insert into service.post (project_id, content, timezone, status, schedule_date, platforms)
    select '${PROJECT_ID}', 'Post number ' || n || ', with about as many words as such posts have on most days.', 'Europe/Berlin', status,
      case when status = 'PUBLISHED' then timestamptz '2026-01-01' - n * interval '1 minute'
           else timestamptz '2031-01-01' + n * interval '1 minute' end,
      (array['X','LINKEDIN','INSTAGRAM','FACEBOOK','THREADS','TIKTOK','YOUTUBE','REDDIT','TELEGRAM','PINTEREST'])[n % 10 + 1 : n % 10 + 1 + n % 3]
    from generate_series(1, ${size}) n,
      lateral (select case n % 20 when 0 then 'SCHEDULED' when 1 then 'SCHEDULED' when 2 then 'DRAFT' else 'PUBLISHED' end as status) s`)
  await db.query('vacuum analyze service.post')
  await db.end()
}
