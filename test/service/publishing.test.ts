import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { saveWebhook } from '../../src/service/stores/webhooks-store.ts'
import { createDatabase } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type Running, run } from '../support/service-process.ts'
import { httpServer, type Listening } from '../support/sockets.ts'

const cleanUps: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})
const children: Running[] = []
afterAll(() => {
  for (const child of children) child.process.kill('SIGKILL')
})

const started = async (options: Parameters<typeof startTestService>[0] = {}) => {
  const service = await startTestService(options)
  cleanUps.push(service.stop)
  return service
}
const listening = <T extends Listening>(server: T): T => {
  cleanUps.push(server.close)
  return server
}

const until = async (isSo: () => Promise<boolean> | boolean) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

const addPosts = (service: TestService, project: string, count: number, at: Date) =>
  service.pool.query(
    `insert into service.post (project_id, content, platforms, status, schedule_date, timezone)
     select $1, 'post ' || n, array['X'], 'SCHEDULED', $3, 'UTC' from generate_series(1, $2::int) n`,
    [project, count, at],
  )

const count = async (service: TestService, query: string): Promise<number> =>
  Number((await service.pool.query(`select count(*) as n from ${query}`)).rows[0].n)

const published = (service: TestService) => count(service, "service.post where status = 'PUBLISHED'")

const expectEachOnce = async (service: TestService, posts: number) => {
  expect(await published(service)).toBe(posts)
  const logged = "service.log where action = 'post.published'"
  expect(await count(service, logged)).toBe(posts)
  expect(await count(service, `(select distinct target_id from ${logged}) each_one`)).toBe(posts)
  const delivered = "service_jobs.job where name = 'deliver-webhook'"
  expect(await count(service, delivered)).toBe(posts)
  expect(
    await count(service, `(select distinct data->'event'->'data'->>'Id' from ${delivered}) each_one`),
  ).toBe(posts)
}

describe('a post that comes due', () => {
  it('is published, logged and told to the webhook, signed', async () => {
    const receiver = listening(await httpServer((_request, response) => response.end()))
    let now = new Date('2026-11-20T12:00:00Z')
    const service = await started({ runtime: { now: () => now } })
    const project = await service.addProject()
    const editor = await service.addMember(project, 'EDITOR')
    const secret = `whsec_${Buffer.from('a secret of 24 bytes....').toString('base64')}`
    await saveWebhook(service.db, { project_id: project, url: receiver.url, secret })
    const json = {
      Content: 'Hi',
      ScheduleDate: '2026-11-20T12:30:00Z',
      Timezone: 'Asia/Kolkata',
      Platforms: ['X'],
    }
    const { data } = (await service.request('POST', `/api/v1/projects/${project}/posts`, { ...editor, json }))
      .body

    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(await published(service)).toBe(0)
    now = new Date('2026-11-20T12:30:00Z')
    await until(() => receiver.received.length > 0)

    const [request] = receiver.received
    const event = JSON.parse(request?.body ?? '')
    expect(event).toEqual({
      type: 'post.published',
      timestamp: now.toISOString(),
      data: { ...data, Status: 'PUBLISHED', PublishedAt: now.toISOString() },
    })
    // The library refuses timestamps that are far from its own clock, and this one is ours: sign it again instead.
    const headers = request?.headers as Record<string, string>
    const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
    expect(sent).toEqual(now)
    expect(headers['webhook-signature']).toBe(
      new Webhook(secret).sign(headers['webhook-id'] ?? '', sent, request?.body ?? ''),
    )
    const logs = await service.request('GET', `/api/v1/projects/${project}/logs`, editor)
    expect(logs.body.data.Items[0]).toMatchObject({ Action: 'post.published', TargetId: data.Id })
  })

  it('is told again, under the same id, to a webhook that failed', async () => {
    const receiver = listening(
      await httpServer(({ count }, response) => response.writeHead(count === 0 ? 500 : 204).end()),
    )
    const service = await started()
    const project = await service.addProject()
    await saveWebhook(service.db, { project_id: project, url: receiver.url, secret: 'whsec_YQ==' })
    await addPosts(service, project, 1, new Date())
    await until(() => receiver.received.length > 0)
    await until(async () => (await count(service, "service_jobs.job where state = 'retry'")) === 1)
    await service.pool.query('update service_jobs.job set start_after = now()')
    await until(() => receiver.received.length > 1)
    const [first, second] = receiver.received
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    await until(async () => (await count(service, "service_jobs.job where state = 'completed'")) === 1)
  })

  it('is given up on after a day of tries, and the log says so', async () => {
    const receiver = listening(await httpServer((_request, response) => response.writeHead(503).end()))
    const service = await started()
    const project = await service.addProject()
    await saveWebhook(service.db, { project_id: project, url: receiver.url, secret: 'whsec_YQ==' })
    await addPosts(service, project, 1, new Date())
    await until(async () => (await count(service, "service_jobs.job where state = 'retry'")) === 1)
    const { rows } = await service.pool.query(
      'select retry_limit, retry_delay, retry_backoff from service_jobs.job',
    )
    const [{ retry_limit, retry_delay, retry_backoff }] = rows
    expect(retry_backoff).toBe(true)
    expect(retry_delay * (2 ** retry_limit - 1)).toBeGreaterThan(24 * 3600) // without the jitter, which only adds

    await service.pool.query('update service_jobs.job set start_after = now(), retry_count = retry_limit - 1')
    const gaveUp =
      "service.log where action = 'webhook.failed' and level = 'ERROR' and message like '%14 tries%503%'"
    await until(async () => (await count(service, gaveUp)) === 1)
  })

  it('reaches its webhook though that of another project hangs', async () => {
    const hanging = listening(await httpServer(() => {}))
    const healthy = listening(await httpServer((_request, response) => response.end()))
    const service = await started()
    const [one, other] = [await service.addProject(), await service.addProject()]
    await saveWebhook(service.db, { project_id: one, url: hanging.url, secret: 'whsec_YQ==' })
    await saveWebhook(service.db, { project_id: other, url: healthy.url, secret: 'whsec_YQ==' })
    await addPosts(service, one, 60, new Date(0))
    await addPosts(service, other, 1, new Date())
    await until(() => healthy.received.length > 0)
    expect(hanging.received.length).toBeLessThan(60)
  }, 45_000)

  it('is told no more to a receiver that is gone', async () => {
    const receiver = listening(await httpServer((_request, response) => response.writeHead(410).end()))
    const service = await started()
    const project = await service.addProject()
    await saveWebhook(service.db, { project_id: project, url: receiver.url, secret: 'whsec_YQ==' })
    await addPosts(service, project, 1, new Date())
    await until(async () => (await count(service, 'service.webhook')) === 0)
    await until(async () => (await count(service, "service.log where action = 'webhook.deleted'")) === 1)
  })
})

