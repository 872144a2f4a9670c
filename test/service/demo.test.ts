import sharp from 'sharp'
import { afterEach, expect, it } from 'vitest'
import type { Config } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { willHaveToken } from '../../src/service/demo.ts'
import { startConfiguredService } from '../../src/service/service.ts'
import { openServiceTables } from '../../src/service/stores/database.ts'
import { findOrCreatePerson } from '../../src/service/stores/people-store.ts'
import { revokeToken, saveToken } from '../../src/service/stores/tokens-store.ts'
import { borrowDatabase } from '../support/borrowed-database.ts'
import { createTestClock } from '../support/clock.ts'
import { createDatabase, openTestDatabase } from '../support/database.ts'
import { SERVICE_TEMPLATE } from '../support/service.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const openDatabase = async () => {
  const { database } = await borrowDatabase(SERVICE_TEMPLATE)
  cleanups.push(database.close)
  return database
}

const clock = createTestClock()
const startService = async (
  database: Awaited<ReturnType<typeof openDatabase>>,
  settings: { API_TOKEN?: string; DATABASE_URL?: string; SERVICE_REQUESTS_PER_MINUTE?: number } = {},
  options: { hasBot?: boolean } = {},
) => {
  const config = {
    HOST: '127.0.0.1',
    SERVICE_PORT: 0,
    SERVICE_REQUESTS_PER_MINUTE: 600,
    AUDIT_RETENTION_DAYS: 365,
    WEBHOOKS_TO_PRIVATE_ADDRESSES: false,
    ...settings,
  } as Config
  const service = await startConfiguredService({
    config,
    database,
    log: createLog('silent'),
    metrics: createMetrics(),
    runtime: clock.runtime,
    hasBot: false,
    ...options,
  })
  cleanups.push(service.stop)
  return service
}

