import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { saveWebhook } from '../../src/service/stores/projects-store.ts'
import { createTestClock, TEST_START, waitUntil } from '../support/clock.ts'
import { createDatabase } from '../support/database.ts'
import { runProgram } from '../support/run-program.ts'
import { startHttpServer } from '../support/servers.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { TEST_SECRET } from '../support/test-secret.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const HALF_HOUR_MS = 30 * 60_000
const SECRET = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`

const startService = async (options: Parameters<typeof startTestService>[0] = {}) => {
  const service = await startTestService({
    runtime: createTestClock().runtime,
    ...options,
    timing: { publishIntervalMs: 20, ...options.timing },
  })
  cleanups.push(service.stop)
  return service
}

const startReceiver = async (...[respond]: Parameters<typeof startHttpServer>) => {
  const receiver = await startHttpServer(respond)
  cleanups.push(receiver.close)
  return receiver
}

const addProjectWithWebhook = async (service: TestService, url: string) => {
  const project_id = await service.addProject()
  await saveWebhook(service.db, { project_id, url, secret: SECRET })
  return project_id
}

const addScheduledPosts = (service: TestService, project: string, posts: number, date = TEST_START) =>
  service.pool.query(
    `insert into service.post (project_id, content, platforms, status, schedule_date, timezone)
     select $1, 'post ' || n, array['X'], 'SCHEDULED', $3, 'UTC' from generate_series(1, $2::int) n`,
    [project, posts, date],
  )

const count = async (service: TestService, query: string): Promise<number> =>
  Number((await service.pool.query(`select count(*) as n from ${query}`)).rows[0].n)

const waitForCount = (service: TestService, query: string, expected: number) =>
  waitUntil(async () => (await count(service, query)) === expected)

const PUBLISHED_POSTS = "service.post where status = 'PUBLISHED'"
const WAITING_LOCKS =
  'pg_locks join pg_database on pg_database.oid = database where datname = current_database() and not granted'
const RETRYING_JOBS = 'service.job where problem is not null and lease is null'

const expectEachPublishedOnce = async (service: TestService, posts: number) => {
  expect(await count(service, PUBLISHED_POSTS)).toBe(posts)
  const entries = "service.log where action = 'post.published'"
  expect(await count(service, entries)).toBe(posts)
  expect(await count(service, `(select distinct target_id from ${entries}) entries`)).toBe(posts)
  const jobs = "service.job where kind = 'webhook'"
  expect(await count(service, jobs)).toBe(posts)
  expect(await count(service, `(select distinct data->'event'->'data'->>'Id' from ${jobs}) jobs`)).toBe(posts)
}

describe('publishing', () => {
  it('publishes and logs a due post, and sends it to the webhook as a signed event', async () => {
    const receiver = await startReceiver((_request, response) => response.end())
    const clock = createTestClock()
    let clockReads = 0
    const now = () => {
      clockReads++
      return clock.now()
    }
    const service = await startService({ runtime: { now } })
    const project = await addProjectWithWebhook(service, receiver.url)
    const editor = await service.addMember(project, 'EDITOR')
    const dueDate = new Date(TEST_START.getTime() + HALF_HOUR_MS)
    const json = {
      Content: 'Hi',
      ScheduleDate: dueDate.toISOString(),
      Timezone: 'Asia/Kolkata',
      Platforms: ['X'],
    }
    const created = await service.request('POST', `/api/v1/projects/${project}/posts`, { ...editor, json })
    const post = created.body.data

    // The publisher reads the clock once per check, so two reads mean that a whole check has passed.
    clock.advance(HALF_HOUR_MS - 1)
    const readsBefore = clockReads
    await waitUntil(() => clockReads >= readsBefore + 2)
    expect(await count(service, PUBLISHED_POSTS)).toBe(0)
    clock.advance(1)
    await waitUntil(() => receiver.received.length > 0)

    const [request] = receiver.received
    expect(JSON.parse(request?.body ?? '')).toEqual({
      type: 'post.published',
      timestamp: dueDate.toISOString(),
      data: {
        ...post,
        Status: 'PUBLISHED',
        PublishedAt: dueDate.toISOString(),
        Version: 2,
        Results: [
          {
            Platform: 'X',
            State: 'NOT_CONNECTED',
            Account: null,
            AccountId: null,
            Link: null,
            Error: null,
            At: dueDate.toISOString(),
          },
        ],
      },
    })
    // The library verifies timestamps against the real clock, so the test signs the request again instead.
    const headers = request?.headers as Record<string, string>
    const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(sentAt).toEqual(dueDate)
    expect(headers['webhook-signature']).toBe(
      new Webhook(SECRET).sign(headers['webhook-id'] ?? '', sentAt, request?.body ?? ''),
    )
    const logs = await service.request('GET', `/api/v1/projects/${project}/logs`, editor)
    expect(logs.body.data.Items[0]).toMatchObject({ Action: 'post.published', TargetId: post.Id })
  })

  it('publishes 2,000 due posts once each with two instances', async () => {
    const databaseUrl = await createDatabase()
    const { runtime } = createTestClock()
    const options = { databaseUrl, runtime }
    const [first] = await Promise.all([startService(options), startService(options)])
    const project = await addProjectWithWebhook(first, 'http://127.0.0.1:9')
    await addScheduledPosts(first, project, 2000)
    await waitForCount(first, PUBLISHED_POSTS, 2000)
    await expectEachPublishedOnce(first, 2000)
  })

  it('publishes each post once even if one of two instances is killed while publishing', async () => {
    // The posts aren't due yet for this instance, which only observes.
    const observer = await startService({ runtime: createTestClock(new Date(-1)).runtime })
    const project = await addProjectWithWebhook(observer, 'http://127.0.0.1:9')
    // The trigger makes both instances wait inside their transactions until the test releases the lock.
    const gate = await observer.pool.connect()
    cleanups.push(async () => gate.release(true))
    await gate.query(`
      create function service.wait_at_gate() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return null; end';
      create trigger gate after update on service.post for each row execute function service.wait_at_gate();
      select pg_advisory_lock(1)`)
    const instances = [1, 2].map(() =>
      runProgram('dist/service/command-line.js', [], {
        DATABASE_URL: observer.databaseUrl,
        SECRET_KEY: TEST_SECRET,
        SERVICE_PORT: '0',
      }),
    )
    cleanups.push(() => Promise.all(instances.map((instance) => instance.stop('SIGKILL'))))
    await Promise.all(instances.map((instance) => instance.waitForLine('ready')))
    // The instances run on the real clock, for which this date is always in the past.
    await addScheduledPosts(observer, project, 2000, new Date(0))
    await waitForCount(observer, WAITING_LOCKS, 2)

    await instances[0]?.stop('SIGKILL')
    expect(await count(observer, PUBLISHED_POSTS)).toBe(0)
    await gate.query('select pg_advisory_unlock(1)')
    await waitForCount(observer, PUBLISHED_POSTS, 2000)
    await expectEachPublishedOnce(observer, 2000)
    expect(await instances[1]?.stop('SIGTERM')).toBe(0)
  })

  it('publishes other posts while one instance hangs in its transaction', async () => {
    const databaseUrl = await createDatabase()
    const { runtime } = createTestClock()
    const options = { databaseUrl, runtime }
    const [observer] = await Promise.all([startService(options), startService(options)])
    const project = await observer.addProject()
    const gate = await observer.pool.connect()
    cleanups.push(async () => gate.release(true))
    await gate.query(`
      create function service.wait_at_gate() returns trigger language plpgsql as
        'begin if new.content = ''post 1'' then perform pg_advisory_xact_lock_shared(1); end if; return null; end';
      create trigger gate after update on service.post for each row execute function service.wait_at_gate();
      select pg_advisory_lock(1)`)
    await addScheduledPosts(observer, project, 1)
    const waiting = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await waitUntil(async () => (await count(observer, waiting)) > 0)

    const addPost = `insert into service.post (project_id, content, platforms, status, schedule_date, timezone)
      values ($1, 'another', array['X'], 'SCHEDULED', $2, 'UTC')`
    await observer.pool.query(addPost, [project, TEST_START])
    const isPublished = async () => (await count(observer, PUBLISHED_POSTS)) > 0
    await waitUntil(async () => (await isPublished()) || (await count(observer, waiting)) > 1)
    expect(await isPublished()).toBe(true)
  })
})

describe('webhook delivery', () => {
  it('retries a failed delivery with the same webhook-id', async () => {
    const receiver = await startReceiver(({ index }, response) =>
      response.writeHead(index === 0 ? 500 : 204).end(),
    )
    const service = await startService()
    await addScheduledPosts(service, await addProjectWithWebhook(service, receiver.url), 1)
    await waitForCount(service, RETRYING_JOBS, 1)
    await service.pool.query('update service.job set due_at = $1', [TEST_START])
    await waitUntil(() => receiver.received.length > 1)
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await waitForCount(service, 'service.job', 0)
  })

  it('gives up and logs a delivery that fails for more than a day', async () => {
    const receiver = await startReceiver((_request, response) => response.writeHead(503).end())
    const service = await startService()
    await addScheduledPosts(service, await addProjectWithWebhook(service, receiver.url), 1)
    await waitForCount(service, RETRYING_JOBS, 1)
    const waitedSeconds: number[] = []
    for (let attempt = 1; attempt < 14; attempt++) {
      await waitForCount(service, `service.job where attempts = ${attempt} and lease is null`, 1)
      const { rows } = await service.pool.query('select due_at from service.job')
      waitedSeconds.push((rows[0].due_at - +TEST_START) / 1000)
      await service.pool.query('update service.job set due_at = $1', [TEST_START])
    }
    expect(waitedSeconds.slice(0, 3)).toEqual([11, 22, 44])
    expect(waitedSeconds.reduce((sum, seconds) => sum + seconds)).toBeGreaterThan(24 * 3600)
    const failure =
      "service.log where action = 'webhook.failed' and level = 'ERROR' and message like '%14 attempts%503%'"
    await waitForCount(service, failure, 1)
  })

  it('does not delay a webhook while that of another project hangs', async () => {
    const hanging = await startReceiver(() => {})
    const healthy = await startReceiver((_request, response) => response.end())
    const service = await startService({ timing: { webhookTimeoutMs: 100 } })
    const hangingProject = await addProjectWithWebhook(service, hanging.url)
    const healthyProject = await addProjectWithWebhook(service, healthy.url)
    await addScheduledPosts(service, hangingProject, 60, new Date(0))
    await addScheduledPosts(service, healthyProject, 1)
    await waitUntil(() => healthy.received.length > 0)
    expect(hanging.received.length).toBeLessThan(60)
  })

  it('deletes a webhook that responds with 410 Gone', async () => {
    const receiver = await startReceiver((_request, response) => response.writeHead(410).end())
    const service = await startService()
    await addScheduledPosts(service, await addProjectWithWebhook(service, receiver.url), 1)
    await waitForCount(service, 'service.webhook', 0)
    await waitForCount(service, "service.log where action = 'webhook.deleted'", 1)
  })

  it('keeps a webhook that replaces one while it responds with 410 Gone, and sends it the next event', async () => {
    const successor = await startReceiver((_request, response) => response.end())
    const service = await startService()
    const receiver = await startReceiver(async (_request, response) => {
      await saveWebhook(service.db, { project_id, url: successor.url, secret: SECRET })
      response.writeHead(410).end()
    })
    const project_id = await addProjectWithWebhook(service, receiver.url)
    await addScheduledPosts(service, project_id, 1)
    await waitUntil(() => receiver.received.length > 0)
    await addScheduledPosts(service, project_id, 1)
    await waitUntil(() => successor.received.length > 0)
    expect(await count(service, "service.log where action = 'webhook.deleted'")).toBe(0)
  })

  it('does not follow a redirect', async () => {
    const target = await startReceiver((_request, response) => response.end())
    const receiver = await startReceiver((_request, response) =>
      response.writeHead(307, { location: target.url }).end(),
    )
    const service = await startService()
    await addScheduledPosts(service, await addProjectWithWebhook(service, receiver.url), 1)
    await waitForCount(service, "service.job where problem like '%307%'", 1)
    expect(target.received).toHaveLength(0)
  })

  it.each(['127.0.0.1', '0x7f.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0'])(
    'sends no events to a webhook at %s unless private addresses are allowed',
    async (hostname) => {
      const receiver = await startReceiver((_request, response) => response.end())
      const service = await startService({ publishing: { allowPrivateWebhooks: false } })
      const url = receiver.url.replace('127.0.0.1', hostname)
      await addScheduledPosts(service, await addProjectWithWebhook(service, url), 1)
      const failure = "problem like '%leads to a private address%'"
      await waitForCount(service, `service.job where ${failure}`, 1)
      expect(receiver.received).toHaveLength(0)
    },
  )

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '[fe80::1]',
    '[fd00::1]',
    '[64:ff9b::7f00:1]',
  ])('treats the address %s as private', async (hostname) => {
    const service = await startService({ publishing: { allowPrivateWebhooks: false } })
    await addScheduledPosts(service, await addProjectWithWebhook(service, `http://${hostname}/`), 1)
    const failure = "problem like '%leads to a private address%'"
    await waitForCount(service, `service.job where ${failure}`, 1)
  })
})
