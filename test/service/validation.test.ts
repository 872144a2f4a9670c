import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let admin: { token: string }
beforeAll(async () => {
  service = await startTestService({ runtime: createTestClock().runtime })
  project = await service.addProject()
  admin = await service.addMember(project, 'ADMIN')
})
afterAll(() => service.stop())

const send = (path: string, options: object) =>
  service.request('POST', `/api/v1/projects/${project}/${path}`, { ...admin, ...options })
const getErrors = async (path: string, json: unknown) => {
  const { status, body } = await send(path, { json })
  expect(status).toBe(422)
  return body.detail
}

describe('query validation', () => {
  const int = 'Input should be a valid integer, unable to parse string as an integer'
  const date = (input: string) => ({
    type: 'datetime_from_date_parsing',
    loc: ['query', 'schedule_date_from'],
    msg: 'Input should be a valid datetime or date',
    input,
  })
  it.each([
    ['skip=abc', { type: 'int_parsing', loc: ['query', 'skip'], msg: int, input: 'abc' }],
    ['skip=1.5', { type: 'int_parsing', loc: ['query', 'skip'], msg: int, input: '1.5' }],
    ['skip=', { type: 'int_parsing', loc: ['query', 'skip'], msg: int, input: '' }],
    [
      'skip=-1',
      {
        type: 'greater_than_equal',
        loc: ['query', 'skip'],
        msg: 'Input should be greater than or equal to 0',
        input: '-1',
        ctx: { ge: 0 },
      },
    ],
    [
      'limit=501',
      {
        type: 'less_than_equal',
        loc: ['query', 'limit'],
        msg: 'Input should be less than or equal to 500',
        input: '501',
        ctx: { le: 500 },
      },
    ],
    ['schedule_date_from=notadate', date('notadate')],
    ['schedule_date_from=2026-13-01T00:00:00Z', date('2026-13-01T00:00:00Z')],
    ['schedule_date_from=0000-01-01', date('0000-01-01')],
    ['schedule_date_from=2026-02-29', date('2026-02-29')],
    ['schedule_date_from=2026-01-01T00:00:00+02:00', date('2026-01-01T00:00:00 02:00')],
    ['schedule_date_from=2026-01-01T25:00', date('2026-01-01T25:00')],
    ['schedule_date_from=2026/01/01', date('2026/01/01')],
    ['schedule_date_from=next monday', date('next monday')],
    [
      'status=DONE',
      {
        type: 'enum',
        loc: ['query', 'status', 0],
        msg: "Input should be 'DRAFT', 'SCHEDULED', 'PUBLISHED' or 'FAILED'",
        input: 'DONE',
        ctx: { expected: "'DRAFT', 'SCHEDULED', 'PUBLISHED' or 'FAILED'" },
      },
    ],
  ])('returns the same kind of error as FastAPI for the invalid query %s', async (query, error) => {
    const response = await service.request('GET', `/api/v1/projects/${project}/posts?${query}`, admin)
    expect([response.status, response.body]).toEqual([422, { detail: [error] }])
  })

  it('reports all errors of a query together', async () => {
    const response = await service.request(
      'GET',
      `/api/v1/projects/${project}/posts?skip=x&schedule_date_from=y&platforms=X&platforms=Z`,
      admin,
    )
    expect(response.body.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['query', 'skip'],
      ['query', 'schedule_date_from'],
      ['query', 'platforms', 1],
    ])
  })
})

describe('repeated query parameters', () => {
  it('takes the last of several values', async () => {
    const response = await service.request(
      'GET',
      `/api/v1/projects/${project}/posts?skip=x&skip=0&limit=0&limit=1`,
      admin,
    )
    expect(response.status).toBe(200)
  })
})