const listProjects = async ({ url }: { url: string }, token = '') => {
  const response = await fetch(`${url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await response.json()) as { data?: { Items: { Name: string }[] } }
  return { status: response.status, names: data?.Items.map(({ Name }) => Name) }
}

it('creates two projects and prints a token at the first start, and gives the bot its own token', async () => {
  const database = await openDatabase()
  const first = await startService(database)
  const printedToken = /upn_\S+/.exec(first.messages.join('\n'))?.[0]
  const projects = { status: 200, names: ['Harbor Cycling', 'Northwind Coffee'] }
  expect(await listProjects(first, printedToken)).toEqual(projects)
  expect(await listProjects(first, first.botToken)).toEqual(projects)

  const second = await startService(database)
  expect(second.messages).toEqual([])
  expect(await listProjects(second, printedToken)).toEqual(projects)
})

it('revokes the token of the bot when the service stops', async () => {
  const database = await openDatabase()
  const [first, second] = [await startService(database), await startService(database)]
  expect((await listProjects(second, first.botToken)).status).toBe(200)
  await first.stop()
  cleanups.splice(1, 1)
  clock.advance(1000)
  expect((await listProjects(second, first.botToken)).status).toBe(401)
})

it('makes API_TOKEN a token of the demo admin, and replaces the one of the previous start', async () => {
  const database = await openDatabase()
  const first = await startService(database, { API_TOKEN: 'a-token-for-scripts-1' })
  expect((await listProjects(first, 'a-token-for-scripts-1')).status).toBe(200)
  const second = await startService(database, { API_TOKEN: 'a-token-for-scripts-2' })
  expect((await listProjects(second, 'a-token-for-scripts-2')).status).toBe(200)
  expect((await listProjects(second, 'a-token-for-scripts-1')).status).toBe(401)
  const third = await startService(database)
  expect((await listProjects(third, 'a-token-for-scripts-2')).status).toBe(401)
})

it('keeps the token in API_TOKEN, also if its label is API_TOKEN', async () => {
  const database = await openDatabase()
  await startService(database)
  const db = openServiceTables(database)
  const { id: user_id } = await findOrCreatePerson(db, 'ada@acme.example')
  await saveToken(db, { user_id, token: 'a-token-of-ada', label: 'API_TOKEN' })
  const service = await startService(database, { API_TOKEN: 'a-token-of-ada' })
  expect(service.messages).toEqual([])
  expect(await listProjects(service, 'a-token-of-ada')).toEqual({ status: 200, names: [] })
})

it('keeps the tokens that an operator labelled API_TOKEN, and revives none that an operator revoked', async () => {
  const database = await openDatabase()
  const service = await startService(database)
  const db = openServiceTables(database)
  const { id: user_id } = await findOrCreatePerson(db, 'ada@acme.example')
  await saveToken(db, { user_id, token: 'a-token-of-ada', label: 'API_TOKEN' })
  await startService(database)
  expect((await listProjects(service, 'a-token-of-ada')).status).toBe(200)
  const admin = await findOrCreatePerson(db, 'mara@upnext.example')
  for (const [index, owner] of [
    { user_id, label: 'operator' },
    { user_id, label: 'API_TOKEN' },
    { user_id: admin.id, label: 'API_TOKEN' },
  ].entries()) {
    const token = `a-token-that-leaked-${index}`
    const { id } = await saveToken(db, { ...owner, token })
    await revokeToken(db, id, clock.now())
    const { messages } = await startService(database, { API_TOKEN: token })
    expect(messages.join()).toContain("API_TOKEN isn't a token of the embedded service")
    expect((await listProjects(service, token)).status).toBe(401)
    expect(await willHaveToken(db, token, { wantsDemo: true })).toBe(false)
  }
})

it("doesn't reassign an API_TOKEN that belongs to another user, and prints no warning", async () => {
  const database = await openDatabase()
  const service = await startService(database)
  const db = openServiceTables(database)
  const { id: user_id } = await findOrCreatePerson(db, 'ada@acme.example')
  await saveToken(db, { user_id, token: 'a-token-of-ada', label: 'operator' })
  const settings = { API_TOKEN: 'a-token-of-ada' }
  expect((await startService(database, settings)).messages).toEqual([])
  const DATABASE_URL = 'postgresql://db.example/real'
  expect((await startService(database, { ...settings, DATABASE_URL })).messages).toEqual([])
  await startService(database)
  // Ada has no projects, unlike the demo admin.
  expect(await listProjects(service, 'a-token-of-ada')).toEqual({ status: 200, names: [] })
})

const listPosts = async ({ url, botToken }: { url: string; botToken: string | undefined }) => {
  const getItems = async (path: string) => {
    const headers = { authorization: `Bearer ${botToken}` }
    const { data } = (await (await fetch(`${url}/api/v1/projects${path}`, { headers })).json()) as {
      data: { Items: { Id: string; Media: string | null }[] }
    }
    return data.Items
  }
  const projects = await getItems('')
  return (await Promise.all(projects.map(({ Id }) => getItems(`/${Id}/posts`)))).flat()
}

it('serves every image of a demo post as a JPEG without a token', async () => {
  const service = await startService(await openDatabase())
  const links = (await listPosts(service)).flatMap(({ Media }) => Media ?? [])
  expect(new Set(links).size).toBe(4)
  for (const link of links) {
    expect(link).toContain(`${service.url}/demo/`)
    const [image, head] = await Promise.all([fetch(link), fetch(link, { method: 'HEAD' })])
    const bytes = Buffer.from(await image.arrayBuffer())
    for (const { status, headers } of [image, head]) {
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=604800',
        'x-content-type-options': 'nosniff',
      })
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1080 })
  }
})

it('returns 404 for other images', async () => {
  const service = await startService(await openDatabase())
  for (const name of [
    '',
    'kettle',
    'kettle.png',
    'tea.jpg',
    '..%2fdemo.ts',
    'kettle.jpg%00',
    'x/kettle.jpg',
  ]) {
    const response = await fetch(`${service.url}/demo/${name}`)
    expect([name, response.status, await response.json()]).toEqual([name, 404, { detail: 'Not Found' }])
  }
})

it('creates no demo data in a database that DATABASE_URL names', async () => {
  const service = await startService(await openDatabase(), {
    DATABASE_URL: 'postgresql://db.example/real',
    API_TOKEN: 'a-token-for-scripts-1',
  })
  expect(service.botToken).toBe('a-token-for-scripts-1')
  expect(service.messages).toEqual([
    expect.stringContaining("API_TOKEN isn't a token of the embedded service"),
  ])
  expect((await listProjects(service, 'a-token-for-scripts-1')).status).toBe(401)
})

it.each([undefined, 'a-token-for-scripts-1'])(
  'limits every token but that of a bot in the same process, with an API_TOKEN of %s',
  async (API_TOKEN) => {
    const database = await openDatabase()
    const settings = { SERVICE_REQUESTS_PER_MINUTE: 2, ...(API_TOKEN && { API_TOKEN }) }
    const statusesOf = async (service: Awaited<ReturnType<typeof startService>>, token = '') => {
      const statuses: number[] = []
      for (let count = 0; count < 3; count++) statuses.push((await listProjects(service, token)).status)
      return statuses
    }
    const withBot = await startService(database, settings, { hasBot: true })
    const printedToken = /upn_\S+/.exec(withBot.messages.join('\n'))?.[0]
    expect(await statusesOf(withBot, printedToken)).toEqual([200, 200, 429])
    expect(await statusesOf(withBot, 'a-guessed-token')).toEqual([401, 401, 429])
    // Neither the bot's first request nor the later ones depend on what others send.
    expect(await statusesOf(withBot, withBot.botToken)).toEqual([200, 200, 200])
    const alone = await startService(database, settings)
    expect(await statusesOf(alone, alone.botToken)).toEqual([200, 200, 429])
  },
)

it('prints the location of a database without its password', async () => {
  const url = new URL(await createDatabase())
  const database = await openTestDatabase(url.href)
  cleanups.push(database.close)
  expect(url.password).not.toBe('')
  expect(database.location).toBe(`postgresql://${url.host}${url.pathname}`)
})
