import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClock, waitUntil } from '../support/clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

const clock = createTestClock()
const HOUR_MS = 60 * 60_000
let service: TestService
let project: string
let editor: { token: string; email: string }
beforeAll(async () => {
  service = await startTestService({ runtime: clock.runtime })
})
beforeEach(async () => {
  project = await service.addProject()
  editor = await service.addMember(project, 'EDITOR')
})
afterAll(() => service.stop())

const draft = { Content: 'Launch day!', Status: 'DRAFT' }

const create = (key: string, json: object = draft, { token } = editor, path = 'posts') =>
  service.request('POST', `/api/v1/projects/${project}/${path}`, {
    token,
    json,
    headers: { 'idempotency-key': key },
  })
/** The service itself also waits for a locked table, for example when it looks for posts to publish. */
const countBlockedInserts = async () => {
  const { rows } = await service.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query like '%insert into "service"."post"%'`,
  )
  return rows.length
}
const listContents = async () => {
  const { body } = await service.request('GET', `/api/v1/projects/${project}/posts`, editor)
  return body.data.Items.map(({ Content }: { Content: string }) => Content)
}

describe('Idempotency-Key', () => {
  it('returns the first response to a repeated request', async () => {
    const first = await create('one')
    expect(first.status).toBe(201)
    const second = await create('one')
    expect([second.status, second.body]).toEqual([201, first.body])
    for (const header of ['etag', 'idempotency-key'])
      expect(second.headers.get(header)).toBe(first.headers.get(header))
    expect(second.headers.get('idempotency-key')).toBe('one')
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('creates one record for each key', async () => {
    await create('one')
    await create('two')
    expect(await listContents()).toEqual(['Launch day!', 'Launch day!'])
  })

  it('ignores the order of the fields, and takes a key in quotation marks', async () => {
    const first = await create('one')
    const second = await create('"one"', { Status: 'DRAFT', Content: 'Launch day!' })
    expect(second.body).toEqual(first.body)
  })

  it('returns 422 for different content', async () => {
    await create('one')
    const { status, body } = await create('one', { ...draft, Content: 'Another' })
    expect(status).toBe(422)
    expect(body.detail).toMatchObject([{ type: 'value_error', loc: ['header', 'Idempotency-Key'] }])
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('returns 422 for another operation', async () => {
    await create('one')
    const { status } = await create('one', draft, editor, 'prompts')
    expect(status).toBe(422)
  })

  it('creates one record for requests at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => create('one')))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => ![201, 409].includes(status))).toEqual([])
    expect(statuses).toContain(201)
    expect(await listContents()).toEqual(['Launch day!'])
  })

  it('returns 409 while the first request is in progress', async () => {
    const first = await service.pool.connect()
    await first.query('begin')
    await first.query('lock table service.post')
    const inProgress = create('one')
    await waitUntil(async () => (await countBlockedInserts()) > 0)
    expect((await create('one')).status).toBe(409)
    await first.query('commit')
    first.release()
    const { body } = await inProgress
    expect((await create('one')).body).toEqual(body)
  })

  it('belongs to one user, whatever token they use', async () => {
    const first = await create('one')
    const other = await service.addMember(project, 'EDITOR')
    const second = await create('one', draft, other)
    expect(second.body.data.Id).not.toBe(first.body.data.Id)
  })

  it('is free again after an error', async () => {
    const { status } = await create('one', { Status: 'SCHEDULED' })
    expect(status).toBe(422)
    expect((await create('one')).status).toBe(201)
  })

  it('returns the first response after the date of the post has passed', async () => {
    const ScheduleDate = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    const post = { Content: 'Soon', ScheduleDate, Timezone: 'UTC', Platforms: ['X'] }
    const first = await create('one', post)
    clock.advance(2 * HOUR_MS)
    const second = await create('one', post)
    expect([second.status, second.body]).toEqual([201, first.body])
  })

  it('is kept until 72 hours after its last use', async () => {
    const first = await create('one')
    clock.advance(71 * HOUR_MS)
    await create('one')
    clock.advance(71 * HOUR_MS)
    expect((await create('one')).body).toEqual(first.body)
    clock.advance(73 * HOUR_MS)
    const later = await create('one')
    expect([later.status, later.body.data.Id === first.body.data.Id]).toEqual([201, false])
  })

  it.each(['', 'x'.repeat(256), 'ä'])('returns 400 for the key "%s"', async (key) => {
    const { status, body } = await create(key)
    expect([status, body.detail]).toEqual([400, expect.stringContaining('1 to 255 printable ASCII')])
  })

  it('returns 409 for an expired key that is in use again', async () => {
    await create('one')
    clock.advance(73 * HOUR_MS)
    const blocker = await service.pool.connect()
    await blocker.query('begin')
    await blocker.query('lock table service.post')
    const inProgress = create('one', { ...draft, Content: 'Later' })
    await waitUntil(async () => (await countBlockedInserts()) > 0)
    expect((await create('one', { ...draft, Content: 'Later' })).status).toBe(409)
    await blocker.query('commit')
    blocker.release()
    expect((await inProgress).body.data.Content).toBe('Later')
  })

  it('is ignored in GET requests', async () => {
    const headers = { 'idempotency-key': 'ä' }
    await create('one')
    const path = `/api/v1/projects/${project}/posts`
    const { body } = await service.request('GET', path, { ...editor, headers })
    expect(body.data.Items).toHaveLength(1)
  })
})