describe('body validation', () => {
  it.each([
    [
      'a missing field',
      { FirstName: 'x' },
      { type: 'missing', loc: ['body', 'Email'], msg: 'Field required', input: { FirstName: 'x' } },
    ],
    [
      'an email address without @',
      { Email: 'nope' },
      {
        type: 'value_error',
        loc: ['body', 'Email'],
        msg: 'value is not a valid email address',
        input: 'nope',
      },
    ],
    [
      'an email address without a period',
      { Email: 'a@b' },
      {
        type: 'value_error',
        loc: ['body', 'Email'],
        msg: 'value is not a valid email address',
        input: 'a@b',
      },
    ],
    [
      'a number instead of text',
      { Email: 'a@b.example', FirstName: 5 },
      { type: 'string_type', loc: ['body', 'FirstName'], msg: 'Input should be a valid string', input: 5 },
    ],
    [
      'null instead of text',
      { Email: 'a@b.example', FirstName: null },
      { type: 'string_type', loc: ['body', 'FirstName'], msg: 'Input should be a valid string', input: null },
    ],
    [
      'an unknown value',
      { Email: 'a@b.example', Role: 'KING' },
      {
        type: 'enum',
        loc: ['body', 'Role'],
        msg: "Input should be 'VIEWER', 'EDITOR' or 'ADMIN'",
        input: 'KING',
        ctx: { expected: "'VIEWER', 'EDITOR' or 'ADMIN'" },
      },
    ],
    [
      'text that is too long',
      { Email: 'a@b.example', PhoneNumber: '1'.repeat(51) },
      {
        type: 'string_too_long',
        loc: ['body', 'PhoneNumber'],
        msg: 'String should have at most 50 characters',
        input: '1'.repeat(51),
        ctx: { max_length: 50 },
      },
    ],
  ])('returns the same kind of error as FastAPI for a body with %s', async (_case, json, error) => {
    expect(await getErrors('users/invite', json)).toEqual([error])
  })

  const notObject = 'Input should be a valid dictionary or object to extract fields from'
  it.each([
    ['no body', { body: '' }, { type: 'missing', loc: ['body'], msg: 'Field required', input: null }],
    [
      'a list as its body',
      { body: '[]', headers: { 'content-type': 'application/json' } },
      { type: 'model_attributes_type', loc: ['body'], msg: notObject, input: [] },
    ],
    [
      'another content type',
      { body: '{"Email":"a@b.co"}', headers: { 'content-type': 'text/plain' } },
      { type: 'model_attributes_type', loc: ['body'], msg: notObject, input: '{"Email":"a@b.co"}' },
    ],
  ])('returns the same kind of error as FastAPI for a request with %s', async (_case, options, error) => {
    const { status, body } = await send('users/invite', options)
    expect([status, body]).toEqual([422, { detail: [error] }])
  })

  it.each(['{"Email', '{"a": 1,}', '{"a" 1}', '{"a": nope}'])(
    'returns the same kind of error as FastAPI for the invalid JSON %s',
    async (text) => {
      const { status, body } = await send('users/invite', {
        body: text,
        headers: { 'content-type': 'application/json' },
      })
      const expected = {
        type: 'json_invalid',
        loc: ['body', 0],
        msg: 'JSON decode error',
        input: {},
        ctx: { error: 'Invalid JSON' },
      }
      expect([status, body.detail]).toEqual([422, [expected]])
    },
  )

  it('treats text of only zero-width characters as no text', async () => {
    const json = { ScheduleDate: '2027-01-15T10:00', Timezone: 'UTC', Platforms: ['X'] }
    const errors = await getErrors('posts', { ...json, Content: ' \u200b\ufeff' })
    expect(errors).toMatchObject([{ loc: ['body', 'Content'] }])
    expect((await send('posts', { json: { ...json, Content: '\u200b👨‍👩‍👧' } })).status).toBe(201)
  })

  it('returns the errors of a scheduled post for a post with only an invalid date', async () => {
    const errors = await getErrors('posts', { Content: 'x', ScheduleDate: 'soon' })
    expect(errors.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      'ScheduleDate',
      'Timezone',
      'Platforms',
    ])
  })

  it('reports errors of fields and of rules together', async () => {
    const errors = await getErrors('posts', {
      Content: 5,
      Media: 6,
      ScheduleDate: 'soon',
      Platforms: ['X', 'MYSPACE', 3],
      TemplateId: 't',
      PromptId: 'p',
      Status: 'SCHEDULED',
    })
    expect(
      errors.map(({ type, loc }: { type: string; loc: string[] }) => `${loc.slice(1).join('.')} ${type}`),
    ).toEqual([
      'Content string_type',
      'Media string_type',
      'ScheduleDate datetime_from_date_parsing',
      'Platforms.1 enum',
      'Platforms.2 enum',
      'Timezone missing',
      'TemplateId value_error',
      'PromptId value_error',
    ])
  })
})

describe('unusual text', () => {
  it.each([
    ['a NUL character', '{"Title":"a\\u0000b","PromptText":"x"}', 'value_error'],
    ['a lone surrogate', '{"Title":"a\\ud83d","PromptText":"x"}', 'string_unicode'],
  ])('rejects text with %s, and names its field', async (_case, body, type) => {
    const response = await send('prompts', { body, headers: { 'content-type': 'application/json' } })
    expect([response.status, response.body.detail[0].type, response.body.detail[0].loc]).toEqual([
      422,
      type,
      ['body', 'Title'],
    ])
  })

  it('rejects a body that is not valid UTF-8', async () => {
    const response = await send('prompts', { body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]) })
    expect([response.status, response.body.detail]).toEqual([400, expect.stringContaining('UTF-8')])
  })

  it('rejects a body over the size limit', async () => {
    const response = await send('prompts', { json: { Title: 'x', PromptText: 'y'.repeat(1_100_000) } })
    expect([response.status, response.body]).toEqual([413, { detail: expect.any(String) }])
  })

  it('returns text in any script unchanged', async () => {
    const Title = 'Grüße 你好 👩‍👩‍👧 ‮abc‬ \u{1F6B4}'
    expect((await send('prompts', { json: { Title, PromptText: 'x' } })).body.data.Title).toBe(Title)
  })

  it('ignores field names such as __proto__ and constructor', async () => {
    const body = '{"Title":"x","PromptText":"y","__proto__":{"Description":"z"},"constructor":5}'
    const response = await send('prompts', { body, headers: { 'content-type': 'application/json' } })
    expect([response.status, response.body.data.Description]).toEqual([201, null])
  })
})

