import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as records from '../../src/api/records.ts'

const { logs, posts, projects, prompts, sources, templates, users } = records

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
      'other common names',
      {
        post_id: 17,
        text: 'Hi',
        scheduled_at: post.ScheduleDate,
        tz: post.Timezone,
        platform: ['X', { name: 'LINKEDIN' }],
        state: 'SCHEDULED',
      },
    ],
  ])('is read with fields in %s', (_names, data) => {
    expect(posts.read(data)).toEqual({ ...post, raw: data })
  })

  it.each([
    ['under its name', { post }],
    ['under data', { data: post }],
    ['as the only item of a list', [post]],
    ['in an object within an object', { result: { post } }],
  ])('is found %s', (_place, data) => {
    expect(posts.read(data)).toMatchObject(post)
  })

  it.each([[null], [undefined], [[]], [{}], [{ post: null }]])('is not found in the payload %j', (data) => {
    expect(posts.readOptional(data)).toBeUndefined()
    expect(posts.read(data)).toEqual({ raw: data })
  })

  it('keeps the original, including unreadable values', () => {
    expect(posts.read({ ...post, Likes: 3 })?.raw).toEqual({ ...post, Likes: 3 })
    expect(posts.read('sold out')).toEqual({ raw: 'sold out' })
    expect(posts.read({ Id: null, Content: { a: [] }, Status: null, x: 1 })).toEqual({
      raw: { Id: null, Content: { a: [] }, Status: null, x: 1 },
    })
  })

  it('has the field names of the contract for every type', () => {
    expect(
      users.read({ userId: 'u1', first_name: 'A', email_address: 'a@b.example', phone: 5, role: 'ADMIN' }),
    ).toMatchObject({ Id: 'u1', FirstName: 'A', Email: 'a@b.example', PhoneNumber: '5', Role: 'ADMIN' })
    expect(prompts.read({ _id: { $oid: 'p1' }, title: 'T', prompt_text: 'P' })).toMatchObject({
      Id: 'p1',
      Title: 'T',
      PromptText: 'P',
    })
    expect(
      sources.read({ Id: 's1', Source: { Source: 'https://a.example' }, description: 'D' }),
    ).toMatchObject({ Id: 's1', Source: 'https://a.example', Description: 'D' })
    expect(templates.read({ template: { uuid: 't1', name: 'T', body: 'B' } })).toMatchObject({
      Id: 't1',
      Title: 'T',
      Content: 'B',
    })
    expect(projects.readList([{ project_id: 0, title: 'Acme' }]).items[0]).toMatchObject({
      Id: '0',
      Name: 'Acme',
    })
    expect(
      logs.readList([{ msg: 'Done', created_at: '2026-11-20', user: { email: 'a@b.example' } }]).items[0],
    ).toMatchObject({ Message: 'Done', CreatedAt: '2026-11-20', Actor: 'a@b.example' })
  })
})

describe('a list', () => {
  const items = [post, { ...post, Id: '18' }]
  it.each([
    ['as the whole payload', items],
    ['under Items', { Items: items, Total: 2 }],
    ['under posts', { posts: items, tags: ['a'] }],
    ['under results', { results: items, count: 2 }],
    ['two levels deep', { data: { posts: items } }],
    ['under an unknown name', { upcoming: items }],
    ['as the values of an object', { a: items[0], b: items[1] }],
  ])('is found %s', (_place, data) => {
    expect(posts.readList(data).items.map((item) => item.Id)).toEqual(['17', '18'])
  })

  it('joins several lists of records', () => {
    expect(posts.readList({ today: [items[0]], later: [items[1]] }).items).toHaveLength(2)
  })

  it.each([
    ['an empty list next to it', { items: [], results: items }],
    ['an id of its own', { id: 'page-1', upcoming: items }],
    ['a cursor and tags', { upcoming: items, next: 'x', tags: ['a'] }],
  ])('is found with %s', (_neighbor, data) => {
    expect(posts.readList(data).items.map((item) => item.Id)).toEqual(['17', '18'])
  })

  it('consists of the record itself if there is no list', () => {
    expect(posts.readList(post).items).toMatchObject([post])
    expect(posts.readList(null).items).toEqual([])
  })
})

describe('arbitrary JSON', () => {
  const readers = Object.values(records).flatMap(({ writtenDate, read, ...others }) => [
    read,
    ...Object.values(others),
    (data: unknown) => writtenDate(read(data) as never),
  ])
  const lists = {
    post: posts.readList,
    source: sources.readList,
    template: templates.readList,
    project: projects.readList,
    log: logs.readList,
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
      { numRuns: 500 },
    )
  })

  it('can be nested deeply', () => {
    const nest = (open: string, close: string) => JSON.parse(`${open.repeat(5000)}1${close.repeat(5000)}`)
    for (const data of [
      nest('[', ']'),
      nest('{"data":', '}'),
      { id: nest('{"$oid":', '}'), Content: nest('[', ']') },
    ])
      for (const read of readers) expect(() => read(data)).not.toThrow()
  })

  it('is kept unchanged in a list', () => {
    const wrappers = fc.constantFrom<(items: unknown[], type: string) => unknown>(
      (items) => items,
      (items) => ({ items }),
      (items) => ({ Data: items, Total: 3 }),
      (items, type) => ({ [`${type}s`]: items }),
      (items) => ({ data: { Results: items } }),
      (items) => ({ whatever: items }),
    )
    fc.assert(
      fc.property(
        fc.array(json),
        wrappers,
        fc.constantFrom(...Object.entries(lists)),
        (items, wrap, [type, read]) => {
          expect(read(wrap(items, type)).items.map(({ raw }) => raw)).toEqual(items)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('never yields a field other than a string or a list of strings', () => {
    fc.assert(
      fc.property(json, (data) => {
        for (const { raw: _raw, Platforms = [], ...fields } of posts.readList(data).items)
          for (const value of [...Object.values(fields), ...Platforms]) expect(value).toBeTypeOf('string')
      }),
      { numRuns: 500 },
    )
  })
})
