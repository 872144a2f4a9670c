import { afterEach, expect, it } from 'vitest'
import { createTestClock, waitUntil } from '../support/clock.ts'
import { createDatabase } from '../support/database.ts'
import { SERVICE_TEMPLATE, startTestService, type TestService } from '../support/service.ts'

let service: TestService
afterEach(() => service.stop())

const DAY_MS = 24 * 60 * 60_000

it('deletes idempotency keys 72 hours after their last use', async () => {
  const clock = createTestClock()
  const databaseUrl = await createDatabase(SERVICE_TEMPLATE)
  const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * 60 * 60_000)
  const first = await startTestService({ runtime: clock.runtime, databaseUrl })
  const { id } = await first.addMember(await first.addProject(), 'ADMIN')
  await first.pool.query(
    `insert into service.idempotency_key (user_id, key, request_hash, used_at)
     values ($1, 'old', '', $2), ($1, 'new', '', $3)`,
    [id, hoursAgo(73), hoursAgo(71)],
  )
  await first.stop()
  service = await startTestService({ runtime: clock.runtime, databaseUrl })
  const list = async () => (await service.pool.query('select key from service.idempotency_key')).rows
  await waitUntil(async () => (await list()).length === 1)
  expect(await list()).toEqual([{ key: 'new' }])
})

it('deletes log entries and revoked tokens after their retention, and keeps newer ones', async () => {
  const clock = createTestClock()
  const databaseUrl = await createDatabase(SERVICE_TEMPLATE)
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * DAY_MS)
  const first = await startTestService({ runtime: clock.runtime, databaseUrl })
  const { id } = await first.addMember(await first.addProject(), 'ADMIN')
  await first.pool.query(
    `insert into service.log (level, action, message, actor, created_at)
     select 'INFO', 'test', message, 'operator', $2 from unnest($1::text[]) message`,
    [Array.from({ length: 2500 }, (_, index) => `old ${index}`), daysAgo(31)],
  )
  await first.pool.query(
    `insert into service.log (level, action, message, actor, created_at) values ('INFO', 'test', 'new', 'operator', $1)`,
    [daysAgo(29)],
  )
  await first.pool.query(
    `insert into service.token (user_id, hash, label, revoked_at)
     values ($1, 'a', 'old', $2), ($1, 'b', 'new', $3)`,
    [id, daysAgo(31), daysAgo(29)],
  )
  await first.stop()

  service = await startTestService({
    runtime: clock.runtime,
    databaseUrl,
    retentionDays: 30,
  })
  const list = async (query: string) => (await service.pool.query(query)).rows.map(({ name }) => name)
  await waitUntil(
    async () => (await list("select message as name from service.log where action = 'test'")).length === 1,
  )
  expect(await list("select message as name from service.log where action = 'test'")).toEqual(['new'])
  expect(await list('select label as name from service.token order by 1')).toEqual(['new', 'test'])
})