describe('limits', () => {
  const asJson = (body: string) => ({ body, headers: { 'content-type': 'application/json' } })
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

  it('returns one error for a list with too many items', async () => {
    const Platforms = Array.from({ length: 101 }, () => 0)
    const { status, body } = await send('posts', { json: { Platforms } })
    expect([status, body.detail]).toEqual([
      422,
      [
        {
          type: 'too_long',
          loc: ['body', 'Platforms'],
          msg: 'List should have at most 100 items after validation, not 101',
          input: Platforms,
          ctx: { field_type: 'List', max_length: 100, actual_length: 101 },
        },
      ],
    ])
  })

  it('accepts a list that names a value more than once', async () => {
    const Platforms = Array.from({ length: 100 }, () => 'X')
    const { status, body } = await send('posts', { json: { Content: 'x', Platforms } })
    expect([status, body.data.Platforms]).toEqual([201, ['X']])
  })

  it('limits a repeated query parameter like a list', async () => {
    const query = 'platforms=Z&'.repeat(500)
    const response = await service.request('GET', `/api/v1/projects/${project}/posts?${query}`, admin)
    expect(response.body.detail).toMatchObject([{ type: 'too_long', loc: ['query', 'platforms'] }])
  })

  it('returns at most 100 errors in a response', async () => {
    const Platforms = Array.from({ length: 100 }, () => 0)
    const errors = await getErrors('posts', { Platforms, Content: 5, Timezone: 'Nowhere', Status: 'DONE' })
    expect(errors).toHaveLength(100)
  })

  it.each([
    ['many items', 'posts', { Platforms: Array.from({ length: 200_000 }, () => 0) }],
    ['items that are long', 'posts', { Platforms: Array.from({ length: 90 }, () => 'x'.repeat(10_000)) }],
    ['two missing fields and a long one', 'prompts', { Description: 'x'.repeat(1_000_000) }],
    ['three missing fields and a long text', 'posts', { Status: 'SCHEDULED', Content: 'x'.repeat(69_000) }],
    ['many unknown fields', 'prompts', Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [i, 0]))],
  ])('keeps the response to a body with %s small', async (_case, path, json) => {
    const errors = await getErrors(path, json)
    expect(JSON.stringify(errors).length).toBeLessThan(150_000)
  })

  it('repeats an input of up to 1,000 characters, and leaves out a longer one', async () => {
    const [short, long] = ['1'.repeat(998), '1'.repeat(999)]
    const getError = async (PhoneNumber: string) =>
      (await getErrors('users/invite', { Email: 'a@b.example', PhoneNumber }))[0]
    expect(await getError(short)).toHaveProperty('input', short)
    expect(await getError(long)).not.toHaveProperty('input')
  })

  it('parses a body of up to 20 levels, and rejects a deeper one', async () => {
    expect(
      (await send('prompts', asJson(`{"Unknown":${nest(19)},"Title":"x","PromptText":"y"}`))).status,
    ).toBe(201)
    for (const levels of [20, 5_000, 500_000]) {
      const response = await send(
        'prompts',
        asJson(`{"Unknown":${nest(levels)},"Title":"x","PromptText":"y"}`),
      )
      expect([response.status, response.body.detail]).toEqual([400, expect.stringContaining('20 levels')])
    }
  })

  it('treats an unfinished body with many levels as invalid JSON', async () => {
    expect((await send('prompts', asJson('['.repeat(1_000_000)))).body.detail).toMatchObject([
      { type: 'json_invalid' },
    ])
  })

  it.each(['+05:30', '-08', 'UTC+3', 'Europe/Atlantis', 'local', 'system', '../Berlin', 'Europe/Berlin '])(
    'rejects the time zone %s',
    async (Timezone) => {
      expect(await getErrors('posts', { Timezone })).toMatchObject([
        { type: 'value_error', loc: ['body', 'Timezone'] },
      ])
    },
  )

  it.each([
    ['Europe/Berlin', '2027-01-15T10:00:00+01:00'],
    ['asia/KOLKATA', '2027-01-15T10:00:00+05:30'],
    ['America/Port-au-Prince', '2027-01-15T10:00:00-05:00'],
    ['Etc/GMT+5', '2027-01-15T10:00:00-05:00'],
    ['UTC', '2027-01-15T10:00:00Z'],
  ])('accepts the time zone %s', async (Timezone, ScheduleDate) => {
    const json = { Timezone, ScheduleDate: '2027-01-15T10:00', Content: 'x', Platforms: ['X'] }
    expect((await send('posts', { json })).body.data).toMatchObject({ Timezone, ScheduleDate })
  })
})
