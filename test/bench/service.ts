import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openEmbeddedServer } from '../../src/database/embedded-server.ts'
import { type RunningProgram, runProgram } from '../support/run-program.ts'
import { type Load, load, median, type Shot } from './load.ts'

/**
 * What a request costs in a project of a thousand, a hundred thousand and a million posts, each in a database of its
 * own, beside a bare node:http server. Rounds are interleaved, so that a noisy neighbour meets all of them alike.
 */
const SIZES = (process.argv[2] ?? '1000,100000,1000000').split(',').map(Number)
const ROUNDS = 5
const SECONDS = 2
const PROJECT = '00000000-0000-4000-8000-000000000001'
const TOKEN = 'a-token-for-the-bench'

const folder = await mkdtemp(join(tmpdir(), 'upnext-bench-'))
await chmod(folder, 0o755)
const postgres = await openEmbeddedServer(folder, randomBytes)
const programs: RunningProgram[] = []
try {
  const bare = await startBare()
  const services = await Promise.all(SIZES.map(async (size) => ({ size, url: await startService(size) })))

  const shots = services.flatMap(({ size, url }) =>
    Object.entries(requests(url)).map(([name, shot]) => ({ name, size, shot, loads: [] as Load[] })),
  )
  const baseline = { name: 'bare node:http', size: 0, shot: bare, loads: [] as Load[] }
  for (let round = 0; round < ROUNDS; round++)
    for (const { shot, size, loads } of [baseline, ...shots]) {
      loads.push(await load(shot, SECONDS))
      if (shot.method === 'POST') await removeCreated(size)
    }

  const of = (loads: Load[], figure: keyof Load) => median(loads.map((load) => load[figure]))
  console.log(
    `\n${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; medians of ${ROUNDS} rounds, 8 connections`,
  )
  console.log(
    '\n| request | posts in the project | requests a second | p50 ms | p99 ms | of the bare server | p50, times that at the fewest posts |',
  )
  console.log('|---|--:|--:|--:|--:|--:|--:|')
  for (const { name, size, loads } of [baseline, ...shots]) {
    const fewest = shots.find((other) => other.name === name && other.size === SIZES[0])
    const times = fewest ? (of(loads, 'p50') / of(fewest.loads, 'p50')).toFixed(2) : ''
    const share = `${((100 * of(loads, 'perSecond')) / of(baseline.loads, 'perSecond')).toFixed(1)} %`
    const figures = [
      of(loads, 'perSecond').toFixed(0),
      of(loads, 'p50').toFixed(2),
      of(loads, 'p99').toFixed(2),
    ]
    console.log(`| ${[name, size ? size.toLocaleString('en') : '', ...figures, share, times].join(' | ')} |`)
  }
} finally {
  await Promise.all(programs.map((program) => program.stop('SIGTERM')))
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

function requests(url: string): Record<string, Shot> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const get = (path: string): Shot => ({
    method: 'GET',
    url: `${url}/api/v1/projects/${PROJECT}${path}`,
    headers,
    expect: 200,
  })
  const body = JSON.stringify({
    Content: 'A post of the bench',
    ScheduleDate: '2098-01-01T09:00:00+01:00',
    Timezone: 'Europe/Berlin',
    Platforms: ['X', 'LINKEDIN'],
    Status: 'SCHEDULED',
  })
  return {
    'List Posts, first page': get('/posts?limit=20'),
    'List Posts, filtered': get(
      '/posts?limit=20&status=SCHEDULED&platforms=X&platforms=LINKEDIN&schedule_date_from=2030-01-01',
    ),
    'Get Upnext Post': get('/dashboard/upnext-post'),
    'Create Post': {
      method: 'POST',
      url: `${url}/api/v1/projects/${PROJECT}/posts`,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      expect: 201,
    },
  }
}

async function startBare(): Promise<Shot> {
  const server = runProgram(join(import.meta.dirname, '../../node_modules/tsx/dist/cli.mjs'), [
    join(import.meta.dirname, 'bare-server.ts'),
  ])
  programs.push(server)
  const { port } = JSON.parse((await server.waitForLine('ready')).slice('ready '.length))
  return { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, expect: 200 }
}

function databaseOf(size: number): string {
  return new URL(`/posts_${size}`, postgres.url).href
}

async function startService(size: number): Promise<string> {
  const admin = new pg.Client(postgres.url)
  await admin.connect()
  await admin.query(`create database posts_${size}`)
  await admin.end()
  const env = { DATABASE_URL: databaseOf(size), SERVICE_PORT: '0', LOG_LEVEL: 'error' }
  const service = runProgram('dist/service/command-line.js', [], env)
  programs.push(service)
  const ready = await service.waitForLine('ready')
  await fill(databaseOf(size), size)
  return /http:\/\/\S+/.exec(ready)?.[0] ?? ''
}

/** What Create Post added would make of a thousand posts many thousands. */
async function removeCreated(size: number): Promise<void> {
  const db = new pg.Client(databaseOf(size))
  await db.connect()
  await db.query("delete from service.post where content = 'A post of the bench'")
  await db.query('truncate service.log')
  await db.query('vacuum analyze service.post')
  await db.end()
}

/** Nine in ten published, the others scheduled or drafts; one to three platforms each. */
async function fill(url: string, size: number): Promise<void> {
  const db = new pg.Client(url)
  await db.connect()
  await db.query(`insert into service.project (id, name) values ('${PROJECT}', 'Bench')`)
  await db.query(`
    with person as (insert into service.person (email) values ('bench@upnext.example') returning id),
    member as (
      insert into service.project_user (project_id, user_id, role, status)
      select '${PROJECT}', id, 'ADMIN', 'ACTIVE' from person
    )
    insert into service.token (user_id, hash, label) select id, sha256('${TOKEN}'), 'bench' from person`)
  await db.query(`
    insert into service.post (project_id, content, timezone, status, schedule_date, platforms)
    select '${PROJECT}', 'Post number ' || n || ', with about as many words as such posts have on most days.', 'Europe/Berlin', status,
      case when status = 'PUBLISHED' then timestamptz '2026-01-01' - n * interval '1 minute'
           else timestamptz '2031-01-01' + n * interval '1 minute' end,
      (array['X','LINKEDIN','INSTAGRAM','FACEBOOK','THREADS','TIKTOK','YOUTUBE','REDDIT','TELEGRAM','PINTEREST'])[n % 10 + 1 : n % 10 + 1 + n % 3]
    from generate_series(1, ${size}) n,
      lateral (select case n % 20 when 0 then 'SCHEDULED' when 1 then 'SCHEDULED' when 2 then 'DRAFT' else 'PUBLISHED' end as status) s`)
  await db.query('vacuum analyze service.post')
  await db.end()
}
