import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Comparison, comparePosts } from '../../src/api/compare-posts.ts'
import { logs, posts, projects, prompts, sources, templates, users } from '../../src/api/records.ts'
import type { components } from '../../src/api/schema.d.ts'
import { readTimestamp } from '../../src/api/timestamps.ts'

type TypeName = 'post' | 'user' | 'prompt' | 'source' | 'template' | 'project' | 'log'
type Fields = Record<string, unknown>

/** Answers of other services, and what they must be read as. They were written without a look at the code. */
type Shape = { payload?: unknown; type: TypeName } & (
  | { kind: 'record'; expected: Fields }
  | { kind: 'nothing' }
  | { kind: 'created'; sent: Fields; expected: Fields }
  | { kind: 'list'; ids: (string | number)[]; total: number | null; readable: boolean }
  | { kind: 'compare'; sent: components['schemas']['Post']; found: unknown; same: Comparison }
)

const READERS = {
  post: posts,
  user: users,
  prompt: prompts,
  source: sources,
  template: templates,
  project: projects,
  log: logs,
}

const SHAPES = readFileSync(new URL('shapes.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Shape => JSON.parse(line))

function shapesOf<Kind extends Shape['kind']>(
  kind: Kind,
): [payload: string, shape: Extract<Shape, { kind: Kind }>][] {
  const shapes = SHAPES.filter((shape): shape is Extract<Shape, { kind: Kind }> => shape.kind === kind)
  return shapes.map((shape) => [JSON.stringify('found' in shape ? shape.found : shape.payload), shape])
}

/** Dates as moments, platforms as a set, and ids as text. */
function normalize([name, value]: [name: string, value: unknown]): [name: string, value: unknown] {
  if (/^(?:ScheduleDate|CreatedAt)$/.test(name))
    return [name, readTimestamp(String(value), 'utc')?.toMillis()]
  return [name, Array.isArray(value) ? value.toSorted() : String(value)]
}

function expectFields(record: object | undefined, expected: Fields) {
  const fields = Object.entries(record ?? {}).filter(([name]) => name in expected)
  expect(Object.fromEntries(fields.map(normalize))).toEqual(
    Object.fromEntries(Object.entries(expected).map(normalize)),
  )
}

describe('responses of other services', () => {
  it.each(shapesOf('record'))('finds the record in %s', (_payload, { type, payload, expected }) => {
    expectFields(READERS[type].readOptional(payload), expected)
  })

  it.each(shapesOf('nothing'))('finds no record in %s', (_payload, { type, payload }) => {
    expect(READERS[type].readOptional(payload)).toBeUndefined()
  })

  it.each(shapesOf('created'))(
    'keeps the sent values of fields that are missing in %s',
    (_payload, { type, payload, sent, expected }) => {
      expectFields(READERS[type].readSaved(payload, sent), expected)
    },
  )

  it.each(shapesOf('list'))('finds the list in %s', (_payload, { type, payload, ids, total, readable }) => {
    const list = READERS[type].readList(payload)
    expect(list.isReadable).toBe(readable)
    if (readable) expect(list.items.map(({ Id }) => Id)).toEqual(ids.map(String))
    if (total !== null) expect(list.total).toBe(total)
  })

  it.each(shapesOf('compare'))(
    'compares %s with the post that was sent',
    (_payload, { sent, found, same }) => {
      const [post] = posts.readList([found]).items
      expect(post && comparePosts(sent, post)).toBe(same)
    },
  )
})