describe('2,000 posts that come due within a second', () => {
  it('are each published once by two instances', async () => {
    const url = await createDatabase()
    let now = new Date('2026-11-20T12:00:00Z')
    const runtime = { now: () => now }
    const [one] = await Promise.all([started({ url, runtime }), started({ url, runtime })])
    const project = await one.addProject()
    await saveWebhook(one.db, { project_id: project, url: 'http://127.0.0.1:9', secret: 'whsec_YQ==' })
    await addPosts(one, project, 2000, new Date('2026-11-20T12:00:10Z'))
    now = new Date('2026-11-20T12:00:10Z')
    await until(async () => (await published(one)) === 2000)
    await expectEachOnce(one, 2000)
  })

  it('are each published once, also when one of two instances is killed in the middle', async () => {
    const observer = await started({ runtime: { now: () => new Date(0) } }) // for which nothing is ever due
    const project = await observer.addProject()
    await saveWebhook(observer.db, { project_id: project, url: 'http://127.0.0.1:9', secret: 'whsec_YQ==' })
    // Slows the publishing down, so that the kill falls into it.
    await observer.pool.query(`
      create function service.slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.1); return null; end';
      create trigger slow after update on service.post for each statement execute function service.slow()`)
    const instances = [1, 2].map(() =>
      run('dist/service/command-line.js', [], { DATABASE_URL: observer.databaseUrl, SERVICE_PORT: '0' }),
    )
    children.push(...instances)
    await Promise.all(instances.map((instance) => instance.printed('ready')))
    await addPosts(observer, project, 2000, new Date())

    await until(async () => (await published(observer)) > 0)
    await instances[0]?.end('SIGKILL')
    const atKill = await published(observer)
    expect(atKill).toBeLessThan(2000)
    await until(async () => (await published(observer)) === 2000)
    await expectEachOnce(observer, 2000)
    expect(await instances[1]?.end('SIGTERM')).toBe(0)
  })
})
