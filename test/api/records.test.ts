import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as records from '../../src/api/records.ts'

const { readPost, readPosts, readProjects, readUser, readPrompt, readSource, readTemplate, readLogs } =
  records

const post = {
  Id: '17',
  Content: 'Hi',
  ScheduleDate: '2026-11-27T09:00:00+01:00',
  Timezone: 'Europe/Berlin',
  Platforms: ['X', 'LINKEDIN'],
  Status: 'SCHEDULED',
}

describe('a record', () => {
  it.each([
    ['PascalCase', post],
    [
      'camelCase',
      {
        id: '17',
        content: 'Hi',
        scheduleDate: post.ScheduleDate,
        timezone: post.Timezone,
        platforms: post.Platforms,
        status: 'SCHEDULED',
      },
    ],
    [
      'snake_case',
      {
        _id: 17,
        content: 'Hi',
        schedule_date: post.ScheduleDate,
        time_zone: post.Timezone,
        platforms: 'X, LINKEDIN',
        status: 'SCHEDULED',
      },
    ],
    [
      'other usual names',
      {
        post_id: 17,
        text: 'Hi',
        scheduled_at: post.ScheduleDate,
        tz: post.Timezone,
        platform: ['X', { name: 'LINKEDIN' }],
        state: 'SCHEDULED',
      },
    ],
  ])('is read in %s', (_case, data) => {
    expect(readPost(data)).toEqual({ ...post, raw: data })
  })

  it.each([
    ['under its name', { post }],
    ['under data', { data: post }],
    ['as the only item of a list', [post]],
    ['in two wrappings', { result: { post } }],
  ])('is found %s', (_where, data) => {
    expect(readPost(data)).toMatchObject(post)
  })

  it.each([[null], [undefined], [[]], [{}], [{ post: null }]])('is none in %j', (data) => {
    expect(readPost(data)).toBeUndefined()
  })

  it('keeps what it does not know, and shows what it cannot read', () => {
    expect(readPost({ ...post, Likes: 3 })?.raw).toEqual({ ...post, Likes: 3 })
    expect(readPost('sold out')).toEqual({ raw: 'sold out' })
    expect(readPost({ Id: null, Content: { a: [] }, Status: null, x: 1 })).toEqual({
      raw: { Id: null, Content: { a: [] }, Status: null, x: 1 },
    })
  })

  it('of every kind has the fields of the contract', () => {
    expect(
      readUser({ userId: 'u1', first_name: 'A', email_address: 'a@b.example', phone: 5, role: 'ADMIN' }),
    ).toMatchObject({ Id: 'u1', FirstName: 'A', Email: 'a@b.example', PhoneNumber: '5', Role: 'ADMIN' })
    expect(readPrompt({ _id: { $oid: 'p1' }, title: 'T', prompt_text: 'P' })).toMatchObject({
      Id: 'p1',
      Title: 'T',
      PromptText: 'P',
    })
    expect(readSource({ Id: 's1', Source: { Source: 'https://a.example' }, description: 'D' })).toMatchObject(
      { Id: 's1', Source: 'https://a.example', Description: 'D' },
    )
    expect(readTemplate({ template: { uuid: 't1', name: 'T', body: 'B' } })).toMatchObject({
      Id: 't1',
      Title: 'T',
      Content: 'B',
    })
    expect(readProjects([{ project_id: 0, title: 'Acme' }]).items[0]).toMatchObject({ Id: '0', Name: 'Acme' })
    expect(
      readLogs([{ msg: 'Done', created_at: '2026-11-20', user: { email: 'a@b.example' } }]).items[0],
    ).toMatchObject({ Message: 'Done', CreatedAt: '2026-11-20', Actor: 'a@b.example' })
  })
})

describe('a list', () => {
  const items = [post, { ...post, Id: '18' }]
  it.each([
    ['bare', items],
    ['under Items', { Items: items, Total: 2 }],
    ['under posts', { posts: items, tags: ['a'] }],
    ['under results', { results: items, count: 2 }],
    ['two deep', { data: { posts: items } }],
    ['under a name of its own', { upcoming: items }],
    ['by id', { a: items[0], b: items[1] }],
  ])('is found %s', (_where, data) => {
    expect(readPosts(data).items.map((item) => item.Id)).toEqual(['17', '18'])
  })

  it('of several parts is all of them', () => {
    expect(readPosts({ today: [items[0]], later: [items[1]] }).items).toHaveLength(2)
  })

  it.each([
    ['an empty one beside it', { items: [], results: items }],
    ['an id of its own', { id: 'page-1', upcoming: items }],
    ['a cursor and tags', { upcoming: items, next: 'x', tags: ['a'] }],
  ])('is found with %s', (_what, data) => {
    expect(readPosts(data).items.map((item) => item.Id)).toEqual(['17', '18'])
  })

  it('says how many there are where the service does', () => {
    expect(readPosts({ Items: items, Total: 1000, TotalIsMore: true })).toMatchObject({
      total: 1000,
      isMore: true,
    })
    expect(readPosts({ data: { Items: items, Total: 9, TotalIsMore: true } })).toMatchObject({
      total: 9,
      isMore: true,
    })
    expect(readPosts({ items, has_more: true, total: 'many' })).toMatchObject({ isMore: true })
    expect(readPosts({ items, total: 'many' })).not.toHaveProperty('total')
  })

  it('has the one record where there is no list', () => {
    expect(readPosts(post).items).toMatchObject([post])
    expect(readPosts(null).items).toEqual([])
  })
})

describe('arbitrary JSON', () => {
  const readers = Object.values(records)
  const lists = {
    post: records.readPosts,
    user: records.readUsers,
    prompt: records.readPrompts,
    source: records.readSources,
    template: records.readTemplates,
    project: records.readProjects,
    log: records.readLogs,
  }
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'id',
      '_id',
      'Items',
      'data',
      'posts',
      'post',
      'Platforms',
      'Source',
      'toString',
      '__proto__',
      'total',
    ),
  )
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 5 }),
    ),
  })).value

  it('never makes a reader throw', () => {
    fc.assert(
      fc.property(json, (data) => {
        for (const read of readers) read(data)
      }),
      { numRuns: 2000 },
    )
  })

  it('may be as deep as it likes', () => {
    const deep = (open: string, close: string) => JSON.parse(`${open.repeat(5000)}1${close.repeat(5000)}`)
    for (const data of [
      deep('[', ']'),
      deep('{"data":', '}'),
      { id: deep('{"$oid":', '}'), Content: deep('[', ']') },
    ])
      for (const read of readers) expect(() => read(data)).not.toThrow()
  })

  it('never loses an item of a list, nor changes one', () => {
    const wrappings = fc.constantFrom<(items: unknown[], kind: string) => unknown>(
      (items) => items,
      (items) => ({ items }),
      (items) => ({ Data: items, Total: 3 }),
      (items, kind) => ({ [`${kind}s`]: items }),
      (items) => ({ data: { Results: items } }),
      (items) => ({ whatever: items }),
    )
    fc.assert(
      fc.property(
        fc.array(json),
        wrappings,
        fc.constantFrom(...Object.entries(lists)),
        (items, wrap, [kind, read]) => {
          expect(read(wrap(items, kind)).items.map(({ raw }) => raw)).toEqual(items)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('gives only text for text, and texts for texts', () => {
    fc.assert(
      fc.property(json, (data) => {
        for (const { raw: _raw, Platforms = [], ...fields } of readPosts(data).items)
          for (const value of [...Object.values(fields), ...Platforms]) expect(value).toBeTypeOf('string')
      }),
      { numRuns: 2000 },
    )
  })
})
