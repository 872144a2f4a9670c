import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectBotDatabase } from '../../../src/bot/connect-database.ts'
import type { Db } from '../../../src/bot/database/tables.ts'
import {
  addUpload,
  countStoredBytes,
  deleteUpload,
  storeFile,
} from '../../../src/bot/features/media/media-store.ts'
import type { MediaUpload } from '../../../src/bot/features/media/tables.ts'
import { systemRuntime } from '../../../src/runtime.ts'
import { openUpnext, type Upnext } from '../workspace.ts'

let upnext: Upnext
let db: Db
const now = new Date('2026-11-20T12:00Z')
const MAX_WAIT_MS = 25_000
/** More than two chunks. */
const bytes = randomBytes(2.5 * 1024 ** 2)

beforeAll(async () => {
  upnext = await openUpnext()
  db = await connectBotDatabase(upnext.service.database)
})
afterAll(() => upnext.close())

/** In parts as a network delivers them. */
function* inParts(whole: Buffer, partBytes = 70_001) {
  for (let start = 0; start < whole.length; start += partBytes) yield whole.subarray(start, start + partBytes)
}
const store = (whole: Buffer, team_id = 'T1') =>
  storeFile(db, { team_id, content_type: 'video/mp4' }, inParts(whole), { now, maxWorkspaceBytes: 1e9 })
async function upload(whole: Buffer, team_id = 'T1'): Promise<MediaUpload> {
  const file = await store(whole, team_id)
  return addUpload(
    { db, runtime: systemRuntime },
    {
      file,
      team_id,
      user_id: 'U1',
      file_name: 'a.mp4',
      alt_text: null,
      uploaded_at: now,
    },
  )
}
const get = async (name: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(`${upnext.botUrl}/media/${name}`, { headers, method })
  return {
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
  }
}
const countFiles = async () =>
  Number((await upnext.service.pool.query('select count(*) from upnext.media_file')).rows[0].count)

describe('a stored file', () => {
  it('is served to fifty readers simultaneously', async () => {
    const { name } = await upload(randomBytes(1024))
    // Readers are refused before the database is asked. Until it answers, the others stay.
    const client = await upnext.service.pool.connect()
    await client.query('begin; lock table upnext.media_file in access exclusive mode')
    const statuses: (number | undefined)[] = []
    const readers = Array.from({ length: 60 }, () =>
      request(`${upnext.botUrl}/media/${name}`, ({ statusCode }) => statuses.push(statusCode))
        .on('error', () => {})
        .end(),
    )
    try {
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThanOrEqual(10), MAX_WAIT_MS)
      const health = await fetch(`${upnext.botUrl}/healthz`)
      expect([statuses, health.status]).toEqual([Array(10).fill(503), 200])
    } finally {
      await client.query('rollback')
      client.release()
      for (const reader of readers) reader.destroy()
    }
    await vi.waitFor(
      async () => expect((await get(name, { range: 'bytes=0-9' })).status).toBe(206),
      MAX_WAIT_MS,
    )
  })

  it('is served to others after a client sent many requests simultaneously and left', async () => {
    const { name } = await upload(randomBytes(3 * 1024 ** 2))
    const { port, hostname } = new URL(upnext.botUrl)
    for (let attempt = 0; attempt < 60; attempt++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(`GET /media/${name} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20))
      await once(socket, 'data')
      socket.resetAndDestroy()
    }
    await vi.waitFor(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(name, { range: 'bytes=0-9' })))
      expect(answers.filter(({ status }) => status !== 206)).toEqual([])
    }, MAX_WAIT_MS)
  })

  it('is served unchanged, with a fixed type and short caching', async () => {
    const { name } = await upload(bytes)
    const { status, headers, body } = await get(name)
    expect(status).toBe(200)
    expect(body.equals(bytes)).toBe(true)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
    })
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=1048570-1048580', 1_048_570, 1_048_580],
    ['bytes=2097152-', 2_097_152, bytes.length - 1],
    ['bytes=-5', bytes.length - 5, bytes.length - 1],
    ['bytes=-999999999', 0, bytes.length - 1],
    ['bytes=5-999999999', 5, bytes.length - 1],
  ])('is served in part for the range %s', async (range, from, to) => {
    const { name } = await upload(bytes)
    const { status, headers, body } = await get(name, { range })
    expect([status, headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${bytes.length}`])
    expect(body.equals(bytes.subarray(from, to + 1))).toBe(true)
  })

  it.each(['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    'is served completely for the range %s',
    async (range) => {
      const { name } = await upload(bytes)
      expect(await get(name, { range })).toMatchObject({ status: 200, body: { length: bytes.length } })
    },
  )

  it.each(['bytes=99999999-', 'bytes=-0'])('is not served for the range %s', async (range) => {
    const { name } = await upload(bytes)
    const { status, headers } = await get(name, { range })
    expect([status, headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
  })

  it('is not sent again to a client that has it', async () => {
    const { name } = await upload(bytes)
    const etag = (await get(name, {}, 'HEAD')).headers.get('etag') ?? ''
    expect(await get(name, { 'if-none-match': `"other", ${etag}` })).toMatchObject({ status: 304 })
    expect(await get(name, { 'if-none-match': '"other"' })).toMatchObject({ status: 200 })
    expect(await get(name, { range: 'bytes=0-4', 'if-range': etag })).toMatchObject({ status: 206 })
    expect(await get(name, { range: 'bytes=0-4', 'if-range': '"other"' })).toMatchObject({ status: 200 })
  })

  it('is stored once in a workspace, and is deleted with its last upload', async () => {
    const whole = randomBytes(1000)
    const before = await countFiles()
    const [first, second] = await Promise.all([upload(whole), upload(whole)])
    const other = await upload(whole, 'T2')
    expect(first.name).not.toBe(second.name)
    expect(await countFiles()).toBe(before + 2)
    expect(await countStoredBytes(db, 'T2')).toBe(1000)
    expect(await deleteUpload(db, { ...first, team_id: 'T2' })).toBeUndefined()
    expect(await deleteUpload(db, first)).toMatchObject({ name: first.name })
    expect([(await get(first.name)).status, (await get(second.name)).status]).toEqual([404, 200])
    await deleteUpload(db, second)
    await deleteUpload(db, other)
    expect(await countFiles()).toBe(before)
  })

  it('leaves nothing behind if storing it breaks off', async () => {
    const before = await countFiles()
    async function* broken() {
      yield bytes
      throw new Error('cut off')
    }
    const file = { team_id: 'T1', content_type: 'video/mp4' as const, width: null, height: null }
    await expect(storeFile(db, file, broken(), { now, maxWorkspaceBytes: 1e9 })).rejects.toThrow('cut off')
    expect(await countFiles()).toBe(before)
  })
})

it.each(['', 'x', '..%2fhealthz', `${'a'.repeat(32)}.mp4`, `${'a'.repeat(32)}.html`])(
  'returns 404 for the file "%s"',
  async (name) => {
    expect((await get(name)).status).toBe(404)
  },
)

it('serves a file after readers left in the middle of it', async () => {
  const { name } = await upload(bytes)
  for (let count = 0; count < 20; count++) {
    const leaving = new AbortController()
    const response = await fetch(`${upnext.botUrl}/media/${name}`, { signal: leaving.signal })
    await response.body?.getReader().read()
    leaving.abort()
  }
  expect((await get(name)).body.equals(bytes)).toBe(true)
})
