import pg from 'pg'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { captureLog } from '../support/capture-log.ts'
import { declareSecrets } from '../support/database.ts'
import { startProxy } from '../support/servers.ts'
import { OTHER_SECRET, TEST_SECRET } from '../support/test-secret.ts'
import { openUpnext, type Upnext } from './workspace.ts'

/** Only bounds how long a broken test runs. */
const MAX_WAIT = { timeout: 60_000, interval: 20 }

let upnext: Upnext
const closers: (() => unknown)[] = []
afterEach(async () => {
  await upnext.close()
  for (const close of closers.splice(0)) await close()
})

const probe = async () => {
  const response = await fetch(`${upnext.botUrl}/readyz`)
  return { code: response.status, ...((await response.json()) as { status: string }) }
}
/** A probe starts some checks, and the next one has their results. */
const waitForProbe = (code: number, status: string) =>
  vi.waitFor(async () => expect(await probe()).toEqual({ code, status }), MAX_WAIT)

describe.each([
  ['in Socket Mode', false],
  ['over HTTP', true],
])('the bot %s', (_mode, overHttp) => {
  it('is not ready while another instance has a key that this one lacks', async () => {
    const { log, entries } = captureLog()
    upnext = await openUpnext({ overHttp, log })
    await waitForProbe(200, 'ready')
    const other = await declareSecrets(upnext.service.databaseUrl, [OTHER_SECRET, TEST_SECRET])
    upnext.wait({ minutes: 0.1 })
    // An instance that is refused is gone before it counts.
    expect(await probe()).toEqual({ code: 200, status: 'ready' })
    upnext.wait({ minutes: 1 })
    const reason =
      "Instances with different keys can't read each other's data. Set the same SECRET_KEY for all."
    await waitForProbe(503, reason)
    await probe()
    const logged = entries.filter((entry) => entry.reason === reason)
    expect(logged).toMatchObject([{ err: { message: expect.stringContaining("isn't in SECRET_KEY") } }])
    await other.end()
    upnext.wait({ minutes: 0.1 })
    await waitForProbe(200, 'ready')
  })

  it('is not ready while Slack rejects its token', async () => {
    upnext = await openUpnext({ overHttp, disableRateLimits: true })
    const mara = upnext.person('mara')
    await waitForProbe(200, 'ready')
    await mara.uninstallApp({})
    upnext.wait({ minutes: 1 })
    await waitForProbe(503, "Slack rejects the bot's token (account_inactive). Check SLACK_BOT_TOKEN.")
    await mara.installApp({})
    upnext.wait({ minutes: 1 })
    await waitForProbe(200, 'ready')
  })
})

it('is ready while the service fails, and not while it rejects the token', async () => {
  let isServiceFailing = true
  let failures = 0
  upnext = await openUpnext({
    respond: ({ url }) => {
      if (!isServiceFailing || !url.endsWith('/api/v1/projects')) return undefined
      failures += 1
      return new Response('Internal Server Error', { status: 500 })
    },
  })
  const failNextCheck = async () => {
    isServiceFailing = true
    upnext.wait({ minutes: 1 })
    const before = failures
    await vi.waitFor(async () => {
      await probe()
      expect(failures).toBeGreaterThan(before)
    }, MAX_WAIT)
  }
  const passNextCheck = () => {
    isServiceFailing = false
    upnext.wait({ minutes: 1 })
  }
  await failNextCheck()
  expect(await probe()).toEqual({ code: 200, status: 'ready' })
  await upnext.service.pool.query('update service.token set revoked_at = now()')
  passNextCheck()
  const rejection = "The scheduling service rejects the bot's token. Check API_TOKEN."
  await waitForProbe(503, rejection)
  // Only an answer of the service can tell that the token is accepted again.
  await failNextCheck()
  expect(await probe()).toEqual({ code: 503, status: rejection })
  await upnext.service.pool.query('update service.token set revoked_at = null')
  passNextCheck()
  await waitForProbe(200, 'ready')
})

it("isn't ready while the database is read-only", async () => {
  upnext = await openUpnext()
  const name = new URL(upnext.service.databaseUrl).pathname.slice(1)
  const allowWriting = async (isAllowed: boolean) => {
    await admin.query(
      `alter database ${name} set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`,
    )
    // The setting applies to new connections.
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    upnext.wait({ minutes: 1 })
  }
  const admin = new pg.Client(inject('postgresSuperuser'))
  await admin.connect()
  closers.push(() => admin.end())
  // As managed databases do when their disk is full.
  await allowWriting(false)
  await waitForProbe(503, "The database can't store anything. Check whether its disk is full.")
  await allowWriting(true)
  await waitForProbe(200, 'ready')
})

it('is not ready while the database does not answer', async () => {
  const proxies: Awaited<ReturnType<typeof startProxy>>[] = []
  upnext = await openUpnext({
    databaseUrl: async (url) => {
      const address = new URL(url)
      const proxy = await startProxy(`http://${address.host}`)
      proxies.push(proxy)
      closers.push(proxy.close)
      address.host = new URL(proxy.url).host
      return address.href
    },
  })
  const [proxy] = proxies
  proxy?.hang()
  await waitForProbe(503, "The database can't be reached right now.")
  proxy?.reconnect()
  await waitForProbe(200, 'ready')
})
